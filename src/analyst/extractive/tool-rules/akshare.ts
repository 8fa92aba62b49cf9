import { isKnownTicker, knownCompaniesIn, withoutOverlaps } from "../../../domain/companies/known-companies.ts";
import type { JsonValue } from "../../../domain/json.ts";
import type { DecisionView } from "../../../domain/ports/analyst.ts";
import type { ToolRule } from "../decide.ts";
import { chineseNamesIn, knownAskedFor, latinNamesIn, type Named } from "./company-names.ts";
import { type Aspect, aspectsIn, COMMON_WORDS, COMPARISON, FINANCE_WORDS } from "./company-words.ts";

const MAX_COMPANIES = 3;
const MAX_ASPECTS = 2;
/** Longer ranges are asked by the month. */
const DAILY_UP_TO_MONTHS = 2;

/** Calls for each company of mainland China or Hong Kong. Whether an unknown name is one, the tool's own search decides. */
export const askAkshare: ToolRule = (view) => {
  const question = view.question.normalize("NFKC");
  const symbols = symbolsIn(question);
  const companies = symbols.length > 0 ? symbols.map((symbol) => ({ symbol })) : namesIn(question, view).map((name) => ({ name }));
  const named = aspectsIn(question);
  const usual: Aspect[] = symbols.length > 0 ? ["profile", "quote"] : COMPARISON.test(question) ? ["profile", "financials"] : ["profile"];
  const aspects = (named.length > 0 ? named : usual).slice(0, MAX_ASPECTS);
  return companies
    .slice(0, MAX_COMPANIES)
    .flatMap((company) => aspects.map((aspect) => ({ ...argumentsOf(aspect, question), ...company })));
};

const FULL_CODE = /(?<![\w.])(?:(?:sh|sz|bj)\d{6}|\d{6}\.(?:sh|ss|sz|bj)|hk\d{5}|\d{3,5}\.hk)(?!\w)/gi;
/** The ranges in which the mainland's exchanges give out codes; not amounts, not parts of longer numbers. */
const SIX_DIGITS = /(?<![\w.,$¥€£+-])(?:60[0135]|68[89]|00[0-3]|30[0-2]|8[378]\d|92\d)\d{3}(?![\w%]|[.,]\w|\s*[元人万亿])/g;
const HONG_KONG_CODE = /(?<![\w.,$¥€£+-])0\d{4}(?![\w%]|[.,]\w)/g;

/** Codes of shares; bare digits only beside words for companies and shares, or as the whole question. */
function symbolsIn(question: string): string[] {
  const isAboutShares = [FINANCE_WORDS, COMMON_WORDS, /股|证券|代码|\bstocks?\b|\bshares?\b|\bticker\b|\blisted\b|^\W*\d+\W*$/i].some(
    (words) => words.test(question),
  );
  const bare = isAboutShares ? (question.match(SIX_DIGITS) ?? []) : [];
  const hongKong = isAboutShares && /港股|香港|Hong Kong|\bHK(?:EX)?\b/i.test(question) ? (question.match(HONG_KONG_CODE) ?? []) : [];
  return [...new Set([...(question.match(FULL_CODE) ?? []), ...bare, ...hongKong])];
}

/**
 * The names of companies, in reading order; CATL and other abbreviations as the Chinese name. An unknown name in Latin
 * letters counts unless another tool found the company.
 */
function namesIn(question: string, { outcomes }: DecisionView): string[] {
  const american = knownCompaniesIn(question).filter(({ chinese }) => !chinese);
  const known = knownAskedFor(question, FINANCE_WORDS).filter(({ chinese }) => chinese);
  const isFound = (name: string): boolean =>
    outcomes.some(({ results, arguments: asked }) => results > 0 && JSON.stringify(asked).includes(JSON.stringify(name)));
  const unknown = latinNamesIn(question, FINANCE_WORDS).filter(({ surface }) => !isKnownTicker(surface) && !isFound(surface));
  const all = withoutOverlaps<Named & { ticker?: string }>([...american, ...known, ...unknown, ...chineseNamesIn(question)])
    .slice(american.length)
    .sort((a, b) => a.index - b.index);
  return [...new Set(all.map(({ surface, ticker }) => (ticker !== undefined && /^[A-Z]+$/.test(surface) ? ticker : surface)))];
}

function argumentsOf(aspect: Aspect, question: string): Record<string, JsonValue> {
  const range = rangeIn(question);
  const days = range === null ? {} : { start_date: range.start, end_date: range.end };
  if (aspect === "financials") {
    const quarterly = /季|半年|quarter|half[- ]year|interim|\bQ[1-4]\b|\bH[12]\b/i.test(question);
    return { action: aspect, reports: quarterly ? "all" : "annual", ...days };
  }
  if (aspect === "announcements") return { action: aspect, ...days };
  if (aspect === "kline" || (aspect === "quote" && range !== null)) {
    return { action: "kline", period: range !== null && range.months > DAILY_UP_TO_MONTHS ? "monthly" : "daily", ...days };
  }
  return { action: aspect };
}

/** The day, month or years that the question names, from the first day to the last; `months` is 0 for one day. */
function rangeIn(text: string): { start: string; end: string; months: number } | null {
  const [, year, month, day] =
    /(?<!\d)((?:19|20)\d\d)\s*[-/年]\s*(1[0-2]|0?[1-9])(?:\s*[-/月]\s*(3[01]|[12]\d|0?[1-9]))?(?!\d)/.exec(text) ?? [];
  if (year !== undefined && month !== undefined) {
    const first = `${year}-${month.padStart(2, "0")}`;
    const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate();
    const [from, to] = day === undefined ? ["01", lastDay] : [day.padStart(2, "0"), day.padStart(2, "0")];
    return { start: `${first}-${from}`, end: `${first}-${to}`, months: day === undefined ? 1 : 0 };
  }
  const years = Array.from(text.matchAll(/(?<![\d.,])((?:19|20)\d\d)(?![\d,.]\d|\d)/g), (match) => match[1] ?? "").toSorted();
  const [first, last] = [years[0], years.at(-1)];
  if (first === undefined || last === undefined) return null;
  return { start: `${first}-01-01`, end: `${last}-12-31`, months: 12 * (Number(last) - Number(first) + 1) };
}
