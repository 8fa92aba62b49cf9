import { figuresIn } from "../../../domain/companies/figures.ts";
import { isKnownTicker, withoutOverlaps } from "../../../domain/companies/known-companies.ts";
import type { DecisionView } from "../../../domain/ports/analyst.ts";
import type { ToolCall } from "../../../domain/tool.ts";
import { keywords } from "../../../ranking/query-terms.ts";
import { isWhole, knownAskedFor, latinNamesIn, type Named } from "./company-names.ts";
import { REPORT_WORDS } from "./company-words.ts";

type Args = ToolCall["arguments"];

/** A comparison names two or three. */
const MAX_COMPANIES = 3;
const MAX_YEARS = 10;
const MAX_QUERY_WORDS = 8;
const FIRST_YEAR = 1993;
const YEAR_RANGE = /(?<!\d)((?:19|20)\d{2})年?\s*(?:to|through|until|and up to|-|–|—|~|至|到)\s*((?:19|20)\d{2})(?!\d)/g;

/** Chinese companies have exchanges of their own; here only what they file with the SEC is meant. */
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
/** "Which SEC filings mention ...": the words to look for in the full text of all filings. */
const FULL_TEXT =
  /(?:\b(?:SEC|EDGAR|10-[KQ]|20-F|8-K) (?:filings|documents|reports)\b|证监会文件|美股(?:公司)?公告).*?(?:\b(?:mention|contain|disclos|discuss|refer|speak|talk)\w*(?: (?:of|to|about))?|\babout|提到了?|提及|含有|披露)(.+)/i;

/**
 * Calls for each US company of a question: figures, an item of the annual report, the list of filings, or who it is.
 * Without a company only a question for filings that mention something is a cue.
 */
export function secEdgarRule({ question }: DecisionView): readonly Args[] {
  const companies = companiesAskedFor(question).slice(0, MAX_COMPANIES);
  if (companies.length > 0) return companies.flatMap((company) => callsFor(question, company));
  const words = keywords(FULL_TEXT.exec(question)?.[1] ?? "").slice(0, MAX_QUERY_WORDS);
  return words.length === 0 ? [] : [{ what: "search", query: words.join(" "), ...formIn(question) }];
}

/** The companies as the question names them, in reading order. */
function companiesAskedFor(question: string): string[] {
  const known = knownAskedFor(question, REPORT_WORDS).filter(({ chinese }) => !chinese || US_MARKET.test(question));
  const unknown = latinNamesIn(question, REPORT_WORDS);
  const coded = [CIK, LABELED_TICKER, DOLLAR_TICKER].flatMap((code) =>
    Array.from(question.matchAll(code), ({ 0: surface, index }): Named => ({ surface, index })),
  );
  // $PATH is a variable, and the ticker of a company.
  const meant = coded.filter(
    ({ surface }) =>
      !surface.startsWith("$") || isKnownTicker(surface.slice(1)) || REPORT_WORDS.test(question) || isWhole(question, surface),
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

/** The kind of filing, by its name or by what people call it. */
function formIn(question: string): { form?: string } {
  const named = FORM.exec(question)?.[1]?.toUpperCase();
  const form = named ?? (ANNUAL_REPORT.test(question) ? "10-K" : QUARTERLY_REPORT.test(question) ? "10-Q" : undefined);
  return form === undefined ? {} : { form };
}

/** Years that are named, and those between two that bound a range. */
function yearsIn(question: string): number[] {
  const ranges = Array.from(question.matchAll(YEAR_RANGE), ([, from, to]) => [Number(from), Number(to)] as const);
  const between = ranges.flatMap(([from, to]) => Array.from({ length: Math.max(0, Math.min(to - from, MAX_YEARS)) }, (_, i) => to - i));
  const named = Array.from(question.matchAll(/(?<!\d)(?:19|20)\d{2}(?!\d)/g), ([year]) => Number(year));
  return [...new Set([...named, ...between])]
    .filter((year) => year >= FIRST_YEAR)
    .slice(0, MAX_YEARS)
    .toSorted();
}
