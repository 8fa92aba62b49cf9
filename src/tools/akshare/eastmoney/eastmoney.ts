import { z } from "zod";
import type { CallContext, HttpFetch } from "../../../domain/ports/sources.ts";
import { splitSentences } from "../../../ranking/sentences.ts";
import { readItems } from "../../services/read-answer.ts";
import { plainText } from "../../services/text.ts";
import { type Column, column, dayOf, figureOf } from "../figures.ts";
import type { Article, DateRange, MarketData, Security, Statement, Told } from "../market-data.ts";
import { createEastmoneyClient, type EastmoneyClient } from "./client.ts";
import { ofSecurity, type ReportRow, readReport } from "./datacenter.ts";
import { readFinancials } from "./financials.ts";
import { findSecurities } from "./find.ts";
import { readKlines, readQuote } from "./quotes.ts";

/** Eastmoney's public addresses, which need neither a server nor a key. */
export function createEastmoney(fetch: HttpFetch): MarketData {
  const client = createEastmoneyClient(fetch);
  return {
    title: "Eastmoney",
    find: (name, context) => findSecurities(client, name, context),
    profile: (security, context) => readProfile(client, security, context),
    quote: (security, context) => readQuote(client, security, context),
    klines: (security, request, context) => readKlines(client, security, request, context),
    financials: (security, request, context) => readFinancials(client, security, request, context),
    news: (security, context) => readNews(client, security, context),
    announcements: (security, range, context) => readAnnouncements(client, security, range, context),
  };
}

const NewsSchema = z.object({ result: z.object({ cmsArticleWebOld: z.array(z.unknown()).nullish() }).nullish() });
const NewsItemSchema = z.object({
  code: z.string(),
  title: z.string(),
  date: z.string().nullish(),
  mediaName: z.string().nullish(),
  content: z.string().nullish(),
});
const ROWS = 20;

/** The newest news that the site's search has for a share. */
async function readNews(client: EastmoneyClient, { code, name, market }: Security, context: CallContext): Promise<Told<Article>> {
  const keyword = market === "hk" ? (name ?? code) : code;
  const scope = { searchScope: "default", sort: "default", pageIndex: 1, pageSize: ROWS, preTag: "", postTag: "" };
  const asked = { uid: "", keyword, type: ["cmsArticleWebOld"], client: "web", clientType: "web", clientVersion: "curr" };
  const parameters = { cb: "callback", param: JSON.stringify({ ...asked, param: { cmsArticleWebOld: scope } }) };
  const answer = await client.ask(NewsSchema, "https://search-api-web.eastmoney.com/search/jsonp", parameters, context);
  const items = readItems("eastmoney", NewsItemSchema, answer.result?.cmsArticleWebOld ?? []);
  const rows = items.map(
    (item): Article => ({
      title: plainText(item.title),
      url: `https://finance.eastmoney.com/a/${encodeURIComponent(item.code)}.html`,
      date: dayOf(item.date),
      from: item.mediaName ?? "",
      excerpt: plainText(item.content ?? ""),
      origin: "search/jsonp cmsArticleWebOld",
      file: null,
    }),
  );
  return { name, rows };
}

const AnnouncementsSchema = z.object({ data: z.object({ list: z.array(z.unknown()).nullish() }).nullish() });
const AnnouncementSchema = z.object({
  art_code: z.string(),
  title: z.string(),
  notice_date: z.string().nullish(),
  codes: z.array(z.object({ stock_code: z.string(), short_name: z.string().nullish() })).nullish(),
  columns: z.array(z.object({ column_name: z.string().nullish() })).nullish(),
});

/** The newest announcements of a company. */
async function readAnnouncements(
  client: EastmoneyClient,
  { code, market, name }: Security,
  { start, end }: DateRange,
  context: CallContext,
): Promise<Told<Article>> {
  const parameters = {
    sr: "-1",
    page_size: String(ROWS),
    page_index: "1",
    ann_type: market === "hk" ? "H" : "A",
    client_source: "web",
    f_node: "0",
    s_node: "0",
    stock_list: code,
    ...(start === null ? {} : { begin_time: start }),
    ...(end === null ? {} : { end_time: end }),
  };
  const answer = await client.ask(AnnouncementsSchema, "https://np-anotice-stock.eastmoney.com/api/security/ann", parameters, context);
  const items = readItems("eastmoney", AnnouncementSchema, answer.data?.list ?? []);
  const rows = items.map(
    (item): Article => ({
      title: plainText(item.title),
      url: `https://data.eastmoney.com/notices/detail/${code}/${encodeURIComponent(item.art_code)}.html`,
      date: dayOf(item.notice_date),
      from: item.columns?.[0]?.column_name ?? "",
      excerpt: "",
      origin: "security/ann title",
      file: `https://pdf.dfcfw.com/pdf/H2_${encodeURIComponent(item.art_code)}_1.pdf`,
    }),
  );
  const spoken = items.flatMap(({ codes }) => codes ?? []).find(({ stock_code }) => stock_code === code)?.short_name;
  return { name: name ?? spoken ?? null, rows };
}

const MAINLAND = "RPT_F10_BASIC_ORGINFO";
const MAINLAND_COLUMNS: readonly Column[] = [
  column("ORG_NAME", "公司名称"),
  column("ORG_NAME_EN", "英文名称"),
  column("FORMERNAME", "曾用简称"),
  column("TRADE_MARKET", "上市交易所"),
  column("INDUSTRYCSRC1", "证监会行业"),
  column("EM2016", "所属行业"),
  column("CHAIRMAN", "董事长"),
  column("PRESIDENT", "总经理"),
  column("LEGAL_PERSON", "法人代表"),
  column("ACTUAL_HOLDER", "实际控制人"),
  column("EMP_NUM", "员工人数", "人"),
  column("REG_CAPITAL", "注册资本", "万元"),
  column("FOUND_DATE", "成立日期"),
  column("LISTING_DATE", "上市日期"),
  column("PROVINCE", "省份"),
  column("REG_ADDRESS", "注册地址"),
  column("ADDRESS", "办公地址"),
  column("ORG_WEB", "公司网址"),
  column("MAIN_BUSINESS", "主营业务"),
  column("ORG_PROFILE", "机构简介"),
  column("BUSINESS_SCOPE", "经营范围"),
];

const HONG_KONG = "RPT_HKF10_INFO_ORGPROFILE";
const HONG_KONG_COLUMNS: readonly Column[] = [
  column("ORG_NAME", "公司名称"),
  column("ORG_EN_ABBR", "英文名称"),
  column("BELONG_INDUSTRY", "所属行业"),
  column("CHAIRMAN", "董事长"),
  column("SECRETARY", "公司秘书"),
  column("EMP_NUM", "员工人数", "人"),
  column("FOUND_DATE", "公司成立日期"),
  column("REG_PLACE", "注册地"),
  column("REG_ADDRESS", "注册地址"),
  column("ADDRESS", "办公地址"),
  column("ORG_WEB", "公司网址"),
  column("YEAR_SETTLE_DAY", "年结日"),
  column("ACCOUNT_FIRM", "核数师"),
  column("ORG_PROFILE", "公司介绍"),
];

/** Longer texts are told sentence by sentence, so that each can be quoted with its company and origin. */
const WHOLE = 80;

/** What a company is: names, industry, people, places, dates, business. */
async function readProfile(client: EastmoneyClient, security: Security, context: CallContext): Promise<Told<Statement>> {
  const hongKong = security.market === "hk";
  const [report, columns] = hongKong ? [HONG_KONG, HONG_KONG_COLUMNS] : [MAINLAND, MAINLAND_COLUMNS];
  const wanted = hongKong ? { columns: ["SECUCODE", "SECURITY_CODE", ...columns.map(({ key }) => key)].join(",") } : {};
  const [row] = await readReport(client, { report, filter: ofSecurity(security), rows: 1, f10: true, ...wanted }, context);
  if (row === undefined) return { name: null, rows: [] };
  const name = row["SECURITY_NAME_ABBR"];
  return { name: typeof name === "string" ? name : null, rows: columns.flatMap((one) => statementsOf(row, report, one)) };
}

function statementsOf(row: ReportRow, report: string, one: Column): Statement[] {
  const figure = figureOf(row, one);
  if (figure === null) return [];
  const value = one.key.endsWith("_DATE") ? (dayOf(figure.value) ?? figure.value) : figure.value;
  return pieces(value).map((piece) => ({
    date: null,
    period: "",
    figures: [{ ...figure, value: piece }],
    origin: `${report} ${one.key}`,
  }));
}

function pieces(value: string): string[] {
  return value.length <= WHOLE ? [value] : splitSentences(value).map(({ start, end }) => value.slice(start, end));
}
