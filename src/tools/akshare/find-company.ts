import { foldName, LEGAL_FORMS, tickerOfKnown, withoutLegalForm } from "../../domain/companies.ts";
import type { CallContext } from "../../domain/ports/sources.ts";
import { DossierError } from "../../errors.ts";
import { type Answered, firstAnswer, labelOf, type MarketData, readSymbol, type Security } from "./market-data.ts";

interface Asked {
  readonly symbol?: string | undefined;
  readonly name?: string | undefined;
  readonly query?: string | undefined;
}

interface FoundShares {
  readonly shares: readonly Security[];
  readonly by: string | null;
  readonly notes: readonly string[];
}

/** Asks no service for a symbol, unless `needsName` is set. @throws DossierError `invalid_arguments` for an impossible symbol */
export async function findShares(
  asked: Asked,
  needsName: boolean,
  services: readonly MarketData[],
  context: CallContext,
): Promise<FoundShares> {
  const code = asked.query === undefined ? "" : usualCode(asked.query);
  const symbol = asked.symbol ?? (readSymbol(code) === null ? undefined : code);
  const share = symbol === undefined ? null : readSymbol(symbol);
  if (symbol !== undefined && share === null)
    throw new DossierError("invalid_arguments", `${symbol} is no code of a share in Shanghai, Shenzhen, Beijing or Hong Kong.`);
  if (share !== null && !needsName) return { shares: [share], by: null, notes: [] };
  const wanted = share?.code ?? bareSearch(asked.name ?? asked.query ?? "");
  const { value, by, notes } = await search(wanted, services, context);
  const isExact = ({ name }: Security): boolean => foldName(name ?? "") === foldName(wanted);
  return { shares: [...value.filter(isExact), ...value.filter((one) => !isExact(one))], by, notes };
}

function search(wanted: string, services: readonly MarketData[], context: CallContext): Promise<Answered<readonly Security[]>> {
  return firstAnswer(
    services,
    context,
    (service) => service.find(wanted, context),
    (found) => found.length > 0,
  );
}

/** Shortens 深度求索公司 to 深度求索, but keeps 有限公司, which belongs to a company's full name. */
function bareSearch(name: string): string {
  return withoutLegalForm(name.replace(/(?<!有限|责任|股份)(?:公司|集团)$/, "")) || name;
}

type OneShare =
  | { readonly share: Security; readonly others: readonly Security[] }
  | { readonly share: null; readonly near: readonly Security[] };

export async function findOne(asked: string, services: readonly MarketData[], context: CallContext): Promise<OneShare> {
  const coded = readSymbol(usualCode(asked));
  if (coded !== null) return { share: coded, others: [] };
  const [code, ...codes] = [...asked.matchAll(CODE)].map(([one]) => one);
  const known = code === undefined || codes.length > 0 ? null : readSymbol(usualCode(code));
  const { value: shares } = await search(known?.code ?? bareSearch(asked), services, context);
  const [share, ...others] = shares.filter((one) => isNamed(one, asked.replace(code ?? "", "")));
  if (share !== undefined && others.every(({ name }) => foldName(name ?? "") === foldName(share.name ?? ""))) return { share, others };
  return { share: null, near: shares };
}

const CODE = /(?<![\p{sc=Latin}\p{N}])(?:(?:s[hz]|bj|hk)[.:]?)?\d{4,6}(?:\.(?:s[hsz]|bj|hk|xshg|xshe))?(?![\p{sc=Latin}\p{N}])/giu;

function usualCode(text: string): string {
  return text
    .trim()
    .replace(/^([a-z]{2})[.:](?=\d+$)/i, "$1")
    .replace(/\.XSHG$/i, ".SH")
    .replace(/\.XSHE$/i, ".SZ")
    .replace(/^0\d{3}$/, "0$&");
}

function isNamed(share: Security, text: string): boolean {
  const bare = text.replaceAll(/[()（）]/g, " ").trim();
  const parts = bare.split(/[,，]/).filter((part) => part.trim() !== "");
  return isName(share, bare) || (parts.length > 0 && parts.every((part) => isName(share, part)));
}

function isName({ name, englishName, wholeNames = [] }: Security, text: string): boolean {
  const known = tickerOfKnown(text);
  const names = [name, englishName, ...wholeNames].filter((one) => one !== null);
  return text !== "" && names.some((one) => bareName(one) === bareName(text) || (known !== null && tickerOfKnown(one) === known));
}

const ANY_LEGAL_FORM = new RegExp(`(?:股份有限公司|有限责任公司|有限公司|集团|公司|${LEGAL_FORMS}|group|holdings?)+$`, "i");

function bareName(name: string): string {
  const folded = foldName(name).replaceAll(/\p{P}/gu, "");
  return folded.replace(ANY_LEGAL_FORM, "") || folded;
}

export function formatNear(asked: string, near: readonly Security[]): string {
  const listed = near.map(shareLine).join("; ");
  const answer = near.length === 0 ? `No listed company goes by ${asked}.` : `${asked} may mean: ${listed}.`;
  const symbol = near[0]?.code ?? "a code";
  const calls = [
    { action: "financials", symbol, reports: "annual" },
    { action: "quote", symbol },
    { action: "kline", symbol, start_date: "2024-01-01", end_date: "2024-12-31" },
    { action: "news", symbol },
    { action: "announcements", symbol },
  ];
  const examples = calls.map((call) => JSON.stringify(call)).join("; ");
  return `${answer}\nA query alone is looked up as the code or name of one company. For anything else say what is wanted, as in: ${examples}.`;
}

export function formatFound({ name, symbol, query }: Asked, { shares, by, notes }: FoundShares): string {
  const asked = name ?? symbol ?? query;
  if (shares.length > 0) return [...notes, `Shares that go by ${asked}, from ${by}:`, ...shares.map(shareLine)].join("\n");
  const answer = `${by} looked and found no company listed in Shanghai, Shenzhen, Beijing or Hong Kong that goes by ${asked}.`;
  return [...notes, `${answer} It may not be listed, be listed elsewhere, or go by another name.`].join("\n");
}

function shareLine(share: Security): string {
  return `${labelOf(share)}, ${share.market.toUpperCase()}`;
}
