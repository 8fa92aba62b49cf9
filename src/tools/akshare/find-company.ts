import { knownCompaniesIn, tickerOfKnown } from "../../domain/companies.ts";
import type { CallContext } from "../../domain/ports/sources.ts";
import type { ToolResult } from "../../domain/tool.ts";
import { DossierError } from "../../errors.ts";
import type { AskedArguments } from "./arguments.ts";
import { type Answered, firstAnswer, labelOf, type MarketData, plainName, readSymbol, type Security } from "./market-data.ts";

export function tellFound({ name, symbol, query }: AskedArguments, { shares, by, notes }: Resolved): ToolResult {
  const rows = shares.map((share) => `${labelOf(share)}, ${share.market.toUpperCase()}`);
  return { text: [...notes, `Shares that go by ${name ?? symbol ?? query}, from ${by}:`, ...rows].join("\n"), sources: [] };
}

export function tellUnlisted({ name, symbol, query }: AskedArguments, { by, notes }: Resolved): ToolResult {
  const told = `${by} looked and found no company listed in Shanghai, Shenzhen, Beijing or Hong Kong that goes by ${name ?? symbol ?? query}.`;
  return { text: [...notes, `${told} It may not be listed, be listed elsewhere, or go by another name.`].join("\n"), sources: [] };
}

/** The share that is asked about, and others that go by the same name. */
export interface Resolved {
  /** Best first; empty where there is no such share. */
  readonly shares: readonly Security[];
  readonly by: string | null;
  readonly notes: readonly string[];
}

/**
 * The share of a symbol, or the shares of a name.
 * @throws DossierError `invalid_arguments` for a symbol that no exchange gives out
 */
export async function resolveCompany(
  { query, action, symbol = codeIn(query), name = symbol === undefined ? query : undefined }: AskedArguments,
  services: readonly MarketData[],
  context: CallContext,
): Promise<Resolved> {
  const share = symbol === undefined ? null : readSymbol(symbol);
  if (symbol !== undefined && share === null) {
    throw new DossierError("invalid_arguments", `${symbol} is no code of a share in Shanghai, Shenzhen, Beijing or Hong Kong.`);
  }
  if (share !== null && action !== "find") return { shares: [share], by: null, notes: [] };
  const wanted = share?.code ?? withoutLegalForm(name ?? "");
  const { value, by, notes } = await findShares(wanted, services, context);
  return { shares: exactFirst(value, wanted), by, notes };
}

/** A query that is a code. */
function codeIn(query: string | undefined): string | undefined {
  const code = query === undefined ? undefined : usualCode(query);
  return code !== undefined && readSymbol(code) !== null ? code : undefined;
}

function findShares(wanted: string, services: readonly MarketData[], context: CallContext): Promise<Answered<readonly Security[]>> {
  return firstAnswer(
    services,
    context,
    (service) => service.find(wanted, context),
    (found) => found.length > 0,
  );
}

/** 深度求索公司 is looked for as 深度求索; whole Chinese names of companies are left whole. */
function withoutLegalForm(name: string): string {
  const bare = name
    .replace(/(?<!有限|责任|股份)(?:公司|集团)$/, "")
    .replace(/[\s,]+(?:(?:Co|Corp|Inc|Ltd|Limited|Company|Corporation)\b[\s.,]*)+$/i, "")
    .trim();
  return bare === "" ? name : bare;
}

function exactFirst(shares: readonly Security[], wanted: string): readonly Security[] {
  const isExact = ({ name }: Security): boolean => plainName(name ?? "") === plainName(wanted);
  return [...shares.filter(isExact), ...shares.filter((share) => !isExact(share))];
}

/** The share that a text stands for, with others of the same name, or what could be meant. */
export type Found =
  | { readonly share: Security; readonly others: readonly Security[] }
  | { readonly share: null; readonly near: readonly Security[] };

/** The share of a code, of a name, or of both together; nobody guesses where names are only similar. */
export async function findOne(asked: string, services: readonly MarketData[], context: CallContext): Promise<Found> {
  const coded = readSymbol(usualCode(asked));
  if (coded !== null) return { share: coded, others: [] };
  const [code, ...codes] = [...asked.matchAll(CODE)].map(([one]) => one);
  const known = code === undefined || codes.length > 0 ? null : readSymbol(usualCode(code));
  const wanted = known?.code ?? withoutLegalForm(asked);
  const { value: shares } = await findShares(wanted, services, context);
  const [share, ...others] = shares.filter((one) => isNamed(one, asked.replace(code ?? "", "")));
  if (share !== undefined && others.every(({ name }) => plainName(name ?? "") === plainName(share.name ?? ""))) return { share, others };
  if (shares.length > 0) return { share: null, near: shares };
  for (const part of partsOf(asked)) {
    const { value: near } = await findShares(part, services, context);
    if (near.length > 0) return { share: null, near };
  }
  return { share: null, near: [] };
}

const CODE = /(?<![\p{sc=Latin}\p{N}])(?:(?:s[hz]|bj|hk)[.:]?)?\d{4,6}(?:\.(?:s[hsz]|bj|hk|xshg|xshe))?(?![\p{sc=Latin}\p{N}])/giu;

/** A code in other spellings: `HK.00700`, `600519.XSHG`, `0700`. */
function usualCode(text: string): string {
  return text
    .trim()
    .replace(/^([a-z]{2})[.:](?=\d+$)/i, "$1")
    .replace(/\.XSHG$/i, ".SH")
    .replace(/\.XSHE$/i, ".SZ")
    .replace(/^0\d{3}$/, "0$&");
}

/** Whether a text is one of the company's names, or several of them. */
function isNamed(share: Security, text: string): boolean {
  const bare = text.replaceAll(/[()（）]/g, " ").trim();
  const parts = bare.split(/[,，]/).filter((part) => part.trim() !== "");
  return bare !== "" && (isName(share, bare) || (parts.length > 0 && parts.every((part) => isName(share, part))));
}

function isName({ name, englishName, wholeNames = [] }: Security, text: string): boolean {
  const known = tickerOfKnown(text.trim());
  const names = [name, englishName, ...wholeNames].flatMap((one) => (one === null ? [] : [one]));
  return names.some((one) => bareName(one) === bareName(text) || (known !== null && tickerOfKnown(one) === known));
}

const LEGAL_FORM = /(?:股份有限公司|有限责任公司|有限公司|集团|公司|(?:co|corp|inc|ltd|limited|company|corporation|group|holdings?))+$/;

/** A name without its legal form, spaces and punctuation. */
function bareName(name: string): string {
  const plain = plainName(name).replaceAll(/\p{P}/gu, "");
  return plain.replace(LEGAL_FORM, "") || plain;
}

/** How many parts of a text are looked for, and their characters where it is one word: names of shares mostly have four, some two. */
const MAX_PARTS = 4;
const NAME_LENGTHS = [4, 2];

/** Parts of a text that may be the name of a company: known names, else its words and the beginning of the first. */
function partsOf(text: string): string[] {
  const known = knownCompaniesIn(text).map(({ surface }) => surface);
  const words = text.split(/[\s\p{P}]+/u).filter((word) => word.length > 1);
  const beginnings = /^\p{sc=Han}/u.test(words[0] ?? "") ? NAME_LENGTHS.map((length) => (words[0] ?? "").slice(0, length)) : [];
  return [...new Set([...known, ...words.slice(0, 2), ...beginnings])].filter((part) => part !== text).slice(0, MAX_PARTS);
}

/** What a model is told that gave a query which is no company alone: those that it may mean, and the calls that say what is wanted. */
export function tellNear(asked: string, near: readonly Security[]): string {
  const listed = near.map((share) => `${labelOf(share)}, ${share.market.toUpperCase()}`).join("; ");
  const told = near.length === 0 ? `No listed company goes by ${asked}.` : `${asked} may mean: ${listed}.`;
  return `${told}\n${fullArguments(near[0]?.code ?? "a code")}`;
}

/** The calls that say what is wanted. */
function fullArguments(symbol: string): string {
  const calls = [
    { action: "financials", symbol, reports: "annual" },
    { action: "quote", symbol },
    { action: "kline", symbol, start_date: "2024-01-01", end_date: "2024-12-31" },
    { action: "news", symbol },
    { action: "announcements", symbol },
  ];
  const examples = calls.map((call) => JSON.stringify(call)).join("; ");
  return `A query alone is looked up as the code or name of one company. For anything else say what is wanted, as in: ${examples}.`;
}
