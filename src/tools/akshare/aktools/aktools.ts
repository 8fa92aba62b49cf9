import type { CallContext, HttpFetch } from "../../../domain/ports/sources.ts";
import { HONG_KONG_REPORT } from "../eastmoney/reports.ts";
import { dayOf, figureOf, isWithin } from "../figures.ts";
import type { KlineRequest, MarketData, Security, Statement, Told } from "../market-data.ts";
import { plainName } from "../plain-name.ts";
import { readSymbol } from "../symbol.ts";
import { type AktoolsClient, createAktoolsClient, type TableRow } from "./client.ts";
import { abstractOf, articlesOf, columnsOf, itemsOf, klinesOf, textOf } from "./tables.ts";

const INFO_UNITS = { 最新: "元", 总市值: "元", 流通市值: "元", 总股本: "股", 流通股: "股" };
const NEWS = { title: "新闻标题", url: "新闻链接", date: "发布时间", from: "文章来源", excerpt: "新闻内容" };
const ANNOUNCEMENTS = { title: "公告标题", url: "公告链接", date: "公告时间" };
const SHOWN = 20;
const REPORTS = 5;
/** Days that hold at least one on which there was trade. */
const RECENT_DAYS = 20;

/** akshare behind the operator's AKTools. `clock` gives milliseconds since 1970: some functions date nothing. */
export function createAktools(fetch: HttpFetch, clock: () => number): MarketData {
  const client = createAktoolsClient(fetch);
  return {
    title: "AKTools",
    find: (name, context) => find(client, name, context),
    profile: (security, context) => profile(client, security, context),
    quote: (security, context) => quote(client, security, clock(), context),
    klines: (security, request, context) => klines(client, security, request, clock(), context),
    async financials(security, request, context) {
      if (security.market === "hk") return hongKongFinancials(client, security, request, context);
      const rows = await client.rows("stock_financial_abstract", { symbol: security.code }, context);
      return { name: security.name, rows: abstractOf(rows, request, "stock_financial_abstract") };
    },
    async news(security, context) {
      const rows = await client.rows("stock_news_em", { symbol: security.code }, context);
      return { name: security.name, rows: articlesOf(rows, "stock_news_em", NEWS).slice(0, SHOWN) };
    },
    async announcements(security, { start, end }, context) {
      const name = "stock_zh_a_disclosure_report_cninfo";
      const market = security.market === "hk" ? "港股" : "沪深京";
      const range = { start_date: compact(start ?? isoDay(clock() - 365 * 86_400_000)), end_date: compact(end ?? isoDay(clock())) };
      const rows = await client.rows(name, { symbol: security.code, market, ...range }, context);
      const spoken = textOf(rows[0]?.["简称"]);
      return { name: security.name ?? (spoken || null), rows: articlesOf(rows, name, ANNOUNCEMENTS).slice(0, SHOWN) };
    },
  };
}

/** Only mainland shares and only by their short names: that is all the one list that akshare has quickly tells. */
async function find(client: AktoolsClient, name: string, context: CallContext): Promise<Security[]> {
  const asked = plainName(name);
  // The list takes long to make, and no Latin name alone stands in it.
  if (!/\p{sc=Han}|^\d{6}$/u.test(asked)) return [];
  const rows = await client.rows("stock_info_a_code_name", {}, context);
  const found = rows.flatMap((row): Security[] => {
    const share = readSymbol(textOf(row["code"]));
    const known = plainName(textOf(row["name"]));
    return share === null || known === "" || !(known.includes(asked) || asked.includes(known) || share.code === asked)
      ? []
      : [{ ...share, name: textOf(row["name"]) }];
  });
  const closeness = ({ name: known }: Security): number => Math.abs(plainName(known ?? "").length - asked.length);
  return found.toSorted((a, b) => closeness(a) - closeness(b)).slice(0, 10);
}

async function profile(client: AktoolsClient, { code, market, name }: Security, context: CallContext): Promise<Told<Statement>> {
  const called = market === "hk" ? "stock_hk_company_profile_em" : "stock_profile_cninfo";
  const rows = await client.rows(called, { symbol: code }, context);
  const spoken = textOf(rows[0]?.["A股简称"]);
  return {
    name: name ?? (spoken || null),
    rows: rows.slice(0, 1).flatMap((row) => columnsOf(row, called, ["联系电话", "传真", "邮政编码"])),
  };
}

/** The newest day of trade, and on the mainland the market values, which their function dates to when it is asked. */
async function quote(client: AktoolsClient, security: Security, now: number, context: CallContext): Promise<Told<Statement>> {
  const range = { start: isoDay(now - RECENT_DAYS * 86_400_000), end: isoDay(now) };
  const told = await klines(client, security, { period: "daily", adjust: "none", ...range }, now, context);
  const newest = told.rows.slice(-1);
  if (security.market === "hk") return { name: security.name, rows: newest };
  const info = await client.rows("stock_individual_info_em", { symbol: security.code }, context);
  const spoken = textOf(info.find(({ item }) => item === "股票简称")?.["value"]);
  return {
    name: security.name ?? (spoken || null),
    rows: [...newest, ...itemsOf(info, "stock_individual_info_em", isoDay(now), INFO_UNITS)],
  };
}

async function klines(
  client: AktoolsClient,
  security: Security,
  request: KlineRequest,
  now: number,
  context: CallContext,
): Promise<Told<Statement>> {
  const called = security.market === "hk" ? "stock_hk_hist" : "stock_zh_a_hist";
  const parameters = {
    symbol: security.code,
    period: request.period,
    start_date: compact(request.start ?? isoDay(now - 3 * 365 * 86_400_000)),
    end_date: compact(request.end ?? isoDay(now)),
    ...(request.adjust === "none" ? {} : { adjust: request.adjust }),
  };
  const rows = await client.rows(called, parameters, context);
  return { name: security.name, rows: klinesOf(rows, security, request, called) };
}

async function hongKongFinancials(
  client: AktoolsClient,
  security: Security,
  request: Parameters<MarketData["financials"]>[1],
  context: CallContext,
): Promise<Told<Statement>> {
  const called = "stock_financial_hk_analysis_indicator_em";
  const rows = await client.rows(called, { symbol: security.code, indicator: request.annualOnly ? "年度" : "报告期" }, context);
  const wanted = rows.filter((row) => isWithin(dayOf(row["REPORT_DATE"]) ?? "", request)).slice(0, REPORTS);
  return {
    name: security.name ?? (textOf(rows[0]?.["SECURITY_NAME_ABBR"]) || null),
    rows: wanted.flatMap((row) => hongKongReport(row, called)),
  };
}

/** akshare hands the columns of this report on as they are. */
function hongKongReport(row: TableRow, called: string): Statement[] {
  return HONG_KONG_REPORT.figures.flatMap((one): Statement[] => {
    const figure = figureOf(row, one);
    if (figure === null) return [];
    return [{ date: dayOf(row["REPORT_DATE"]), period: HONG_KONG_REPORT.periodOf(row), figures: [figure], origin: `${called} ${one.key}` }];
  });
}

function compact(day: string): string {
  return day.replaceAll("-", "");
}

function isoDay(milliseconds: number): string {
  return new Date(milliseconds + 8 * 3_600_000).toISOString().slice(0, 10);
}
