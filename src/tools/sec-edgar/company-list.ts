import type { CallContext } from "../../domain/ports/sources.ts";
import { singleFlight } from "../../util/single-flight.ts";
import { readItems } from "../services/read-answer.ts";
import type { ServiceClient } from "../services/service-client.ts";
import { TICKERS_URL } from "./addresses.ts";
import { SEC_EDGAR_SEARCH } from "./endpoint.ts";
import { nameKey } from "./name-key.ts";
import { TickerSchema, TickersSchema } from "./schema.ts";

/** A company with a ticker. */
export interface ListedCompany {
  readonly cik: number;
  readonly name: string;
  /** Its main one. */
  readonly ticker: string;
  /** The words of its name, lower-case, without its legal form. */
  readonly key: string;
}

export interface CompanyList {
  /** Each company once, the largest first. */
  readonly companies: readonly ListedCompany[];
  readonly byTicker: ReadonlyMap<string, ListedCompany>;
}

const DAY_MS = 86_400_000;
/** The file has some ten thousand lines; what comes after so many is left out. */
const MAX_LINES = 50_000;

/** The SEC's list of companies and their tickers, fetched at most once a day for all runs together. */
export function createCompanyList(client: ServiceClient): (context: CallContext) => Promise<CompanyList> {
  let kept: { readonly list: CompanyList; readonly untilMs: number } | null = null;
  const flight = singleFlight(async (signal) => {
    // Only calls of this tool get here, so it is within the scope of every run that waits.
    const answer = await client.json(TickersSchema, TICKERS_URL, { signal, scope: [SEC_EDGAR_SEARCH] });
    const list = readList(Object.values(answer).slice(0, MAX_LINES));
    kept = { list, untilMs: performance.now() + DAY_MS };
    return list;
  });
  return async ({ signal }) => (kept !== null && performance.now() < kept.untilMs ? kept.list : flight.join(signal));
}

function readList(lines: readonly unknown[]): CompanyList {
  const byCik = new Map<number, ListedCompany>();
  const byTicker = new Map<string, ListedCompany>();
  for (const { cik_str: cik, ticker, title } of readItems("sec_edgar", TickerSchema, lines)) {
    const company = byCik.get(cik) ?? { cik, name: title, ticker, key: nameKey(title) };
    byCik.set(cik, company);
    byTicker.set(ticker.toUpperCase(), company);
  }
  return { companies: [...byCik.values()], byTicker };
}
