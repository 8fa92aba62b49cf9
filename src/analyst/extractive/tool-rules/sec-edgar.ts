import { figuresIn } from "../../../domain/companies/figures.ts";
import type { DecisionView } from "../../../domain/ports/analyst.ts";
import type { ToolCall } from "../../../domain/tool.ts";
import { keywords } from "../../../ranking/keywords.ts";
import { companiesAskedFor } from "./us-companies.ts";

type Args = ToolCall["arguments"];

/** A comparison names two or three. */
const MAX_COMPANIES = 3;
const MAX_CALLS = 6;
const MAX_YEARS = 10;
const MAX_QUERY_WORDS = 8;
const YEAR_RANGE = /(?<!\d)((?:19|20)\d{2})年?\s*(?:to|through|until|and up to|-|–|—|~|至|到)\s*((?:19|20)\d{2})(?!\d)/g;
const FIRST_YEAR = 1993;

const FORM = /\b(10-[KQ]|20-F|40-F|8-K|6-K|DEF 14A|S-1|13F-HR)\b/i;
const QUARTERLY = /\bquarter(?:s|ly)?\b|\bQ[1-4]\b|季度|季报/i;
const OVERVIEW =
  /\b(?:compan(?:y|ies) (?:profile|overview|information)|profile|overview|headquarter\w*|incorporated)\b|基本情况|概况|简介|公司介绍|公司资料|总部|注册地/i;
const FINANCES =
  /\b(?:financials?|financial (?:statements?|results?|performance|position|data)|earnings|balance sheet|income statement)\b|财报|业绩|财务|利润表|资产负债表/i;
const FILINGS = /\b(?:filings?|filed|annual reports?|quarterly reports?|SEC|EDGAR)\b|申报|披露文件|年报|季报/i;
const SECTIONS: readonly (readonly [item: string, cue: RegExp])[] = [
  ["1A", /\brisk(?:s| factors?)?\b|风险/i],
  ["1", /\b(?:business|products|segments|competit(?:ors|ion|ive))\b|业务|主营|产品/i],
  ["3", /\b(?:lawsuits?|legal proceedings|litigation)\b|诉讼/i],
  ["7", /\bMD&A|management['’]s discussion|管理层讨论/i],
];
/** Words that ask for filings in general; what they speak of is looked for in the full text. */
const FULL_TEXT =
  /\b(?:SEC|EDGAR) (?:filings|documents|reports)\b|\b(?:10-[KQ]|20-F|8-K) (?:filings|reports)\b|(?:美国)?证监会文件|美股(?:公司)?公告/i;
const TELLING = /\b(?:mention\w*|contain\w*|speak|talk|refer\w*|disclos\w*|discuss\w*|about)\b|提到|提及|含有|披露/i;
const FULL_TEXT_FRAME =
  /\b(?:SEC|EDGAR|filings?|documents?|reports?|mention(?:s|ed|ing)?|speak of|talk about|contain(?:s|ing)?|refer(?:s|ring)?|disclos(?:e|es|ing)|discuss(?:es|ing)?|10-[KQ]|20-F|8-K)\b|提到|提及|含有|披露|文件|公告/gi;

/**
 * Calls for US companies that a question names together with something their filings tell: figures, an item of the annual
 * report, the list of filings, or who they are. Without a company only a question for filings themselves is a cue.
 */
export function secEdgarRule({ question }: DecisionView): readonly Args[] {
  const companies = companiesAskedFor(question).slice(0, MAX_COMPANIES);
  if (companies.length === 0) return FULL_TEXT.test(question) && TELLING.test(question) ? searchCalls(question) : [];
  return companies.flatMap((company) => callsFor(question, company)).slice(0, MAX_CALLS);
}

function callsFor(question: string, company: string): Args[] {
  const years = yearsIn(question);
  const time = years.length > 0 ? { years } : {};
  const quarterly = QUARTERLY.test(question) ? { quarterly: true } : {};
  const concepts = figuresIn(question).map(({ surface }) => surface);
  if (concepts.length > 0) return [{ what: "facts", company, concepts, ...time, ...quarterly }];
  const section = SECTIONS.find(([, cue]) => cue.test(question));
  if (section !== undefined) return [{ what: "section", company, item: section[0], ...time }];
  if (FINANCES.test(question)) return [{ what: "facts", company, ...time, ...quarterly }];
  const form = formIn(question);
  if (form !== undefined || (FILINGS.test(question) && !OVERVIEW.test(question)))
    return [{ what: "filings", company, ...(form !== undefined && { form }), ...time }];
  return [
    { what: "profile", company },
    { what: "facts", company, ...time },
  ];
}

function searchCalls(question: string): Args[] {
  const words = keywords(question.replaceAll(FULL_TEXT_FRAME, " ")).slice(0, MAX_QUERY_WORDS);
  const form = formIn(question);
  return words.length === 0 ? [] : [{ what: "search", query: words.join(" "), ...(form !== undefined && { form }) }];
}

/** By its name or by what people call it. */
function formIn(question: string): string | undefined {
  const named = FORM.exec(question)?.[1]?.toUpperCase();
  if (named !== undefined) return named;
  return /\bannual reports?\b|年报|年度报告/i.test(question)
    ? "10-K"
    : /\bquarterly reports?\b|季报|季度报告/i.test(question)
      ? "10-Q"
      : undefined;
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
