import { z } from "zod";
import type { CallContext, Endpoint, HttpFetch } from "../../domain/ports/sources.ts";
import { DossierError } from "../../errors.ts";
import { type AnswerCheck, createServiceClient } from "../services/service-client.ts";
import { HONG_KONG_REPORT } from "./eastmoney-reports.ts";
import {
  type Article,
  type Column,
  column,
  dayOf,
  figureOf,
  isWithin,
  type KlineRequest,
  type MarketData,
  plainName,
  type ReportRequest,
  readSymbol,
  type Security,
  type Statement,
  spellValue,
  type Told,
} from "./market-data.ts";

/** Everybody runs it at an address of their own; what stands behind it asks public services, so it is asked gently. */
export const AKTOOLS: Endpoint = {
  id: "aktools",
  owner: "akshare_search",
  hosts: ["aktools.invalid"],
  rate: { requests: 2, perMs: 1_000, concurrent: 2 },
};

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

/** A row of a table, by the Chinese names of its columns. */
type TableRow = Readonly<Record<string, unknown>>;

interface AktoolsClient {
  /** @throws DossierError `not_found` for 404, which stands for an unknown function, an empty table and an error inside alike */
  rows(name: AkshareFunction, parameters: Readonly<Record<string, string>>, context: CallContext): Promise<readonly TableRow[]>;
}

const ErrorSchema = z.object({ error: z.string() });
const RowsSchema = z.array(z.record(z.string(), z.unknown()));
/** A function asks public services itself, sometimes many times; what takes longer is left to the public addresses. */
const TIMEOUT_MS = 20_000;

/** A client of the operator's AKTools: https://aktools.akfamily.xyz. */
function createAktoolsClient(fetch: HttpFetch): AktoolsClient {
  const client = createServiceClient(AKTOOLS, fetch, judge);
  return {
    async rows(name, parameters, context) {
      const timeout = AbortSignal.timeout(TIMEOUT_MS);
      const bounded = { ...context, signal: AbortSignal.any([context.signal, timeout]) };
      try {
        return await client.json(RowsSchema, addressOf(name, parameters), bounded);
      } catch (error) {
        if (!timeout.aborted || context.signal.aborted) throw error;
        throw new DossierError("timeout", `aktools did not answer ${name} within ${TIMEOUT_MS / 1_000} s.`, { cause: error });
      }
    },
  };
}

const judge: AnswerCheck = ({ status, text }) => {
  if (status !== 404) return null;
  const said = ErrorSchema.safeParse(parse(text)).data?.error ?? "nothing more";
  return new DossierError("not_found", `aktools answered 404 (no such function, no rows, or an error inside): ${said}`);
};

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const MAINLAND_CODE = /^\d{6}$/;
const HONG_KONG_CODE = /^\d{5}$/;
const DAY_VALUE = /^\d{8}$/;
const PERIOD_VALUE = /^(?:daily|weekly|monthly)$/;
const ADJUST_VALUE = /^(?:qfq|hfq)$/;

/**
 * The functions of akshare that are asked, and what their parameters may look like. AKTools puts what it is given into
 * Python source, so nothing that is not here leaves this program.
 */
const FUNCTIONS = {
  stock_info_a_code_name: {},
  stock_profile_cninfo: { symbol: MAINLAND_CODE },
  stock_individual_info_em: { symbol: MAINLAND_CODE },
  stock_zh_a_hist: { symbol: MAINLAND_CODE, period: PERIOD_VALUE, start_date: DAY_VALUE, end_date: DAY_VALUE, adjust: ADJUST_VALUE },
  stock_financial_abstract: { symbol: MAINLAND_CODE },
  stock_zh_a_disclosure_report_cninfo: { symbol: /^\d{5,6}$/, market: /^(?:沪深京|港股)$/, start_date: DAY_VALUE, end_date: DAY_VALUE },
  stock_news_em: { symbol: /^\d{5,6}$/ },
  stock_hk_company_profile_em: { symbol: HONG_KONG_CODE },
  stock_hk_hist: { symbol: HONG_KONG_CODE, period: PERIOD_VALUE, start_date: DAY_VALUE, end_date: DAY_VALUE, adjust: ADJUST_VALUE },
  stock_financial_hk_analysis_indicator_em: { symbol: HONG_KONG_CODE, indicator: /^(?:年度|报告期)$/ },
} as const satisfies Readonly<Record<string, Readonly<Record<string, RegExp>>>>;

type AkshareFunction = keyof typeof FUNCTIONS;

/**
 * Where AKTools answers a call.
 * @throws DossierError `invalid_arguments` for a parameter that the function has not, and for a value of another form
 */
export function addressOf(name: AkshareFunction, parameters: Readonly<Record<string, string>>): URL {
  const allowed: Readonly<Record<string, RegExp>> = FUNCTIONS[name];
  const url = new URL(`https://aktools.invalid/api/public/${name}`);
  for (const [key, value] of Object.entries(parameters)) {
    const pattern = Object.hasOwn(allowed, key) ? allowed[key] : undefined;
    if (pattern?.test(value) !== true)
      throw new DossierError("invalid_arguments", `${name} is not asked with ${key} ${JSON.stringify(value)}.`);
    url.searchParams.set(key, value);
  }
  return url;
}

/** Indicators of Sina's abstract that are no amounts of money. */
const PER_CENT = /率|同比|环比|ROE|ROA/;
const TIMES_OR_DAYS = /周转|比率|倍|天数|权益乘数|产权比率/;
const MAIN_INDICATORS = "常用指标";
const LINES = 60;

/** One statement for each column that says something; the columns are Chinese already. */
function columnsOf(row: TableRow, origin: string, skip: readonly string[] = []): Statement[] {
  return Object.keys(row).flatMap((key): Statement[] => {
    const figure = skip.includes(key) ? null : figureOf(row, column(key, key));
    return figure === null ? [] : [{ date: null, period: "", figures: [figure], origin: `${origin} ${key}` }];
  });
}

/** Tables of `item` and `value`. */
function itemsOf(rows: readonly TableRow[], origin: string, date: string | null, units: Readonly<Record<string, string>>): Statement[] {
  return rows.flatMap(({ item, value }): Statement[] => {
    const name = typeof item === "string" ? item : "";
    const unit = units[name] ?? "";
    const spelt = name === "上市时间" ? dayOf(value) : spellValue(value, unit);
    if (name === "" || spelt === null) return [];
    const dated = name === "上市时间" || unit === "" ? null : date;
    return [{ date: dated, period: "", figures: [{ column: name, value: spelt, unit }], origin: `${origin} ${name}` }];
  });
}

const PERIOD = { daily: "日K线", weekly: "周K线", monthly: "月K线" } as const;
const ADJUST = { none: "不复权", qfq: "前复权", hfq: "后复权" } as const;

/** The newest 60 lines of a table of prices, newest last. */
function klinesOf(rows: readonly TableRow[], { market }: Security, request: KlineRequest, origin: string): Statement[] {
  const [money, volume] = market === "hk" ? ["港元", "股"] : ["元", "手"];
  const columns: Column[] = [
    ...["开盘", "收盘", "最高", "最低"].map((name) => column(name, name, money)),
    column("成交量", "成交量", volume),
    column("成交额", "成交额", money),
    ...["振幅", "涨跌幅"].map((name) => column(name, name, "%")),
    column("涨跌额", "涨跌额", money),
    column("换手率", "换手率", "%"),
  ];
  const period = `${PERIOD[request.period]} ${ADJUST[request.adjust]}`;
  return rows
    .flatMap((row): Statement[] => {
      const date = dayOf(row["日期"]);
      const figures = columns.flatMap((one) => figureOf(row, one) ?? []);
      return date === null || figures.length === 0 || !isWithin(date, request) ? [] : [{ date, period, figures, origin }];
    })
    .slice(-LINES);
}

/** Sina's abstract: a row for each indicator, a column for each day on which a period ended. */
function abstractOf(rows: readonly TableRow[], request: ReportRequest, origin: string): Statement[] {
  const seen = new Set<string>();
  return rows.flatMap((row): Statement[] => {
    const name = row["指标"];
    if (row["选项"] !== MAIN_INDICATORS || typeof name !== "string" || seen.has(name)) return [];
    seen.add(name);
    const unit = TIMES_OR_DAYS.test(name) ? "" : PER_CENT.test(name) ? "%" : "元";
    const days = Object.keys(row)
      .flatMap((key) => (/^\d{8}$/.test(key) ? [{ key, day: dayOf(key) ?? "" }] : []))
      .filter(({ day }) => isWithin(day, request) && (!request.annualOnly || day.endsWith("-12-31")))
      .toSorted((a, b) => b.day.localeCompare(a.day))
      .slice(0, REPORTS);
    return days.flatMap(({ key, day }): Statement[] => {
      const value = spellValue(row[key], unit);
      const period = day.endsWith("-12-31") ? `${day.slice(0, 4)}年 年报` : "";
      return value === null ? [] : [{ date: day, period, figures: [{ column: name, value, unit }], origin: `${origin} ${name}` }];
    });
  });
}

/** Tables of news and announcements, by the names of their columns. */
function articlesOf(rows: readonly TableRow[], origin: string, names: ArticleColumns): Article[] {
  return rows.flatMap((row): Article[] => {
    const [title, url] = [textOf(row[names.title]), textOf(row[names.url])];
    if (title === "" || !/^https?:\/\//.test(url)) return [];
    const told = { date: dayOf(row[names.date]), from: textOf(row[names.from ?? ""]), excerpt: textOf(row[names.excerpt ?? ""]) };
    return [{ title, url, ...told, origin: `${origin} ${names.title}`, file: null }];
  });
}

interface ArticleColumns {
  readonly title: string;
  readonly url: string;
  readonly date: string;
  readonly from?: string;
  readonly excerpt?: string;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.replaceAll(/\s+/g, " ").trim() : "";
}
