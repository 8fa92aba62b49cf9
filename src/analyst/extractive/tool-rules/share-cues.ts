/** What can be wanted of a listed company; the actions of `akshare_search` but the search for its code. */
export type Aspect = "financials" | "kline" | "quote" | "announcements" | "news" | "profile";

/** A question about listed companies, as the rules read it. */
export interface ShareQuestion {
  readonly companies: readonly ({ readonly symbol: string } | { readonly name: string })[];
  readonly aspects: readonly Aspect[];
  /** Days, both included, and how many months they are; 0 for one day. */
  readonly range: { readonly start: string; readonly end: string; readonly months: number } | null;
  /** Whether parts of a year are asked for. */
  readonly quarterly: boolean;
}

/** The words that ask for an aspect, the more particular aspect first. */
export const ASPECTS: readonly { readonly aspect: Aspect; readonly words: RegExp }[] = [
  {
    aspect: "kline",
    words:
      /k\s?线|日线|周线|月线|走势|历史(?:股价|行情|价格)|收盘价|开盘价|\bk-?lines?\b|\bcandlesticks?\b|\bclos(?:ed|ing)(?: price)?\b|\bopening price\b|\bprice history\b|\bhistorical (?:stock |share )?prices?\b/i,
  },
  {
    aspect: "quote",
    words:
      /股价|股票价格|市值|市盈率|市净率|现价|最新价|行情|涨跌|成交[量额]|换手率|\b(?:stock|share)s? (?:price|quote)s?\b|\bmarket (?:cap|capitali[sz]ation|value)\b|\bshares? trad\w+\b|\btrading at\b|\bP\/?E ratio\b/i,
  },
  {
    aspect: "financials",
    words:
      /营业总?收入|营收|净利润?|[更最]赚钱|[更最]能?盈利|毛利率?|营业利润|利润总额|财报|年报|季报|半年报|中报|业绩|财务|每股(?:收益|净资产|盈利)|净资产|总资产|总负债|资产负债|现金流|\bROE\b|\brevenues?\b|\bnet (?:income|profits?)\b|\b(?:more|most) profitable\b|\bgross (?:profit|margin)s?\b|\boperating (?:profit|income)\b|\bearnings\b|\bEPS\b|\bannual reports?\b|\bfinancial (?:results|reports?|statements?|figures)\b|\bbalance sheet\b|\btotal assets\b|\bcash flows?\b|\breturn on equity\b/i,
  },
  { aspect: "announcements", words: /公告|\b(?:company|stock exchange|exchange) (?:announcement|disclosure)s?\b/i },
  { aspect: "news", words: /新闻|资讯|\bnews\b/i },
  {
    aspect: "profile",
    words:
      /基本情况|概况|简介|基本信息|公司资料|公司介绍|主营业务|经营范围|董事长|实际控制人|法人代表|员工人数|注册资本|成立于|创立于|创始人|上市(?:时间|日期)|什么样的(?:公司|企业)|什么(?:公司|企业)|\b(?:company )?profile\b|\boverview\b|\bchairman\b|\bheadquarter\w*\b|\bmain business\b/i,
  },
];

/** Aspects that only companies have, most of them listed ones. */
export const STRONG: ReadonlySet<Aspect> = new Set(["kline", "quote", "financials", "announcements"]);

/** What has revenues and earnings, too, and is no company. */
export const NO_COMPANIES =
  /\b(?:films?|movies?|box office|books?|novels?|songs?|albums?|tours?|games?|series|episodes?|clubs?|teams?|universit(?:y|ies)|governments?|countr(?:y|ies)|cit(?:y|ies)|famil(?:y|ies)|households?|farmers?)\b/i;
