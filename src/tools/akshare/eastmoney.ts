import { z } from "zod";
import { foldName } from "../../domain/companies.ts";
import type { HttpFetch } from "../../domain/ports/sources.ts";
import { readItems } from "../shared/service-client.ts";
import { plainText } from "../shared/text.ts";
import { type Ask, createEastmoneyClient, readReport } from "./eastmoney-client.ts";
import { readFinancials, readProfile } from "./eastmoney-reports.ts";
import {
  type Article,
  beijingTime,
  type Column,
  type DateRange,
  dayOf,
  isWithin,
  type KlineRequest,
  klineColumns,
  klinePeriod,
  MAX_ARTICLES,
  MAX_LINES,
  type MarketData,
  type Rows,
  readColumns,
  readSymbol,
  type Security,
  type Statement,
  spellValue,
  statementsOf,
  textOf,
} from "./market-data.ts";

export function createEastmoney(fetch: HttpFetch): MarketData {
  const open = createEastmoneyClient(fetch);
  return {
    title: "Eastmoney",
    find: (name, context) => findSecurities(open(context), name),
    profile: (security, context) => readProfile(open(context), security),
    quote: (security, context) => readQuote(open(context), security),
    klines: (security, request, context) => readKlines(open(context), security, request),
    financials: (security, request, context) => readFinancials(open(context), security, request, context.signal),
    news: (security, context) => readNews(open(context), security),
    announcements: (security, range, context) => readAnnouncements(open(context), security, range),
  };
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

const TOKEN = "D43BF722C8E33BDC906FB84D85E326E8";
const FOUND_ROWS = 10;

async function findSecurities(ask: Ask, name: string): Promise<readonly Security[]> {
  const suggested = await suggest(ask, name);
  if (suggested.length > 0) return suggested;
  const mainland = await companies(ask, "RPT_F10_BASIC_ORGINFO", ["ORG_NAME", "ORG_NAME_EN"], name);
  return mainland.length > 0 ? mainland : companies(ask, "RPT_HKF10_INFO_ORGPROFILE", ["ORG_NAME", "ORG_EN_ABBR"], name);
}

async function suggest(ask: Ask, input: string): Promise<Security[]> {
  const parameters = { input, type: "14", token: TOKEN, count: String(FOUND_ROWS) };
  const answer = await ask(SuggestSchema, "https://searchapi.eastmoney.com/api/suggest/get", parameters);
  return readItems("eastmoney", SuggestionSchema, answer.QuotationCodeTable.Data ?? []).flatMap((found): Security[] => {
    const share = readSymbol(found.Code);
    // The site also suggests indices, funds and foreign shares. Their `QuoteID` differs from `secidOf`.
    if (share === null || secidOf(share) !== found.QuoteID) return [];
    const [asked, known] = [foldName(input), foldName(found.Name)];
    const matches = known.includes(asked) || asked.includes(known) || found.PinYin?.toLowerCase() === asked || found.Code === asked;
    return matches ? [{ ...share, name: found.Name.trim() }] : [];
  });
}

async function companies(ask: Ask, report: string, [chinese, english]: readonly [string, string], name: string): Promise<Security[]> {
  const wanted = textOf(name.replaceAll(/["'%()=\\]/g, " "));
  if (wanted === "") return [];
  const filter = `(${/\p{sc=Han}/u.test(wanted) ? chinese : english} like "%${wanted}%")`;
  const columns = ["SECUCODE", "SECURITY_CODE", "SECURITY_NAME_ABBR", chinese, english].join(",");
  const rows = await readReport(ask, { report, filter, columns, rows: FOUND_ROWS, f10: true });
  return readItems("eastmoney", CompanySchema, rows).flatMap((row): Security[] => {
    const share = readSymbol(row.SECUCODE);
    const wholeNames = [row.ORG_NAME, row.ORG_NAME_EN, row.ORG_EN_ABBR].flatMap((one) => one ?? []);
    const isFound = [...wholeNames, row.SECURITY_NAME_ABBR ?? ""].some((one) => foldName(one).includes(foldName(wanted)));
    if (share === null || !isFound) return [];
    const names = { name: row.SECURITY_NAME_ABBR ?? row.ORG_NAME ?? null, englishName: row.ORG_NAME_EN ?? row.ORG_EN_ABBR ?? null };
    return [{ ...share, ...names, wholeNames }];
  });
}

const PLACES = { sh: "1", sz: "0", bj: "0", hk: "116" } as const;

function secidOf({ code, market }: Security): string {
  return `${PLACES[market]}.${code}`;
}

const QuoteSchema = z.object({ data: z.record(z.string(), z.unknown()).nullish() });

function quoteColumns({ market }: Security): readonly Column[] {
  const [money, volume] = market === "hk" ? ["港元", "股"] : ["元", "手"];
  return readColumns(`
f43 最新价 ${money}; f170 涨跌幅 %; f169 涨跌额 ${money}; f46 今开 ${money}; f44 最高 ${money}; f45 最低 ${money}; f60 昨收 ${money}
f47 成交量 ${volume}; f48 成交额 ${money}; f168 换手率 %; f116 总市值 ${money}; f117 流通市值 ${money}; f84 总股本 股; f85 流通股 股
f162 市盈率(动态) 倍; f167 市净率 倍; f127 行业`);
}

async function readQuote(ask: Ask, security: Security): Promise<Rows<Statement>> {
  const columns = quoteColumns(security);
  const fields = ["f57", "f58", "f86", ...columns.map(({ key }) => key)].join(",");
  // Without fltt=2, prices are integers in a unit that differs between shares.
  const parameters = { secid: secidOf(security), fltt: "2", invt: "2", fields };
  const { data } = await ask(QuoteSchema, "https://push2.eastmoney.com/api/qt/stock/get", parameters);
  const { f58: name, f86: seconds } = data ?? {};
  const date = typeof seconds === "number" && seconds > 0 ? beijingTime(seconds * 1_000) : null;
  return { name: textOf(name) || null, rows: statementsOf(data ?? {}, columns, { date, period: "", origin: "stock/get" }) };
}

const KlinesSchema = z.object({ data: z.object({ name: z.string().nullish(), klines: z.array(z.string()).nullish() }).nullish() });
const PERIOD_CODES = { daily: "101", weekly: "102", monthly: "103" } as const;
const ADJUSTMENT_CODES = { none: "0", qfq: "1", hfq: "2" } as const;
/** The field codes of the date and of `klineColumns`, in that order. */
const KLINE_FIELDS = "f51,f52,f53,f54,f55,f56,f57,f58,f59,f60,f61";

async function readKlines(ask: Ask, security: Security, request: KlineRequest): Promise<Rows<Statement>> {
  const parameters = {
    secid: secidOf(security),
    klt: PERIOD_CODES[request.period],
    fqt: ADJUSTMENT_CODES[request.adjust],
    fields1: "f1,f2,f3,f4,f5,f6",
    fields2: KLINE_FIELDS,
    ...(request.start === null ? { lmt: String(MAX_LINES) } : { beg: request.start.replaceAll("-", "") }),
    end: request.end?.replaceAll("-", "") ?? "20500101",
  };
  const { data } = await ask(KlinesSchema, "https://push2his.eastmoney.com/api/qt/stock/kline/get", parameters);
  const rows = (data?.klines ?? []).flatMap((line) => readLine(line, klineColumns(security), klinePeriod(request)));
  return { name: data?.name ?? null, rows: rows.filter(({ date }) => date !== null && isWithin(date, request)).slice(-MAX_LINES) };
}

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

const NewsSchema = z.object({ result: z.object({ cmsArticleWebOld: z.array(z.unknown()).nullish() }).nullish() });
const NewsItemSchema = z.object({
  code: z.string(),
  title: z.string(),
  date: z.string().nullish(),
  mediaName: z.string().nullish(),
  content: z.string().nullish(),
});

async function readNews(ask: Ask, { code, name, market }: Security): Promise<Rows<Article>> {
  const keyword = market === "hk" ? (name ?? code) : code;
  const scope = { searchScope: "default", sort: "default", pageIndex: 1, pageSize: MAX_ARTICLES, preTag: "", postTag: "" };
  const asked = { uid: "", keyword, type: ["cmsArticleWebOld"], client: "web", clientType: "web", clientVersion: "curr" };
  const parameters = { cb: "callback", param: JSON.stringify({ ...asked, param: { cmsArticleWebOld: scope } }) };
  const answer = await ask(NewsSchema, "https://search-api-web.eastmoney.com/search/jsonp", parameters);
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

async function readAnnouncements(ask: Ask, { code, market, name }: Security, { start, end }: DateRange): Promise<Rows<Article>> {
  const parameters = {
    sr: "-1",
    page_size: String(MAX_ARTICLES),
    page_index: "1",
    ann_type: market === "hk" ? "H" : "A",
    client_source: "web",
    f_node: "0",
    s_node: "0",
    stock_list: code,
    ...(start === null ? {} : { begin_time: start }),
    ...(end === null ? {} : { end_time: end }),
  };
  const answer = await ask(AnnouncementsSchema, "https://np-anotice-stock.eastmoney.com/api/security/ann", parameters);
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
  const ownName = items.flatMap(({ codes }) => codes ?? []).find(({ stock_code }) => stock_code === code)?.short_name;
  return { name: name ?? ownName ?? null, rows };
}
