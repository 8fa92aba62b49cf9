import { figuresIn } from "../../../domain/companies/figures.ts";

/** What a question can want to know of a listed company; each is an action of `akshare_search`. */
export type Aspect = "kline" | "quote" | "financials" | "announcements" | "news" | "profile";

const either = (english: string, chinese: string): string => String.raw`\b(?:${english})\b|${chinese}`;
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
  "revenues?|net (?:income|profits?|earnings|loss(?:es)?)|(?:operating|gross) (?:income|profits?|loss(?:es)?|margins?)|EPS|earnings (?:per share|reports?)|ROE|return on equity|total assets|balance sheets?|income statements?|cash flows?|financial (?:results|reports?|statements?|figures)|(?:annual|quarterly) reports?|10-[KQ]|20-F",
  "营业总?收入|营收|净利润?|毛利率|毛利润|营业利润|利润总额|财报|年报|季报|半年报|中报|每股(?:收益|净资产|盈利)|净资产|总资产|总负债|资产负债|现金流",
);
const COMPANY_FACT = "主营业务|经营范围|董事长|实际控制人|法人代表|注册资本|是?(?:一[家个])?什么(?:样的)?(?:公司|企业)";
const COMMON_FINANCES = either("earnings|financials?|profitable", "业绩|财务|赚钱|盈利|亏损|亏了");
const PROFILE = either("profile|overview|headquarter\\w*|chairman", "基本情况|基本信息|概况|简介|资料|总部|创始人|[成创]立于|员工人数");
const COMMON_FACT = either(
  "compan(?:y|ies)|corporation|business|incorporated|competitors|segments?|risks?|risk factors|lawsuits?|litigation|legal proceedings|shareholders?|filings?|SEC|EDGAR|CEO|(?:latest|recent) news|news (?:about|of|on)|tell me about|introduction to",
  "介绍|怎么样|做什么|业务|主营|风险|注册地|诉讼|上市|股东|申报|披露|公告|走势|[新近什么关的]新闻|美股|分析一下|^分析",
);
/** Figures that things other than companies have as well. */
const COMMON_FIGURE =
  /^(?:(?:total )?assets|(?:net )?sales|turnover|inventor.*|liabilities|profits?|number of shares|收入|利润|负债|存货|资产合计)$/i;

/** Words that only reports of companies use. */
export const REPORT_WORDS = matcher(REPORT);
/** Words that mark even an unknown name beside them as a company. */
export const FINANCE_WORDS = matcher(PAST_PRICE, PRICE, REPORT, COMPANY_FACT);
/** Words that ask for data of a company if the question names one. */
export const COMMON_WORDS = matcher(COMMON_FINANCES, COMPANY_FACT, PROFILE, COMMON_FACT);
export const COMPARISON = matcher(either("compar(?:e|es|ed|ison|ing)|versus|vs", "比较|对比|相比"));

/** Whether a text names a figure that only companies have. */
export function hasCompanyFigure(text: string): boolean {
  return figuresIn(text).some(({ surface }) => !COMMON_FIGURE.test(surface));
}

const ASPECT_WORDS: readonly (readonly [Aspect, RegExp])[] = [
  ["kline", matcher(PAST_PRICE, "走势")],
  ["quote", matcher(PRICE, either(String.raw`shares? trad\w+|trading at`, "行情|涨跌|成交[量额]|现价|最新价"))],
  ["financials", matcher(REPORT, COMMON_FINANCES)],
  ["announcements", matcher(either("(?:company|exchange) (?:announcement|disclosure)s?", "公告"))],
  ["news", matcher(either("news", "新闻|资讯"))],
  ["profile", matcher(PROFILE, COMPANY_FACT)],
];

/** The aspects that a question names, the more particular ones first. */
export function aspectsIn(text: string): Aspect[] {
  const hasFigure = figuresIn(text).length > 0;
  return ASPECT_WORDS.filter(([aspect, words]) => words.test(text) || (aspect === "financials" && hasFigure)).map(([aspect]) => aspect);
}
