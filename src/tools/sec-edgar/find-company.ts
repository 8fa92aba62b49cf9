import { LEGAL_FORMS, tickerOfKnown } from "../../domain/companies.ts";
import type { CallContext } from "../../domain/ports/sources.ts";
import { singleFlight } from "../../util/single-flight.ts";
import { readItems } from "../shared/service-client.ts";
import type { NamedCompany } from "./arguments.ts";
import { type Edgar, readCik, SEC_EDGAR_SEARCH, TICKERS_URL, TickerSchema, TickersSchema } from "./client.ts";

interface ListedCompany {
  readonly cik: number;
  readonly name: string;
  readonly ticker: string;
  readonly key: string;
}

interface CompanyList {
  readonly companies: readonly ListedCompany[];
  readonly byTicker: ReadonlyMap<string, ListedCompany>;
}

const DAY_MS = 86_400_000;
/** The SEC's file has about 10,000 lines. */
const MAX_LINES = 50_000;

/** Returns a function that loads the SEC's list of companies. All runs share the list, which is kept for a day. */
export function createCompanyList(open: (context: CallContext) => Edgar): (context: CallContext) => Promise<CompanyList> {
  let kept: { readonly list: CompanyList; readonly untilMs: number } | null = null;
  const flight = singleFlight(async (signal) => {
    // Concurrent runs share this request. All of them called this tool, so it is in the scope of each.
    const answer = await open({ signal, scope: [SEC_EDGAR_SEARCH] }).json(TickersSchema, TICKERS_URL);
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

const FORMS = new Set([
  ...LEGAL_FORMS.toLowerCase().split("|"),
  ..."incorporated llc lp plc sa ag nv se ab asa spa oyj kgaa adr com".split(" "),
]);

/** Returns the same key for Apple, APPLE INC, Apple Inc. and Apple Inc. /DE/. */
function nameKey(name: string): string {
  const words = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[/\\][a-z]{2,3}[/\\]?\s*$/g, " ")
    .replaceAll("&", " and ")
    .replaceAll(/['’.]/g, "")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  if (words.length > 1 && words[0] === "the") words.shift();
  while (words.length > 1 && FORMS.has(words.at(-1) ?? "")) words.pop();
  if (words.length > 1 && words.at(-1) === "and") words.pop();
  return words.join(" ");
}

/** If no company fits or several do, `text` is the answer to the tool call. */
type Resolved = { readonly company: NamedCompany } | { readonly text: string };

const MAX_CANDIDATES = 8;

export async function resolveCompany(asked: string, load: () => Promise<CompanyList>): Promise<Resolved> {
  const cik = readCik(asked);
  // The company's name is read later, from EDGAR's answer about this CIK.
  if (cik !== null) return { company: { cik, name: `CIK ${cik}`, ticker: null, asked } };
  const list = await load();
  const [company, ...others] = findCompanies(asked, list).slice(0, MAX_CANDIDATES);
  if (company === undefined)
    return { text: `Among the companies with a ticker at the SEC there is no ${asked}; ask with a ticker, a CIK or the registered name.` };
  if (others.length === 0) return { company: { ...company, asked } };
  const lines = [company, ...others].map(candidateLine).join("; ");
  return { text: `${asked} could be several companies; ask again with the CIK or ticker of one: ${lines}.` };
}

function candidateLine({ name, ticker, cik }: ListedCompany): string {
  return `${name} (${ticker}, CIK ${cik})`;
}

const TICKER = /^\$?([A-Z][A-Z0-9]{0,5}(?:[. -][A-Z]{1,2})?)$/;
const LISTINGS = [
  /^["“']|["”']$/g,
  /^(?:NASDAQ|NYSE|AMEX|OTC)\s*[:：]\s*/i,
  /\.(?:US|O|N|OQ)$|(?<=^[A-Z]{1,5}) (?:US|O|N|OQ|stock)$/i,
  /\s+class [a-c](?:\s+(?:common|ordinary) (?:stock|shares?))?$/i,
];
const LABELED = /^(.+?)\s*[(（]([^()（）]+)[)）]$/;

/** In `Apple Inc. (NASDAQ: AAPL)`, name and ticker must identify the same company. */
function findCompanies(text: string, list: CompanyList): ListedCompany[] {
  const asWritten = findAsWritten(text, list);
  if (asWritten.length === 1) return asWritten;
  const [, name, more = ""] = LABELED.exec(text.trim()) ?? [];
  const names = name === undefined ? [text] : [name, ...more.split(",")];
  const [found, ...others] = new Set(names.map((one) => findUnlabeled(one.trim(), list)));
  return found === undefined || found === null || others.length > 0 ? asWritten : [found];
}

function findUnlabeled(name: string, list: CompanyList): ListedCompany | null {
  const cik = readCik(name);
  const company = list.companies.find((one) => one.cik === cik);
  const unlisted = LISTINGS.reduce((text, pattern) => text.replace(pattern, ""), name);
  const found = company === undefined ? findAsWritten(unlisted, list) : [company];
  return found.length === 1 ? (found[0] ?? null) : null;
}

function findAsWritten(text: string, list: CompanyList): ListedCompany[] {
  const wanted = text.trim();
  const known = byTicker(wanted, list) ?? byTicker(tickerOfKnown(wanted) ?? "", list);
  if (known !== null) return [known];
  const named = byName(nameKey(wanted), list);
  const typed = named.length > 0 ? null : byTicker(wanted.toUpperCase(), list);
  return typed === null ? named : [typed];
}

/** The SEC writes BRK-B where people write BRK.B. */
function byTicker(text: string, { byTicker: tickers }: CompanyList): ListedCompany | null {
  const ticker = TICKER.exec(text)?.[1]?.replace(/[. ]/, "-") ?? "";
  return tickers.get(ticker) ?? null;
}

function byName(key: string, { companies }: CompanyList): ListedCompany[] {
  if (key === "") return [];
  const words = key.split(" ");
  const steps: ((company: ListedCompany) => boolean)[] = [
    (company) => company.key === key,
    (company) => company.key.startsWith(`${key} `),
    (company) => words.every((word) => ` ${company.key} `.includes(` ${word} `)),
  ];
  for (const fits of steps) {
    const fitting = companies.filter(fits);
    if (fitting.length > 0) return fitting;
  }
  return [];
}
