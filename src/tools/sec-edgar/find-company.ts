import { knownCompaniesIn, tickerOfKnown } from "../../domain/companies/known-companies.ts";
import { readCik } from "./cik.ts";
import type { CompanyList, ListedCompany } from "./company-list.ts";
import { nameKey } from "./name-key.ts";

/** The company that is meant, or those that could be meant: nobody guesses. */
export type Found =
  | { readonly type: "one"; readonly company: ListedCompany }
  | { readonly type: "several"; readonly candidates: readonly ListedCompany[] }
  | { readonly type: "none"; readonly near: readonly ListedCompany[] };

const MAX_CANDIDATES = 8;
const MAX_NEAR = 5;
/** The share of pairs of letters that two names have in common to count as near. */
const NEAR_AT = 0.5;
/** Shorter names are words of any text. */
const SHORTEST_NAME = 3;
const TICKER = /^\$?([A-Z][A-Z0-9]{0,5}(?:[. -][A-Z]{1,2})?)$/;
/** Where a share is listed, before or behind its ticker; its class behind a name; quotes. */
const LISTING =
  /^["“']|["”']$|^(?:NASDAQ|NYSE|AMEX|OTC)\s*[:：]\s*|\.(?:US|O|N|OQ)$|(?<=^[A-Z]{1,5}) (?:US|O|N|OQ|stock)$|\s+class [a-c](?:\s+(?:common|ordinary) (?:stock|shares?))?$/gi;
const LABELLED = /^(.+?)\s*[(（]([^()（）]+)[)）]$/;

/**
 * Finds a company by ticker (in capitals, or as typed where no name fits) or by name: the whole name, then names that
 * begin with the words, then names that hold them all. More than one company in the same step are candidates.
 */
export function findCompany(text: string, list: CompanyList): Found {
  const found = findAsWritten(text, list);
  if (found.type === "one") return found;
  const [, name, more] = LABELLED.exec(text.trim()) ?? [];
  const bare = text.trim().replaceAll(LISTING, "");
  const other = name !== undefined && more !== undefined ? sameOf([name, ...more.split(",")], list) : bare === text.trim() ? null : bare;
  const again = typeof other === "string" ? findAsWritten(other, list) : null;
  if (again?.type === "one") return again;
  return typeof other === "object" && other !== null ? { type: "one", company: other } : found;
}

/** The company that all of several names stand for, as in `Apple Inc. (AAPL)`. */
function sameOf(names: readonly string[], list: CompanyList): ListedCompany | null {
  const found = names.map((name) => findListed(name.trim(), list));
  const [first] = found.flatMap((one) => (one.type === "one" ? [one.company] : []));
  const areAll = found.every((one) => one.type === "one" && one.company === first);
  return areAll ? (first ?? null) : null;
}

/** By CIK, or as written without where it is listed. */
function findListed(name: string, list: CompanyList): Found {
  const cik = readCik(name);
  const company = cik === null ? undefined : list.companies.find((one) => one.cik === cik);
  return company === undefined ? findAsWritten(name.replaceAll(LISTING, ""), list) : { type: "one", company };
}

function findAsWritten(text: string, list: CompanyList): Found {
  const wanted = text.trim();
  const exact = TICKER.test(wanted) ? byTicker(wanted, list) : null;
  const known = exact ?? byTicker(tickerOfKnown(wanted) ?? "", list);
  if (known !== null) return { type: "one", company: known };
  const key = nameKey(wanted);
  const fitting = key === "" ? [] : byName(key, list);
  const [first, ...others] = fitting;
  if (first !== undefined && others.length === 0) return { type: "one", company: first };
  if (first !== undefined) return { type: "several", candidates: fitting.slice(0, MAX_CANDIDATES) };
  const typed = byTicker(wanted.toUpperCase(), list);
  if (typed !== null) return { type: "one", company: typed };
  const near = new Set([...namedIn(wanted, key, list), ...nearest(key, list)]);
  return { type: "none", near: [...near].slice(0, MAX_NEAR) };
}

/** The list spells classes of shares with a hyphen, people with a full stop. */
function byTicker(text: string, { byTicker: tickers }: CompanyList): ListedCompany | null {
  const ticker = TICKER.exec(text)?.[1]?.replace(/[. ]/, "-") ?? "";
  return tickers.get(ticker) ?? null;
}

function byName(key: string, { companies }: CompanyList): ListedCompany[] {
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

/** Companies whose ticker or whole name stands in a longer text: first the known ones, then those with the longest name. */
function namedIn(text: string, key: string, list: CompanyList): ListedCompany[] {
  const tickers = text.split(/[^A-Za-z0-9.$-]+/).filter((word) => /^\$?[A-Z]{2}/.test(word));
  const said = [...knownCompaniesIn(text).map(({ ticker }) => ticker), ...tickers].flatMap((ticker) => byTicker(ticker, list) ?? []);
  const named = list.companies.filter((company) => company.key.length >= SHORTEST_NAME && ` ${key} `.includes(` ${company.key} `));
  return [...said, ...named.sort((a, b) => b.key.length - a.key.length)];
}

function nearest(key: string, { companies }: CompanyList): ListedCompany[] {
  const wanted = pairs(key);
  if (wanted.size === 0) return [];
  return companies
    .map((company) => ({ company, likeness: likeness(wanted, pairs(company.key.slice(0, key.length + 2))) }))
    .filter(({ likeness }) => likeness >= NEAR_AT)
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, MAX_NEAR)
    .map(({ company }) => company);
}

function pairs(text: string): Set<string> {
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, i) => text.slice(i, i + 2)));
}

/** Dice's coefficient. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((pair) => b.has(pair)).length;
  return (2 * shared) / (a.size + b.size || 1);
}
