import { z } from "zod";
import { foldName } from "../../domain/companies.ts";
import type { CallContext, Endpoint, HttpFetch } from "../../domain/ports/sources.ts";
import { DossierError } from "../../errors.ts";
import { limitTime } from "../../util/abort.ts";
import { parseJson } from "../../util/json-fields.ts";
import { type AnswerCheck, createServiceClient } from "../shared/service-client.ts";
import { HONG_KONG_REPORT } from "./eastmoney-reports.ts";
import {
  type Article,
  beijingTime,
  dayOf,
  figureOf,
  isWithin,
  type KlineRequest,
  klineColumns,
  klinePeriod,
  MAX_ARTICLES,
  MAX_LINES,
  MAX_PERIODS,
  type MarketData,
  type ReportRequest,
  type Row,
  type Rows,
  readSymbol,
  type Security,
  type Statement,
  spellValue,
  statementsOf,
  textOf,
} from "./market-data.ts";

/** AKTools is an HTTP server for the Python library akshare. The rate is low because AKTools calls public services. */
export const AKTOOLS: Endpoint = {
  id: "aktools",
  owner: "akshare_search",
  hosts: ["aktools.invalid"],
  rate: { requests: 2, perMs: 1_000, concurrent: 2 },
};

const DAY_MS = 86_400_000;

export function createAktools(fetch: HttpFetch, clock: () => number): MarketData {
  const open = createAktoolsClient(fetch);
  return {
    title: "AKTools",
    find: (name, context) => find(open(context), name),
    profile: (security, context) => profile(open(context), security),
    quote: (security, context) => quote(open(context), security, clock()),
    klines: (security, request, context) => klines(open(context), security, request, clock()),
    async financials(security, request, context) {
      if (security.market === "hk") return hongKongFinancials(open(context), security, request);
      const rows = await open(context)("stock_financial_abstract", { symbol: security.code });
      return { name: security.name, rows: abstractOf(rows, request, "stock_financial_abstract") };
    },
    async news(security, context) {
      const rows = await open(context)("stock_news_em", { symbol: security.code });
      return { name: security.name, rows: articlesOf(rows, "stock_news_em", NEWS) };
    },
    async announcements(security, { start, end }, context) {
      const name = "stock_zh_a_disclosure_report_cninfo";
      const market = security.market === "hk" ? "港股" : "沪深京";
      const range = { start_date: compactDay(start ?? endMs(end, clock()) - 365 * DAY_MS), end_date: compactDay(end ?? clock()) };
      const rows = await open(context)(name, { symbol: security.code, market, ...range });
      return { name: security.name ?? (textOf(rows[0]?.["简称"]) || null), rows: articlesOf(rows, name, ANNOUNCEMENTS) };
    },
  };
}

type Call = (name: AkshareFunction, parameters: Readonly<Record<string, string>>) => Promise<readonly Row[]>;

const ErrorSchema = z.object({ error: z.string() });
const RowsSchema = z.array(z.record(z.string(), z.unknown()));
/** After this time Eastmoney is asked instead, because akshare can take minutes. */
const TIMEOUT_MS = 20_000;

function createAktoolsClient(fetch: HttpFetch): (context: CallContext) => Call {
  const client = createServiceClient(AKTOOLS, fetch, checkAnswer);
  return (context) => async (name, parameters) => {
    using limit = limitTime(TIMEOUT_MS, context.signal);
    const bounded = { ...context, signal: limit.signal };
    try {
      return await client.json(RowsSchema, addressOf(name, parameters), bounded);
    } catch (error) {
      if (!limit.isOver) throw error;
      throw new DossierError("timeout", `aktools did not answer ${name} within ${TIMEOUT_MS / 1_000} s.`, { cause: error });
    }
  };
}

const checkAnswer: AnswerCheck = ({ status, text }) => {
  if (status !== 404) return null;
  const reason = ErrorSchema.safeParse(parseJson(text)).data?.error ?? "nothing more";
  return new DossierError("not_found", `aktools answered 404 (unknown function, no rows, or an error in akshare): ${reason}`);
};

const MAINLAND_CODE = /^\d{6}$/;
const HONG_KONG_CODE = /^\d{5}$/;
const COMPACT_DAY = /^\d{8}$/;
const PRICES = { period: /^(?:daily|weekly|monthly)$/, start_date: COMPACT_DAY, end_date: COMPACT_DAY, adjust: /^(?:qfq|hfq)$/ };

/** Only these functions and values may be sent, because AKTools inserts the parameters into Python source code. */
const FUNCTIONS = {
  stock_info_a_code_name: {},
  stock_profile_cninfo: { symbol: MAINLAND_CODE },
  stock_individual_info_em: { symbol: MAINLAND_CODE },
  stock_zh_a_hist: { symbol: MAINLAND_CODE, ...PRICES },
  stock_financial_abstract: { symbol: MAINLAND_CODE },
  stock_zh_a_disclosure_report_cninfo: {
    symbol: /^\d{5,6}$/,
    market: /^(?:沪深京|港股)$/,
    start_date: COMPACT_DAY,
    end_date: COMPACT_DAY,
  },
  stock_news_em: { symbol: /^\d{5,6}$/ },
  stock_hk_company_profile_em: { symbol: HONG_KONG_CODE },
  stock_hk_hist: { symbol: HONG_KONG_CODE, ...PRICES },
  stock_financial_hk_analysis_indicator_em: { symbol: HONG_KONG_CODE, indicator: /^(?:年度|报告期)$/ },
} as const satisfies Readonly<Record<string, Readonly<Record<string, RegExp>>>>;

type AkshareFunction = keyof typeof FUNCTIONS;

export function addressOf(name: AkshareFunction, parameters: Readonly<Record<string, string>>): URL {
  const allowed: Readonly<Record<string, RegExp>> = FUNCTIONS[name];
  for (const [key, value] of Object.entries(parameters)) {
    if (!Object.hasOwn(allowed, key) || allowed[key]?.test(value) !== true)
      throw new DossierError("invalid_arguments", `${name} does not accept ${key} ${JSON.stringify(value)}.`);
  }
  return new URL(`https://aktools.invalid/api/public/${name}?${new URLSearchParams(parameters)}`);
}

/** Finds mainland shares only, because akshare loads its other lists of shares slowly. */
async function find(call: Call, name: string): Promise<Security[]> {
  const asked = foldName(name);
  if (!/\p{sc=Han}|^\d{6}$/u.test(asked)) return [];
  const rows = await call("stock_info_a_code_name", {});
  const found = rows.flatMap((row): Security[] => {
    const share = readSymbol(textOf(row["code"]));
    const known = foldName(textOf(row["name"]));
    const matches = known !== "" && (known.includes(asked) || asked.includes(known) || share?.code === asked);
    return share !== null && matches ? [{ ...share, name: textOf(row["name"]) }] : [];
  });
  const distance = ({ name: known }: Security): number => Math.abs(foldName(known ?? "").length - asked.length);
  return found.toSorted((a, b) => distance(a) - distance(b)).slice(0, 10);
}

const SKIPPED: readonly string[] = ["联系电话", "传真", "邮政编码"];

async function profile(call: Call, { code, market, name }: Security): Promise<Rows<Statement>> {
  const origin = market === "hk" ? "stock_hk_company_profile_em" : "stock_profile_cninfo";
  const [row = {}] = await call(origin, { symbol: code });
  const keys = Object.keys(row).filter((key) => !SKIPPED.includes(key));
  const columns = keys.map((key) => ({ key, name: key, unit: "" }));
  return {
    name: name ?? (textOf(row["A股简称"]) || null),
    rows: statementsOf(row, columns, { date: null, period: "", origin }),
  };
}

const RECENT_DAYS = 20;
const INFO_UNITS: Readonly<Record<string, string>> = { 最新: "元", 总市值: "元", 流通市值: "元", 总股本: "股", 流通股: "股" };

async function quote(call: Call, security: Security, now: number): Promise<Rows<Statement>> {
  const range = { start: dayAt(now - RECENT_DAYS * DAY_MS), end: dayAt(now) };
  const prices = await klines(call, security, { period: "daily", adjust: "none", ...range }, now);
  const last = prices.rows.slice(-1);
  if (security.market === "hk") return { name: security.name, rows: last };
  const info = await call("stock_individual_info_em", { symbol: security.code });
  const ownName = textOf(info.find(({ item }) => item === "股票简称")?.["value"]);
  return { name: security.name ?? (ownName || null), rows: [...last, ...info.flatMap((row) => infoStatement(row, dayAt(now)))] };
}

function infoStatement({ item, value }: Row, today: string): Statement[] {
  const column = textOf(item);
  const unit = INFO_UNITS[column] ?? "";
  const spelled = column === "上市时间" ? dayOf(value) : spellValue(value, unit);
  if (column === "" || spelled === null) return [];
  const figures = [{ column, value: spelled, unit }];
  return [{ date: unit === "" ? null : today, period: "", figures, origin: `stock_individual_info_em ${column}` }];
}

async function klines(call: Call, security: Security, request: KlineRequest, now: number): Promise<Rows<Statement>> {
  const origin = security.market === "hk" ? "stock_hk_hist" : "stock_zh_a_hist";
  const parameters = {
    symbol: security.code,
    period: request.period,
    start_date: compactDay(request.start ?? endMs(request.end, now) - 3 * 365 * DAY_MS),
    end_date: compactDay(request.end ?? now),
    ...(request.adjust === "none" ? {} : { adjust: request.adjust }),
  };
  const columns = klineColumns(security);
  const rows = (await call(origin, parameters)).flatMap((row): Statement[] => {
    const date = dayOf(row["日期"]);
    const figures = columns.flatMap((column) => figureOf(row, column) ?? []);
    const isWanted = date !== null && figures.length > 0 && isWithin(date, request);
    return isWanted ? [{ date, period: klinePeriod(request), figures, origin }] : [];
  });
  return { name: security.name, rows: rows.slice(-MAX_LINES) };
}

async function hongKongFinancials(call: Call, security: Security, request: ReportRequest): Promise<Rows<Statement>> {
  const origin = "stock_financial_hk_analysis_indicator_em";
  const rows = await call(origin, { symbol: security.code, indicator: request.annualOnly ? "年度" : "报告期" });
  const wanted = rows.filter((row) => isWithin(dayOf(row["REPORT_DATE"]) ?? "", request)).slice(0, MAX_PERIODS);
  const { figures, periodOf } = HONG_KONG_REPORT;
  return {
    name: security.name ?? (textOf(rows[0]?.["SECURITY_NAME_ABBR"]) || null),
    rows: wanted.flatMap((row) => statementsOf(row, figures, { date: dayOf(row["REPORT_DATE"]), period: periodOf(row), origin })),
  };
}

const PER_CENT = /率|同比|环比|ROE|ROA/;
const TIMES_OR_DAYS = /周转|比率|倍|天数|权益乘数|产权比率/;
const MAIN_INDICATORS = "常用指标";

function abstractOf(rows: readonly Row[], request: ReportRequest, origin: string): Statement[] {
  const main = rows.filter((row) => row["选项"] === MAIN_INDICATORS && typeof row["指标"] === "string");
  const names = main.map((row) => String(row["指标"]));
  return main.flatMap((row, i) => {
    const column = names[i] ?? "";
    if (names.indexOf(column) < i) return [];
    const unit = TIMES_OR_DAYS.test(column) ? "" : PER_CENT.test(column) ? "%" : "元";
    const days = Object.keys(row)
      .flatMap((key) => (/^\d{8}$/.test(key) ? [{ key, day: dayOf(key) ?? "" }] : []))
      .filter(({ day }) => isWithin(day, request) && (!request.annualOnly || day.endsWith("-12-31")))
      .toSorted((a, b) => b.day.localeCompare(a.day))
      .slice(0, MAX_PERIODS);
    return days.flatMap(({ key, day }): Statement[] => {
      const value = spellValue(row[key], unit);
      const period = day.endsWith("-12-31") ? `${day.slice(0, 4)}年 年报` : "";
      return value === null ? [] : [{ date: day, period, figures: [{ column, value, unit }], origin: `${origin} ${column}` }];
    });
  });
}

const NEWS = { title: "新闻标题", url: "新闻链接", date: "发布时间", from: "文章来源", excerpt: "新闻内容" };
const ANNOUNCEMENTS = { title: "公告标题", url: "公告链接", date: "公告时间", from: "", excerpt: "" };

function articlesOf(rows: readonly Row[], origin: string, columns: typeof NEWS): Article[] {
  const articles = rows.map((row): Article => {
    const [title, url] = [textOf(row[columns.title]), textOf(row[columns.url])];
    const details = { date: dayOf(row[columns.date]), from: textOf(row[columns.from]), excerpt: textOf(row[columns.excerpt]) };
    return { title, url, ...details, origin: `${origin} ${columns.title}`, file: null };
  });
  return articles.filter(({ title, url }) => title !== "" && /^https?:\/\//.test(url)).slice(0, MAX_ARTICLES);
}

function dayAt(milliseconds: number): string {
  return beijingTime(milliseconds).slice(0, 10);
}

function endMs(end: string | null, now: number): number {
  return end === null ? now : Date.parse(end);
}

function compactDay(time: string | number): string {
  return (typeof time === "number" ? dayAt(time) : time).replaceAll("-", "");
}
