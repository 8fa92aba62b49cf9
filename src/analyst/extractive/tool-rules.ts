import { figuresIn, isKnownTicker, knownCompaniesIn, withoutOverlaps } from "../../domain/companies.ts";
import type { JsonValue } from "../../domain/json.ts";
import type { DecisionView } from "../../domain/ports/analyst.ts";
import type { ToolCall } from "../../domain/tool.ts";
import { keywords } from "../../ranking/query-terms.ts";
import { type Aspect, aspectsIn, CUES, chineseNamesIn, isWhole, knownAskedFor, latinNamesIn, type Named } from "./company-questions.ts";

/** Returns the arguments of each call, or no calls if the question does not clearly ask for the tool. */
export type ToolRule = (view: DecisionView) => readonly ToolCall["arguments"][];

type Args = ToolCall["arguments"];

const MAX_COMPANIES = 3;
const MAX_YEARS = 10;
const MAX_QUERY_WORDS = 8;
const FIRST_YEAR = 1993;
const YEAR_RANGE = /(?<!\d)((?:19|20)\d{2})年?\s*(?:to|through|until|and up to|-|–|—|~|至|到)\s*((?:19|20)\d{2})(?!\d)/g;

/** The SEC is asked about Chinese companies only if the question has one of these words. */
const US_MARKET = /\b(?:SEC|EDGAR|20-F|6-K|NYSE|Nasdaq|ADR)\b|美股|纽交所|纳斯达克|美国证监会/i;
const CIK = /\bCIK[\s:#]*\d{1,10}\b/gi;
const LABELED_TICKER = /(?<=\b(?:ticker(?: symbol)?|NYSE|NASDAQ|Nasdaq)[\s:]+)[A-Z]{1,5}(?:[.-][A-Z])?\b/g;
const DOLLAR_TICKER = /(?<![\w$])\$[A-Za-z]{1,5}(?:[.-][A-Za-z])?(?![\w$])/g;

const FORM = /\b(10-[KQ]|20-F|40-F|8-K|6-K|DEF 14A|S-1|13F-HR)\b/i;
const ANNUAL_REPORT = /\bannual reports?\b|年报|年度报告/i;
const QUARTERLY_REPORT = /\bquarterly reports?\b|季报|季度报告/i;
const QUARTERLY = /\bquarter(?:s|ly)?\b|\bQ[1-4]\b|季度|季报/i;
const FILINGS = /\b(?:filings?|filed|SEC|EDGAR)\b|申报|披露文件/i;
const SECTIONS: readonly (readonly [item: string, cue: RegExp])[] = [
  ["1A", /\brisk(?:s| factors?)?\b|风险/i],
  ["1", /\b(?:business|products|segments|competit(?:ors|ion|ive))\b|业务|主营|产品|竞争/i],
  ["3", /\b(?:lawsuits?|legal proceedings|litigation)\b|诉讼/i],
  ["7", /\bMD&A|management['’]s discussion|管理层讨论/i],
];
const DOCUMENTS = String.raw`\b(?:SEC|EDGAR|10-[KQ]|20-F|8-K) (?:filings|documents|reports)\b|证监会文件|美股(?:公司)?公告`;
const MENTION = String.raw`\b(?:mention|contain|disclos|discuss|refer|speak|talk)\w*(?: (?:of|to|about))?|\babout|提到了?|提及|含有|披露`;
const FULL_TEXT = new RegExp(`(?:${DOCUMENTS}).*?(?:${MENTION})(.+)`, "i");

export function secEdgarRule({ question }: DecisionView): readonly Args[] {
  const companies = companiesAskedFor(question).slice(0, MAX_COMPANIES);
  if (companies.length > 0) return companies.flatMap((company) => callsFor(question, company));
  const words = keywords(FULL_TEXT.exec(question)?.[1] ?? "").slice(0, MAX_QUERY_WORDS);
  return words.length === 0 ? [] : [{ what: "search", query: words.join(" "), ...formIn(question) }];
}

function companiesAskedFor(question: string): string[] {
  const known = knownAskedFor(question, CUES.report).filter(({ chinese }) => !chinese || US_MARKET.test(question));
  const unknown = latinNamesIn(question, CUES.report);
  const coded = [CIK, LABELED_TICKER, DOLLAR_TICKER].flatMap((code) =>
    Array.from(question.matchAll(code), ({ 0: surface, index }): Named => ({ surface, index })),
  );
  // `$PATH` may be a shell variable, so `$` alone does not make an unknown word a ticker.
  const meant = coded.filter(
    ({ surface }) =>
      !surface.startsWith("$") || isKnownTicker(surface.slice(1)) || CUES.report.test(question) || isWhole(question, surface),
  );
  const whole = question.trim();
  const all = withoutOverlaps<Named>([...meant, ...known, ...unknown, ...(isKnownTicker(whole) ? [{ surface: whole, index: 0 }] : [])]);
  return [...new Set(all.sort((a, b) => a.index - b.index).map(({ surface }) => surface))];
}

function callsFor(question: string, company: string): Args[] {
  const years = yearsIn(question);
  const time = years.length > 0 ? { years } : {};
  const quarterly = QUARTERLY.test(question) ? { quarterly: true } : {};
  const concepts = figuresIn(question).map(({ surface }) => surface);
  if (concepts.length > 0) return [{ what: "facts", company, concepts, ...time, ...quarterly }];
  const item = SECTIONS.find(([, cue]) => cue.test(question))?.[0];
  if (item !== undefined) return [{ what: "section", company, item, ...time }];
  const form = formIn(question);
  if (form.form !== undefined || FILINGS.test(question)) return [{ what: "filings", company, ...form, ...time }];
  return [
    { what: "profile", company },
    { what: "facts", company, ...time },
  ];
}

function formIn(question: string): { form?: string } {
  const named = FORM.exec(question)?.[1]?.toUpperCase();
  const form = named ?? (ANNUAL_REPORT.test(question) ? "10-K" : QUARTERLY_REPORT.test(question) ? "10-Q" : undefined);
  return form === undefined ? {} : { form };
}

function yearsIn(question: string): number[] {
  const ranges = Array.from(question.matchAll(YEAR_RANGE), ([, from, to]) => [Number(from), Number(to)] as const);
  const between = ranges.flatMap(([from, to]) => Array.from({ length: Math.max(0, Math.min(to - from, MAX_YEARS)) }, (_, i) => to - i));
  const named = Array.from(question.matchAll(/(?<!\d)(?:19|20)\d{2}(?!\d)/g), ([year]) => Number(year));
  return [...new Set([...named, ...between])]
    .filter((year) => year >= FIRST_YEAR)
    .slice(0, MAX_YEARS)
    .toSorted();
}

const MAX_ASPECTS = 2;
const DAILY_UP_TO_MONTHS = 2;

export const akshareRule: ToolRule = (view) => {
  const question = view.question.normalize("NFKC");
  const symbols = symbolsIn(question);
  const companies = symbols.length > 0 ? symbols.map((symbol) => ({ symbol })) : namesIn(question, view).map((name) => ({ name }));
  const named = aspectsIn(question);
  const usual: Aspect[] =
    symbols.length > 0 ? ["profile", "quote"] : CUES.comparison.test(question) ? ["profile", "financials"] : ["profile"];
  const aspects = (named.length > 0 ? named : usual).slice(0, MAX_ASPECTS);
  return companies
    .slice(0, MAX_COMPANIES)
    .flatMap((company) => aspects.map((aspect) => ({ ...argumentsOf(aspect, question), ...company })));
};

const FULL_CODE = /(?<![\w.])(?:(?:sh|sz|bj)\d{6}|\d{6}\.(?:sh|ss|sz|bj)|hk\d{5}|\d{3,5}\.hk)(?!\w)/gi;
const SIX_DIGITS = /(?<![\w.,$¥€£+-])(?:60[0135]|68[89]|00[0-3]|30[0-2]|8[378]\d|92\d)\d{3}(?![\w%]|[.,]\w|\s*[元人万亿])/g;
const HONG_KONG_CODE = /(?<![\w.,$¥€£+-])0\d{4}(?![\w%]|[.,]\w)/g;

/** Digits without prefix or suffix count only in a question about shares, or if they are the whole question. */
function symbolsIn(question: string): string[] {
  const isAboutShares = [CUES.finance, CUES.common, /股|证券|代码|\bstocks?\b|\bshares?\b|\bticker\b|\blisted\b|^\W*\d+\W*$/i].some(
    (words) => words.test(question),
  );
  const bare = isAboutShares ? (question.match(SIX_DIGITS) ?? []) : [];
  const hongKong = isAboutShares && /港股|香港|Hong Kong|\bHK(?:EX)?\b/i.test(question) ? (question.match(HONG_KONG_CODE) ?? []) : [];
  return [...new Set([...(question.match(FULL_CODE) ?? []), ...bare, ...hongKong])];
}

function namesIn(question: string, { outcomes }: DecisionView): string[] {
  const american = knownCompaniesIn(question).filter(({ chinese }) => !chinese);
  const known = knownAskedFor(question, CUES.finance).filter(({ chinese }) => chinese);
  const isFound = (name: string): boolean =>
    outcomes.some(({ results, arguments: asked }) => results > 0 && JSON.stringify(asked).includes(JSON.stringify(name)));
  const unknown = latinNamesIn(question, CUES.finance).filter(({ surface }) => !isKnownTicker(surface) && !isFound(surface));
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

/** Returns the first and last day of the day, month or years in `text`. `months` is 0 for a single day. */
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
