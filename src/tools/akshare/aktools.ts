import { z } from "zod";
import type { CallContext, Endpoint, HttpFetch } from "../../domain/ports/sources.ts";
import { DossierError } from "../../errors.ts";
import { limitTime } from "../../util/abort.ts";
import { parseJson } from "../../util/json-fields.ts";
import { type AnswerCheck, createServiceClient, withQuery } from "../shared/service-client.ts";
import {
  beijingTime,
  dayOf,
  figureOf,
  isWithin,
  type KlineRequest,
  klineRows,
  type MarketData,
  type ReportRequest,
  type Row,
  type Security,
  type Statement,
  type Statements,
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

export function createAktools(call: AkshareCall, clock: () => number): MarketData {
  return {
    title: "AKTools",
    markets: ["sh", "sz", "bj"],
    profile: (security) => profile(call, security),
    quote: (security) => quote(call, security, clock()),
    klines: (security, request) => klines(call, security, request, clock()),
    financials: async ({ code, name }, request) => ({
      name,
      rows: abstractOf(await call("stock_financial_abstract", { symbol: code }), request, "stock_financial_abstract"),
    }),
  };
}

export type AkshareCall = (name: AkshareFunction, parameters: Readonly<Record<string, string>>) => Promise<readonly Row[]>;

const ErrorSchema = z.object({ error: z.string() });
const RowsSchema = z.array(z.record(z.string(), z.unknown()));
/** After this time Eastmoney is asked instead, because akshare can take minutes. */
const TIMEOUT_MS = 20_000;

export function createAktoolsClient(fetch: HttpFetch): (context: CallContext) => AkshareCall {
  const client = createServiceClient(AKTOOLS, fetch, { check: checkAnswer });
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
const COMPACT_DAY = /^\d{8}$/;

/** Only these functions and values may be sent, because AKTools inserts the parameters into Python source code. */
const FUNCTIONS = {
  stock_profile_cninfo: { symbol: MAINLAND_CODE },
  stock_individual_info_em: { symbol: MAINLAND_CODE },
  stock_financial_abstract: { symbol: MAINLAND_CODE },
  stock_zh_a_hist: {
    symbol: MAINLAND_CODE,
    period: /^(?:daily|weekly|monthly)$/,
    start_date: COMPACT_DAY,
    end_date: COMPACT_DAY,
    adjust: /^(?:qfq|hfq)$/,
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, RegExp>>>>;

type AkshareFunction = keyof typeof FUNCTIONS;

export function addressOf(name: AkshareFunction, parameters: Readonly<Record<string, string>>): URL {
  const allowed: Readonly<Record<string, RegExp>> = FUNCTIONS[name];
  for (const [key, value] of Object.entries(parameters)) {
    if (!Object.hasOwn(allowed, key) || allowed[key]?.test(value) !== true)
      throw new DossierError("invalid_arguments", `${name} does not accept ${key} ${JSON.stringify(value)}.`);
  }
  return withQuery(`https://aktools.invalid/api/public/${name}`, parameters);
}

const SKIPPED: readonly string[] = ["联系电话", "传真", "邮政编码"];

async function profile(call: AkshareCall, { code, name }: Security): Promise<Statements> {
  const [row = {}] = await call("stock_profile_cninfo", { symbol: code });
  const keys = Object.keys(row).filter((key) => !SKIPPED.includes(key));
  const columns = keys.map((key) => ({ key, name: key, unit: "" }));
  return {
    name: name ?? (textOf(row["A股简称"]) || null),
    rows: statementsOf(row, columns, { date: null, period: "", origin: "stock_profile_cninfo" }),
  };
}

const RECENT_DAYS = 20;
const INFO_UNITS: Readonly<Record<string, string>> = { 最新: "元", 总市值: "元", 流通市值: "元", 总股本: "股", 流通股: "股" };

async function quote(call: AkshareCall, security: Security, now: number): Promise<Statements> {
  const range = { start: dayAt(now - RECENT_DAYS * DAY_MS), end: dayAt(now) };
  const prices = await klines(call, security, { period: "daily", adjust: "none", ...range }, now);
  const info = await call("stock_individual_info_em", { symbol: security.code });
  const ownName = textOf(info.find(({ item }) => item === "股票简称")?.["value"]);
  const rows = [...prices.rows.slice(-1), ...info.flatMap((row) => infoStatement(row, dayAt(now)))];
  return { name: security.name ?? (ownName || null), rows };
}

function infoStatement({ item, value }: Row, today: string): Statement[] {
  const column = textOf(item);
  const unit = INFO_UNITS[column] ?? "";
  const figure = figureOf({ value: column === "上市时间" ? dayOf(value) : value }, { key: "value", name: column, unit });
  if (column === "" || figure === null) return [];
  return [{ date: unit === "" ? null : today, period: "", figures: [figure], origin: `stock_individual_info_em ${column}` }];
}

async function klines(call: AkshareCall, security: Security, request: KlineRequest, now: number): Promise<Statements> {
  const end = request.end ?? dayAt(now);
  const rows = await call("stock_zh_a_hist", {
    symbol: security.code,
    period: request.period,
    start_date: compactDay(request.start ?? dayAt(Date.parse(end) - 3 * 365 * DAY_MS)),
    end_date: compactDay(end),
    ...(request.adjust !== "none" && { adjust: request.adjust }),
  });
  return { name: security.name, rows: klineRows(rows, security, request, "stock_zh_a_hist") };
}

const PER_CENT = /率|同比|环比|ROE|ROA/;
const TIMES_OR_DAYS = /周转|比率|倍|天数|权益乘数|产权比率/;
const MAIN_INDICATORS = "常用指标";

/** Each row of the table is an indicator, with a column such as `20231231` for each reporting period. */
function abstractOf(rows: readonly Row[], request: ReportRequest, origin: string): Statement[] {
  return rows.flatMap((row) => {
    const name = textOf(row["指标"]);
    if (row["选项"] !== MAIN_INDICATORS || name === "") return [];
    const unit = TIMES_OR_DAYS.test(name) ? "" : PER_CENT.test(name) ? "%" : "元";
    const keys = Object.keys(row).filter((key) => {
      const day = COMPACT_DAY.test(key) ? (dayOf(key) ?? "") : "";
      return day !== "" && isWithin(day, request) && (!request.annualOnly || day.endsWith("-12-31"));
    });
    const newest = keys.toSorted().reverse().slice(0, request.periods);
    return newest.flatMap((key): Statement[] => {
      const figure = figureOf(row, { key, name, unit });
      const period = key.endsWith("1231") ? `${key.slice(0, 4)}年 年报` : "";
      return figure === null ? [] : [{ date: dayOf(key), period, figures: [figure], origin: `${origin} ${name}` }];
    });
  });
}

function dayAt(milliseconds: number): string {
  return beijingTime(milliseconds).slice(0, 10);
}

function compactDay(day: string): string {
  return day.replaceAll("-", "");
}
