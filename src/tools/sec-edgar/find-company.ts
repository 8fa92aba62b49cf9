import { withoutLegalForm } from "../../domain/companies.ts";
import type { CallContext } from "../../domain/ports/sources.ts";
import { singleFlight } from "../../util/single-flight.ts";
import { readItems } from "../shared/service-client.ts";
import type { NamedCompany } from "./arguments.ts";
import { type Edgar, readCik, SEC_EDGAR, TICKERS_URL, TickerSchema, TickersSchema } from "./client.ts";

interface ListedCompany extends NamedCompany {
  readonly tickers: readonly string[];
  /** The name as `nameKey` gives it. */
  readonly key: string;
}

const DAY_MS = 86_400_000;
/** The SEC's file has about 10,000 lines. */
const MAX_LINES = 50_000;

/** Returns a function that loads the SEC's list of companies. All runs share the list, which is kept for a day. */
export function createCompanyList(open: (context: CallContext) => Edgar): (context: CallContext) => Promise<readonly ListedCompany[]> {
  let kept: { readonly list: readonly ListedCompany[]; readonly untilMs: number } | null = null;
  const flight = singleFlight(async (signal) => {
    // Concurrent runs share this request. All of them called this tool, so it is in the scope of each.
    const answer = await open({ signal, scope: [SEC_EDGAR.owner] }).json(TickersSchema, TICKERS_URL);
    const list = readList(Object.values(answer).slice(0, MAX_LINES));
    kept = { list, untilMs: performance.now() + DAY_MS };
    return list;
  });
  return async ({ signal }) => (kept !== null && performance.now() < kept.untilMs ? kept.list : flight.join(signal));
}

/** The file has a line for each ticker. A company's first line has its main ticker. */
function readList(lines: readonly unknown[]): ListedCompany[] {
  const byCompany = Map.groupBy(readItems("sec_edgar", TickerSchema, lines), ({ cik_str }) => cik_str);
  return [...byCompany].map(([cik, listed]) => {
    const name = listed[0]?.title ?? "";
    const tickers = listed.map(({ ticker }) => ticker.toUpperCase());
    return { cik, name, ticker: tickers[0] ?? null, tickers, key: nameKey(name) };
  });
}

/** Returns the same key for Apple, APPLE INC, Apple Inc. and Apple Inc. /DE/. */
function nameKey(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replaceAll(/\p{M}|['’.]/gu, "")
    .replace(/[/\\][a-z]{2,3}[/\\]?\s*$/i, "")
    .replaceAll("&", " and ");
  const words = withoutLegalForm(plain)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return words.filter((word) => word !== "" && word !== "the").join(" ");
}

/** If no company fits or several do, `text` is the answer to the tool call. */
type Resolved = { readonly company: NamedCompany } | { readonly text: string };

const MAX_CANDIDATES = 8;

export async function resolveCompany(asked: string, load: () => Promise<readonly ListedCompany[]>): Promise<Resolved> {
  const cik = readCik(asked);
  // The company's name is read later, from EDGAR's answer about this CIK.
  if (cik !== null) return { company: { cik, name: `CIK ${cik}`, ticker: null } };
  const found = findCompanies(asked.trim(), await load()).slice(0, MAX_CANDIDATES);
  const [company] = found;
  if (company === undefined)
    return { text: `Among the companies with a ticker at the SEC there is no ${asked}; ask with a ticker, a CIK or the registered name.` };
  if (found.length === 1) return { company };
  const lines = found.map((one) => `${one.name} (${one.ticker}, CIK ${one.cik})`).join("; ");
  return { text: `${asked} could be several companies; ask again with the CIK or ticker of one: ${lines}.` };
}

const TICKER = /^\$?([A-Z][A-Z0-9]{0,5}(?:[. -][A-Z]{1,2})?)$/;

/** A name in lower case is a ticker only if no company has that name: Target is a company, and tgt its ticker. */
function findCompanies(asked: string, list: readonly ListedCompany[]): ListedCompany[] {
  const key = nameKey(asked);
  const words = key.split(" ");
  const steps: ((company: ListedCompany) => boolean)[] = [
    hasTicker(asked),
    (company) => company.key === key,
    (company) => company.key.startsWith(`${key} `),
    (company) => words.every((word) => ` ${company.key} `.includes(` ${word} `)),
    hasTicker(asked.toUpperCase()),
  ];
  return steps.map((fits) => (key === "" ? [] : list.filter(fits))).find((found) => found.length > 0) ?? [];
}

/** The SEC writes BRK-B where people write BRK.B. */
function hasTicker(text: string): (company: ListedCompany) => boolean {
  const ticker = TICKER.exec(text)?.[1]?.replace(/[. ]/, "-") ?? "";
  return ({ tickers }) => tickers.includes(ticker);
}
