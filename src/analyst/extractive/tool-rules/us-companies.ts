import { soundsChinese } from "../../../domain/companies/chinese-name.ts";
import { figuresIn } from "../../../domain/companies/figures.ts";
import { type CompanyMention, isKnownTicker, knownCompaniesIn } from "../../../domain/companies/known-companies.ts";

/** What filings tell of a company; its name alone is no reason to look there. */
const MATTER =
  /\b(?:10-[KQ]|20-F|40-F|8-K|6-K|DEF 14A|SEC|EDGAR|XBRL|filings?|annual reports?|quarterly reports?|earnings|financials?|balance sheet|income statement|cash flows?|fiscal|shareholders?|compan(?:y|ies)|corporation|Inc|business|segments?|profile|overview|risks?|risk factors?|headquarter\w*|incorporated|lawsuits?|litigation|legal proceedings|MD&A)\b|财报|年报|季报|业绩|财务|上市|基本情况|概况|简介|业务|主营|风险|申报|披露|美股|总部|注册地|诉讼|情况|介绍|分析|怎么样|做什么|什么样的(?:公司|企业)|什么(?:公司|企业)/i;
/** Two things are held against each other; companies, where they are named without a product. */
const COMPARISON = /\b(?:compar(?:e|es|ed|ison|ing)|versus|vs)\b|比较|对比|相比/i;
/** Who asks how to do something wants no figures. */
const INSTRUCTION = /^\s*how (?:to|do (?:i|we)|can (?:i|we)|should (?:i|we))\b|^\s*(?:如何|怎样|怎么)/i;
/** Chinese companies have their own exchanges and tools; here only what they file with the SEC is meant. */
const SEC_MATTER = /\b(?:SEC|EDGAR|20-F|6-K|NYSE|Nasdaq|ADR)\b|美股|纽交所|纳斯达克|美国证监会/i;

const DOLLAR_TICKER = /(?<![\w$])\$([A-Za-z]{1,5}(?:[.-][A-Za-z])?)(?![\w$])/g;
const CIK = /\bCIK[\s:#]*(\d{1,10})\b/gi;
const LABELLED_TICKER = /\b(?:ticker(?: symbol)?|NYSE|NASDAQ|Nasdaq)[\s:]+([A-Z]{1,5}(?:[.-][A-Z])?)\b/g;
/** A ticker beside what is asked of it: "TSLA revenue", "revenue of TSLA", "TSLA's 10-K". */
const BARE_TICKER = /(?<![\w$.-])([A-Z]{2,5}(?:[.-][A-Z])?)(?![\w-])/g;
/** Words in capitals that are no tickers, or hardly ever meant as such. */
const NO_TICKERS = new Set(
  "AI API BYD CATL CEO CFO CIK COO CTO CPU CSV DJI DNA EBIT EDGAR EPS ESG ETF EU FAQ FY GAAP GDP GPU HTML HTTP ICBC IFRS IPO IT JSON LLM MD MDA NASDAQ NYSE OK PDF PE QA RD ROA ROE SDK SEC SMIC SQL SSE TCL TTM UK UN URL US USA USD USSR VC VS WHO WTO XBRL XML YOY ZTE".split(
    " ",
  ),
);
/** A name that says by its form that it is a company's. */
const FORMAL_NAME = /\b((?:[A-Z][\w&'’.-]*\s+){1,4}(?:Inc|Corp|Corporation|Incorporated|LLC|Ltd|plc|N\.V|Holdings|Technologies))\b\.?/g;
/** "Palantir's net income": whose figure it is. */
const POSSESSOR =
  /\b((?:[A-Z][\w&.-]*\s+){0,2}[A-Z][\w&.-]*)['’]s?\s+(?:\d{4}\s+)?(?:\w+\s+)?(?=net income|net profit|earnings per share|EPS\b|10-[KQ]\b|annual report|total assets|operating income|gross profit)/g;
/** Places have incomes, too. */
const PLACES =
  /^(?:America|Africa|Asia|Australia|Brazil|Britain|Canada|China|England|Europe|France|Germany|Hong Kong|India|Indonesia|Italy|Japan|Korea|Mexico|Russia|Singapore|Spain|Switzerland|Taiwan|UK|US|USA|What|Which|Who)$/;

/** The US companies that a question asks about, as it names them, in reading order; none where nothing of their filings is asked. */
export function companiesAskedFor(question: string): string[] {
  const certain = [...matches(question, DOLLAR_TICKER, "$"), ...matches(question, CIK, "CIK ")];
  const known = knownCompaniesIn(question).filter((mention) => isMeant(mention, question));
  const alone = nothingBut(question, known);
  if (alone !== null) return [alone];
  if (certain.length === 0 && !asksForMatter(question)) return [];
  const named = [...certain, ...known.map((mention) => wholeName(mention, question)), ...matches(question, LABELLED_TICKER)];
  // Moutai's net profit is asked for elsewhere.
  const possessors = matches(question, POSSESSOR).filter(({ name }) => !soundsChinese(name));
  const others = [...matches(question, FORMAL_NAME), ...possessors].filter(({ name }) => !PLACES.test(name));
  const apart = others.filter((other) => !named.some((one) => overlaps(one, other)));
  // Beside names, capitals are more likely to be a name of somewhere else than a ticker: BYD is another company in New York.
  const all = named.length + apart.length > 0 ? [...named, ...apart] : tickersIn(question);
  return [...new Set(all.sort((a, b) => a.index - b.index).map(({ name }) => name))];
}

/** A company's name or ticker that is the whole question. */
function nothingBut(question: string, known: readonly CompanyMention[]): string | null {
  const text = question.trim().replace(/[?？。.!！]+$/, "");
  if (isKnownTicker(text)) return text;
  const [only] = known;
  return known.length === 1 && only?.surface === text ? text : null;
}

function asksForMatter(question: string): boolean {
  if (figuresIn(question).length > 0) return true;
  return (MATTER.test(question) || COMPARISON.test(question)) && !INSTRUCTION.test(question);
}

interface Named {
  readonly index: number;
  readonly name: string;
}

function matches(question: string, pattern: RegExp, prefix = ""): Named[] {
  return Array.from(question.matchAll(pattern), ({ 1: name = "", index }) => ({ index, name: `${prefix}${name}` }));
}

/** A product follows its maker: where two are only compared, Google Docs is not Google. */
function isMeant({ chinese, index, surface, ordinary }: CompanyMention, question: string): boolean {
  if (chinese) return SEC_MATTER.test(question);
  const rest = question.slice(index + surface.length);
  // "Target audience": the first word owes its capital to the sentence, and is half of another name.
  if (ordinary && question.slice(0, index).trim() === "" && !goesOnWithMatter(rest)) return false;
  const product = /^\s+[A-Z][a-z]/.test(rest);
  return !product || MATTER.test(question) || figuresIn(question).length > 0;
}

const LINK =
  /^(?!\s+[a-z])|^\s+(?:and|or|vs|versus|compared|has|had|have|is|was|does|did|in|for|with|report(?:s|ed)?|made|makes?|earn\w*|stock|shares?)\b/;
const ADJECTIVES = /^\s+(?:(?:total|annual|yearly|full|latest|last|recent|current|gross|operating|fiscal|quarterly)\s+)*/;

/** Whether what follows a name is what can be asked of a company, or no noun at all. */
function goesOnWithMatter(rest: string): boolean {
  if (LINK.test(rest)) return true;
  const next = rest.replace(ADJECTIVES, "").split(/\s+/, 2).join(" ");
  return MATTER.exec(next)?.index === 0 || figuresIn(next).some(({ surface }) => next.startsWith(surface));
}

/** "Apple Hospitality" is not Apple: what goes on with a capital is the name, unless it is what is asked for. */
function wholeName({ surface, index, ordinary }: CompanyMention, question: string): Named {
  const more = ordinary ? /^\s+[A-Z][a-z][\w&-]*(?:\s+[A-Z][\w&-]*)*/.exec(question.slice(index + surface.length))?.[0] : undefined;
  const isName = more !== undefined && !MATTER.test(more) && figuresIn(more).length === 0;
  return { index, name: isName ? `${surface}${more}` : surface };
}

function tickersIn(question: string): Named[] {
  return matches(question, BARE_TICKER).filter(({ name }) => !NO_TICKERS.has(name));
}

function overlaps(a: Named, b: Named): boolean {
  return a.index < b.index + b.name.length && b.index < a.index + a.name.length;
}
