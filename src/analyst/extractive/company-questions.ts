import { type CompanyMention, FIGURES, figuresIn, knownCompaniesIn, withoutOverlaps } from "../../domain/companies.ts";
import { alternatives } from "../../util/alternatives.ts";

export type Aspect = "kline" | "quote" | "financials" | "announcements" | "news" | "profile";

const either = (english: string, chinese: string): string => String.raw`\b(?:${alternatives(english)})\b|${alternatives(chinese)}`;
const matcher = (...words: readonly string[]): RegExp => new RegExp(words.join("|"), "i");

const PAST_PRICE = either(
  "k-?lines?|candlesticks?|clos(?:ed at|ing price)|opening price|price history|historical (?:stock |share )?prices?",
  String.raw`k\s?线|[日周月]线|历史(?:股价|行情|价格)|[收开]盘价`,
);
const PRICE = either(
  String.raw`(?:stock|share)s? (?:price|quote)s?|market (?:cap|capitali[sz]ation|value)|P\/?E ratio`,
  "股价|股票价格|市值|市盈率|市净率|换手率",
);
const REPORT = either(
  `
    revenues?|net (?:income|profits?|earnings|loss(?:es)?)|(?:operating|gross) (?:income|profits?|loss(?:es)?|margins?)
    EPS|earnings (?:per share|reports?)|ROE|return on equity|total assets|balance sheets?|income statements?|cash flows?
    financial (?:results|reports?|statements?|figures)|(?:annual|quarterly) reports?|10-[KQ]|20-F`,
  `
    营业总?收入|营收|净利润?|毛利率|毛利润|营业利润|利润总额|财报|年报|季报|半年报|中报
    每股(?:收益|净资产|盈利)|净资产|总资产|总负债|资产负债|现金流`,
);
const COMPANY_FACT = "主营业务|经营范围|董事长|实际控制人|法人代表|注册资本|是?(?:一[家个])?什么(?:样的)?(?:公司|企业)";
const COMMON_FINANCES = either("earnings|financials?|profitable", "业绩|财务|赚钱|盈利|亏损|亏了");
const PROFILE = either("profile|overview|headquarter\\w*|chairman", "基本情况|基本信息|概况|简介|资料|总部|创始人|[成创]立于|员工人数");
const COMMON_FACT = either(
  `
    compan(?:y|ies)|corporation|business|incorporated|competitors|segments?|risks?|risk factors|lawsuits?|litigation
    legal proceedings|shareholders?|filings?|SEC|EDGAR|CEO|(?:latest|recent) news|news (?:about|of|on)|tell me about
    introduction to`,
  "介绍|怎么样|做什么|业务|主营|风险|注册地|诉讼|上市|股东|申报|披露|公告|走势|[新近什么关的]新闻|美股|分析一下|^分析",
);
const COMMON_FIGURE =
  /^(?:(?:total )?assets|(?:net )?sales|turnover|inventor.*|liabilities|profits?|number of shares|收入|利润|负债|存货|资产合计)$/i;

export const CUES = {
  report: matcher(REPORT),
  /** An unknown name beside one of these words is a company. */
  finance: matcher(PAST_PRICE, PRICE, REPORT, COMPANY_FACT),
  /** With one of these words, a question that names a company asks for company data. */
  common: matcher(COMMON_FINANCES, COMPANY_FACT, PROFILE, COMMON_FACT),
  comparison: matcher(either("compar(?:e|es|ed|ison|ing)|versus|vs", "比较|对比|相比")),
};

const ASPECT_WORDS: readonly (readonly [Aspect, RegExp])[] = [
  ["kline", matcher(PAST_PRICE, "走势")],
  ["quote", matcher(PRICE, either(String.raw`shares? trad\w+|trading at`, "行情|涨跌|成交[量额]|现价|最新价"))],
  ["financials", matcher(REPORT, COMMON_FINANCES)],
  ["announcements", matcher(either("(?:company|exchange) (?:announcement|disclosure)s?", "公告"))],
  ["news", matcher(either("news", "新闻|资讯"))],
  ["profile", matcher(PROFILE, COMPANY_FACT)],
];

export function aspectsIn(text: string): Aspect[] {
  const hasFigure = figuresIn(text).length > 0;
  return ASPECT_WORDS.filter(([aspect, words]) => words.test(text) || (aspect === "financials" && hasFigure)).map(([aspect]) => aspect);
}

export type Named = Pick<CompanyMention, "surface" | "index">;

/** Returns the known companies that the question asks about. `sure` matches words of finance, such as "revenue". */
export function knownAskedFor(question: string, sure: RegExp): CompanyMention[] {
  const known = knownCompaniesIn(question);
  const standing = known.filter((mention) => standsAlone(question, mention));
  switch (cueIn(question, sure)) {
    case "sure":
      // The first word of a question has a capital letter, so "Target" in "Target audience" is no company.
      return known.filter((one) => standing.includes(one) || !one.ordinary || one.index > 0 || !/^ \p{Ll}/u.test(after(question, one)));
    case "common":
      return standing;
    case "comparison":
      return standing.filter(({ ordinary }) => !ordinary || standing.length > 1);
    case "none":
      return known.filter(({ surface }) => isWhole(question, surface));
  }
}

const HOW_TO = /^\s*(?:how (?:to|do (?:i|we)|can (?:i|we)|should (?:i|we))\b|(?:如何|怎样|怎么)(?:在|用|使用))/i;

function cueIn(question: string, sure: RegExp): "sure" | "common" | "comparison" | "none" {
  if (sure.test(question) || figuresIn(question).some(({ surface }) => !COMMON_FIGURE.test(surface))) return "sure";
  if (HOW_TO.test(question)) return "none";
  if (CUES.common.test(question) || figuresIn(question).length > 0) return "common";
  return CUES.comparison.test(question) ? "comparison" : "none";
}

export function isWhole(question: string, name: string): boolean {
  return question.trim().replace(/[?？。.!！]+$/, "") === name.replace(/[.]$/, "");
}

const NEIGHBORHOOD = 40;

function after(question: string, { index, surface }: Named): string {
  return question.slice(index + surface.length).slice(0, NEIGHBORHOOD);
}

const NO_NOUN_FOLLOWS = new RegExp(
  alternatives(String.raw`
    ^['’]s?\b
    ^\s*(?:$|\d|[^\p{L}\p{N}\s-]|[和与跟及还是的在有比]|[最今去近])
    ^\s*(?:and|or|vs|versus|with|to|in|for|from|has|had|have|is|was|does|did|do|makes?|made|earn\w*|report(?:s|ed)?|files?|filed)\b`),
  "iu",
);
const ADJECTIVES = /^\s*(?:(?:total|annual|yearly|full|latest|last|recent|current|gross|operating|fiscal|quarterly)\s+)*/i;

/** Returns false for parts of longer names, such as "Amazon rainforest", "Nikola Tesla" or 苹果手机. */
function standsAlone(question: string, mention: Named): boolean {
  if (/·$|\S\s+\p{Lu}\p{Ll}+\s+$/u.test(question.slice(0, mention.index).slice(-NEIGHBORHOOD))) return false;
  const rest = after(question, mention);
  const next = rest.replace(ADJECTIVES, "");
  return (
    NO_NOUN_FOLLOWS.test(rest) ||
    [CUES.finance, CUES.common, ...FIGURES.map(({ words }) => words)].some((words) => next.search(words) === 0)
  );
}

const WORD = String.raw`\p{Lu}[\p{sc=Latin}\p{N}&'’.\-]*`;
const NAME = String.raw`(?<![\p{sc=Latin}\p{N}.$\-])${WORD}(?:\s+${WORD}){0,3}`;
const LIST = String.raw`${NAME}(?:(?:,|,?\s+(?:and|or|vs\.?|versus)|\s*[和与、])\s*${NAME}){0,3}`;
const BETWEEN = String.raw`(?:\s|的|(?:19|20)\d\d年?|(?:total|annual|latest|last|recent|current|quarterly|fiscal|diluted|Q[1-4]|FY)\b)*`;
const LEGAL_FORM = String.raw`(?:Inc|Corp|Corporation|Incorporated|LLC|Ltd|Limited|plc|N\.V|Holdings|Technologies)\b`;
const ASKING_WORD = alternatives(`
  A|An|And|Are|As|At|Calculate|Compare|Define|Did|Differences?|Do|Does|Explain|Find|For|From|Give|How|In|Is|List|Of|On|Please
  Show|Summari[sz]e|Tell|The|To|Was|Were|What|When|Where|Which|Who|Whose|Why`);
const ASKING = new RegExp(String.raw`^(?:(?:${ASKING_WORD})(?:['’]s)?(?:\s+|$))+`);
const OTHER_NAMES = alternatives(String.raw`
  AI|API|EPS|ROE|SEC|CEO|CFO|GAAP|IFRS|GDP|EU|FIFA|IMF|IPCC|NASA|NATO|OECD|UK|UN|UNESCO|US|USA|WHO|WTO|FY|Q[1-4]
  (?:HK|SH|SZ|BJ)\d+|Africa|America|Asia|Brazil|Britain|Canada|China|England|Europe|France|Germany|Hong Kong|India|Italy
  Japan|Korea|Mexico|Russia|Spain|Taiwan|Gross|Net|Operating|Total|Annual`);
const NO_COMPANY = new RegExp(`^(?:${OTHER_NAMES})$`);

/** A private-use character that replaces finance words, so that they are not read as parts of names. */
const MARK = "\uE000";

/** Finds unknown Latin names with a legal form (Zorbium Inc) or beside a finance word (Zorbium's revenue). */
export function latinNamesIn(question: string, sure: RegExp): Named[] {
  // V8 13.6 sometimes misses matches of (?i:...) groups, so no pattern uses them.
  const marked = question.replaceAll(new RegExp(sure, "gi"), (words) => MARK.repeat(words.length));
  const patterns = [
    `(${LIST})(?=${BETWEEN}${MARK})`,
    String.raw`${MARK}(?:\s+(?:of|for|did|does|has|by|between)|[,:])\s+(${LIST})`,
    ...(cueIn(question, sure) === "none" ? [] : [String.raw`(${NAME},?\s+${LEGAL_FORM})`]),
  ];
  const lists = patterns.flatMap((pattern) => Array.from(marked.matchAll(new RegExp(pattern, "gu"))));
  const named = lists.flatMap(({ 0: match, 1: list = "", index }) => namesInList(list, index + match.lastIndexOf(list)));
  const known = knownCompaniesIn(question);
  return withoutOverlaps<Named>([...known, ...named]).slice(known.length);
}

function namesInList(list: string, start: number): Named[] {
  return Array.from(list.matchAll(new RegExp(NAME, "gu")), ({ 0: run, index }) => {
    const name = run.replace(ASKING, "");
    return { surface: name.replace(/\s+(?:Q[1-4]|FY\d*)$|['’]s?$|[.,]$/, ""), index: start + index + run.length - name.length };
  }).filter(({ surface }) => surface.length > 1 && !NO_COMPANY.test(surface));
}

const TIME = new RegExp(
  alternatives(String.raw`
    (?:[至到~-]\s*)?(?:19|20)\d\d(?:\s*[-/年]\s*\d{1,2}(?:\s*[-/月]\s*\d{1,2})?)?\s*[年度月日号]*
    第?[一二三四1-4]季度|前三季度|[上下]半年|[最过]?[近去][一二三四五六七八九十两几\d]*年?|[今前全财]年|年度
    最新|目前|当前|现在|至今`),
  "g",
);
const FRAME = new RegExp(
  alternatives(`
    请问|请|帮我|给我|告诉我|查询|查一?下?|列出|看看|了解|关于|一下|分析|比较|对比|计算|评价|预测|阅读
    为什么|什么|如何|怎么|怎样|哪[个家些]|谁|多少|分别|A股|港股|美股|[的是在]`),
  "g",
);
const GENERIC = new RegExp(
  alternatives(`
    ^(?:上市|本|该|这家|我们|一[家个]|某)?(?:公司|集团|企业|股份|银行|证券)$
    (?:行业|产业|市场|板块|指数|大盘|企业|黄金|原油|汇率|比特币)$`),
);
const PIECE = String.raw`[\p{sc=Han}A-Za-z0-9*·]{2,20}`;
const BESIDE = new RegExp(`(?:${PIECE}&){0,3}${PIECE}(?=[|\\s]*#)`, "gu");
const WITH_LEGAL_FORM = new RegExp(String.raw`${PIECE}(?:公司|集团|股份|控股|银行|证券)(?!\p{sc=Han})`, "gu");

/** Finds unknown Chinese names with a legal form (深度求索公司) or directly before a finance word (杭氧2023年的营收). */
export function chineseNamesIn(question: string): Named[] {
  const marked = question
    .replaceAll(new RegExp(CUES.finance, "gi"), "#")
    .replaceAll(new RegExp(CUES.common, "gi"), "|")
    .replaceAll(TIME, "|")
    .replaceAll(FRAME, "|")
    .replaceAll(/还是|以及|\s?\b(?:vs|and)\b\.?\s?|[和与跟及、]/g, "&");
  const isAsked = marked.includes("#") || CUES.common.test(question) || CUES.comparison.test(question);
  const formal = (marked.match(WITH_LEGAL_FORM) ?? []).filter((name) => isAsked || isWhole(question, name));
  const beside = (marked.match(BESIDE) ?? []).flatMap((list) => list.split("&"));
  return [...formal, ...beside]
    .filter((name) => /\p{sc=Han}{2}/u.test(name) && !GENERIC.test(name))
    .map((surface) => ({ surface, index: question.indexOf(surface) }));
}
