import { z } from "zod";
import type { CallContext, HttpFetch } from "../../domain/ports/sources.ts";
import { splitSentences } from "../../ranking/sentences.ts";
import { readItems } from "../services/read-answer.ts";
import { plainText } from "../services/text.ts";
import { createEastmoneyClient, type EastmoneyClient, ofSecurity, type ReportRow, readReport } from "./eastmoney-client.ts";
import { readFinancials } from "./eastmoney-reports.ts";
import {
  type Article,
  type Column,
  column,
  type DateRange,
  dayOf,
  figureOf,
  isWithin,
  type KlineRequest,
  type MarketData,
  plainName,
  readSymbol,
  type Security,
  type Statement,
  spellValue,
  type Told,
} from "./market-data.ts";

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
const NEWS_ROWS = 20;

/** The newest news that the site's search has for a share. */
async function readNews(client: EastmoneyClient, { code, name, market }: Security, context: CallContext): Promise<Told<Article>> {
  const keyword = market === "hk" ? (name ?? code) : code;
  const scope = { searchScope: "default", sort: "default", pageIndex: 1, pageSize: NEWS_ROWS, preTag: "", postTag: "" };
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
    page_size: String(NEWS_ROWS),
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

const MAINLAND_PROFILE = "RPT_F10_BASIC_ORGINFO";
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

const HONG_KONG_PROFILE = "RPT_HKF10_INFO_ORGPROFILE";
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
  const [report, columns] = hongKong ? [HONG_KONG_PROFILE, HONG_KONG_COLUMNS] : [MAINLAND_PROFILE, MAINLAND_COLUMNS];
  const wanted = hongKong ? { columns: ["SECUCODE", "SECURITY_CODE", ...columns.map(({ key }) => key)].join(",") } : {};
  const [row] = await readReport(client, { report, filter: ofSecurity(security), rows: 1, f10: true, ...wanted }, context);
  if (row === undefined) return { name: null, rows: [] };
  const name = row["SECURITY_NAME_ABBR"];
  return { name: typeof name === "string" ? name : null, rows: columns.flatMap((one) => profileStatements(row, report, one)) };
}

function profileStatements(row: ReportRow, report: string, one: Column): Statement[] {
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

const SuggestSchema = z.object({ QuotationCodeTable: z.object({ Data: z.array(z.unknown()).nullish() }) });
const SuggestionSchema = z.object({ Code: z.string(), Name: z.string(), QuoteID: z.string(), PinYin: z.string().nullish() });
const CompanySchema = z.object({
  SECUCODE: z.string(),
  SECURITY_NAME_ABBR: z.string().nullish(),
  ORG_NAME: z.string().nullish(),
  ORG_NAME_EN: z.string().nullish(),
  ORG_EN_ABBR: z.string().nullish(),
});

/** Every page of the site sends this one. */
const TOKEN = "D43BF722C8E33BDC906FB84D85E326E8";
const FOUND_ROWS = 10;

/**
 * Shares of that name: by the search box of the site, which knows codes, short names and their initials; else by the whole
 * name of the company, Chinese or English. Only shares whose name has to do with the one asked for.
 */
async function findSecurities(client: EastmoneyClient, name: string, context: CallContext): Promise<readonly Security[]> {
  const suggested = await suggest(client, name, context);
  if (suggested.length > 0) return suggested;
  const mainland = await companies(client, "RPT_F10_BASIC_ORGINFO", ["ORG_NAME", "ORG_NAME_EN"], name, context);
  return mainland.length > 0 ? mainland : companies(client, "RPT_HKF10_INFO_ORGPROFILE", ["ORG_NAME", "ORG_EN_ABBR"], name, context);
}

async function suggest(client: EastmoneyClient, input: string, context: CallContext): Promise<Security[]> {
  const parameters = { input, type: "14", token: TOKEN, count: String(FOUND_ROWS) };
  const answer = await client.ask(SuggestSchema, "https://searchapi.eastmoney.com/api/suggest/get", parameters, context);
  return readItems("eastmoney", SuggestionSchema, answer.QuotationCodeTable.Data ?? []).flatMap((found): Security[] => {
    const share = readSymbol(found.Code);
    // Indices, funds and shares of other countries have codes of other places.
    if (share === null || secidOf(share) !== found.QuoteID) return [];
    const asked = plainName(input);
    const known = plainName(found.Name);
    const matches = known.includes(asked) || asked.includes(known) || found.PinYin?.toLowerCase() === asked || found.Code === asked;
    return matches ? [{ ...share, name: found.Name.trim() }] : [];
  });
}

async function companies(
  client: EastmoneyClient,
  report: string,
  [chinese, english]: readonly [string, string],
  name: string,
  context: CallContext,
): Promise<Security[]> {
  // Quotes and percent signs mean something in a filter.
  const wanted = name
    .replaceAll(/["'%()=\\]/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  if (wanted === "") return [];
  const filter = `(${/\p{sc=Han}/u.test(wanted) ? chinese : english} like "%${wanted}%")`;
  const columns = ["SECUCODE", "SECURITY_CODE", "SECURITY_NAME_ABBR", chinese, english].join(",");
  const rows = await readReport(client, { report, filter, columns, rows: FOUND_ROWS, f10: true }, context);
  return readItems("eastmoney", CompanySchema, rows).flatMap((row): Security[] => {
    const share = readSymbol(row.SECUCODE);
    const names = [row.ORG_NAME, row.ORG_NAME_EN, row.ORG_EN_ABBR, row.SECURITY_NAME_ABBR].map((one) => plainName(one ?? ""));
    if (share === null || !names.some((one) => one.includes(plainName(wanted)))) return [];
    const wholeNames = [row.ORG_NAME, row.ORG_NAME_EN, row.ORG_EN_ABBR].flatMap((one) => one ?? []);
    const english = row.ORG_NAME_EN ?? row.ORG_EN_ABBR ?? null;
    return [{ ...share, name: row.SECURITY_NAME_ABBR ?? row.ORG_NAME ?? null, englishName: english, wholeNames }];
  });
}

/** Where Eastmoney lists a share: Shanghai 1, Shenzhen and Beijing 0, Hong Kong 116. */
const PLACE = { sh: "1", sz: "0", bj: "0", hk: "116" } as const;

/** The share as quotes name it: `1.600519`. */
function secidOf({ code, market }: Pick<Security, "code" | "market">): string {
  return `${PLACE[market]}.${code}`;
}

const QuoteSchema = z.object({ data: z.record(z.string(), z.unknown()).nullish() });

function quoteColumns({ market }: Security): readonly Column[] {
  const [money, volume] = market === "hk" ? ["港元", "股"] : ["元", "手"];
  return [
    column("f43", "最新价", money),
    column("f170", "涨跌幅", "%"),
    column("f169", "涨跌额", money),
    column("f46", "今开", money),
    column("f44", "最高", money),
    column("f45", "最低", money),
    column("f60", "昨收", money),
    column("f47", "成交量", volume),
    column("f48", "成交额", money),
    column("f168", "换手率", "%"),
    column("f116", "总市值", money),
    column("f117", "流通市值", money),
    column("f84", "总股本", "股"),
    column("f85", "流通股", "股"),
    column("f162", "市盈率(动态)", "倍"),
    column("f167", "市净率", "倍"),
    column("f127", "行业"),
  ];
}

/** The newest price and what goes with it, at the minute that the exchange gives. */
async function readQuote(client: EastmoneyClient, security: Security, context: CallContext): Promise<Told<Statement>> {
  const columns = quoteColumns(security);
  const fields = ["f57", "f58", "f86", ...columns.map(({ key }) => key)].join(",");
  // Without fltt=2 prices are whole numbers of a unit that differs from share to share.
  const parameters = { secid: secidOf(security), fltt: "2", invt: "2", fields };
  const { data } = await client.ask(QuoteSchema, "https://push2.eastmoney.com/api/qt/stock/get", parameters, context);
  const row = data ?? {};
  const rows = columns.flatMap((one): Statement[] => {
    const figure = figureOf(row, one);
    return figure === null ? [] : [{ date: minuteOf(row["f86"]), period: "", figures: [figure], origin: `stock/get ${one.key}` }];
  });
  return { name: nameOf(row["f58"]), rows };
}

/** Seconds since 1970 as a minute in Beijing, which is Hong Kong's as well. */
function minuteOf(seconds: unknown): string | null {
  if (typeof seconds !== "number" || seconds <= 0) return null;
  return new Date((seconds + 8 * 3_600) * 1_000).toISOString().slice(0, 16).replace("T", " ");
}

const KlinesSchema = z.object({ data: z.object({ name: z.string().nullish(), klines: z.array(z.string()).nullish() }).nullish() });
const PERIOD = { daily: ["101", "日K线"], weekly: ["102", "周K线"], monthly: ["103", "月K线"] } as const;
const ADJUST = { none: ["0", "不复权"], qfq: ["1", "前复权"], hfq: ["2", "后复权"] } as const;
/** Lines asked for where no range is given, and shown at most. */
const LINES = 60;

/** In the order of `fields2`: the close comes before the high and the low. */
function klineColumns({ market }: Security): readonly Column[] {
  const [money, volume] = market === "hk" ? ["港元", "股"] : ["元", "手"];
  return [
    column("f52", "开盘", money),
    column("f53", "收盘", money),
    column("f54", "最高", money),
    column("f55", "最低", money),
    column("f56", "成交量", volume),
    column("f57", "成交额", money),
    column("f58", "振幅", "%"),
    column("f59", "涨跌幅", "%"),
    column("f60", "涨跌额", money),
    column("f61", "换手率", "%"),
  ];
}

/** Prices of days, weeks or months, newest last, the newest 60 of the range. */
async function readKlines(
  client: EastmoneyClient,
  security: Security,
  request: KlineRequest,
  context: CallContext,
): Promise<Told<Statement>> {
  const columns = klineColumns(security);
  const [klt, period] = PERIOD[request.period];
  const [fqt, adjusted] = ADJUST[request.adjust];
  const parameters = {
    secid: secidOf(security),
    klt,
    fqt,
    fields1: "f1,f2,f3,f4,f5,f6",
    fields2: ["f51", ...columns.map(({ key }) => key)].join(","),
    ...(request.start === null ? { lmt: String(LINES) } : { beg: request.start.replaceAll("-", "") }),
    end: request.end?.replaceAll("-", "") ?? "20500101",
  };
  const { data } = await client.ask(KlinesSchema, "https://push2his.eastmoney.com/api/qt/stock/kline/get", parameters, context);
  const rows = (data?.klines ?? []).flatMap((line) => readLine(line, columns, `${period} ${adjusted}`));
  return { name: data?.name ?? null, rows: rows.filter(({ date }) => date !== null && isWithin(date, request)).slice(-LINES) };
}

/** A line has as many values as fields were asked for, or fewer. */
function readLine(line: string, columns: readonly Column[], period: string): Statement[] {
  const [first, ...values] = line.split(",");
  const date = dayOf(first);
  const figures = columns.flatMap(({ name, unit }, i) => {
    const value = spellValue(values[i], unit);
    return value === null ? [] : [{ column: name, value, unit }];
  });
  if (date === null || figures.length === 0) return [];
  return [{ date, period, figures, origin: "kline/get f51-f61" }];
}

function nameOf(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}
