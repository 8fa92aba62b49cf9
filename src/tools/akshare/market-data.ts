import { withoutLegalForm } from "../../domain/companies.ts";
import type { CallContext } from "../../domain/ports/sources.ts";
import { DossierError, toDossierError } from "../../errors.ts";

type Market = "sh" | "sz" | "bj" | "hk";

export interface Security {
  readonly code: string;
  readonly market: Market;
  /** The short Chinese name; null if only the code is known. */
  readonly name: string | null;
  readonly englishName: string | null;
  readonly wholeNames?: readonly string[];
}

interface Figure {
  readonly column: string;
  readonly value: string;
  readonly unit: string;
}

export interface Statement {
  /** A day such as `2023-12-31`, possibly with the time in Beijing; null if the service names none. */
  readonly date: string | null;
  readonly period: string;
  readonly figures: readonly Figure[];
  /** The service's function or report and its field, such as `RPT_LICO_FN_CPD TOTAL_OPERATE_INCOME`. */
  readonly origin: string;
}

export interface Article {
  readonly title: string;
  readonly url: string;
  readonly date: string | null;
  readonly from: string;
  readonly excerpt: string;
  readonly origin: string;
  readonly file: string | null;
}

export interface Rows<T> {
  readonly name: string | null;
  readonly rows: readonly T[];
  readonly missing?: readonly string[];
}

/** Days such as `2023-12-31`, both inclusive. Null means no limit. */
export interface DateRange {
  readonly start: string | null;
  readonly end: string | null;
}

export interface KlineRequest extends DateRange {
  readonly period: "daily" | "weekly" | "monthly";
  /** `qfq` and `hfq` remove the effect of splits and dividends: `qfq` keeps the last price, `hfq` the first. */
  readonly adjust: "none" | "qfq" | "hfq";
}

export interface ReportRequest extends DateRange {
  readonly annualOnly: boolean;
}

/** How much is asked of a service. */
export const MAX_LINES = 60;
export const MAX_PERIODS = 5;
export const MAX_ARTICLES = 20;

/** Methods return no rows if the service has no data, and throw if it fails. */
export interface MarketData {
  readonly title: string;
  find(name: string, context: CallContext): Promise<readonly Security[]>;
  profile(security: Security, context: CallContext): Promise<Rows<Statement>>;
  quote(security: Security, context: CallContext): Promise<Rows<Statement>>;
  klines(security: Security, request: KlineRequest, context: CallContext): Promise<Rows<Statement>>;
  financials(security: Security, request: ReportRequest, context: CallContext): Promise<Rows<Statement>>;
  news(security: Security, context: CallContext): Promise<Rows<Article>>;
  announcements(security: Security, range: DateRange, context: CallContext): Promise<Rows<Article>>;
}

export interface Answered<T> {
  readonly value: T;
  readonly by: string;
  readonly notes: readonly string[];
}

/** Asks the services in turn until `isAnswer` accepts; the last answer always counts. @throws DossierError if the last service fails */
export async function firstAnswer<T>(
  services: readonly MarketData[],
  context: CallContext,
  ask: (service: MarketData) => Promise<T>,
  isAnswer: (value: T) => boolean = () => true,
): Promise<Answered<T>> {
  const notes: string[] = [];
  for (const [i, service] of services.entries()) {
    const isLast = i === services.length - 1;
    try {
      const value = await ask(service);
      if (isLast || isAnswer(value)) return { value, by: service.title, notes };
      notes.push(`${service.title} knows nothing of it.`);
    } catch (error) {
      context.signal.throwIfAborted();
      const { code, message } = toDossierError(error, "tool_failed");
      notes.push(`${service.title} could not say: ${message}`);
      if (isLast) throw new DossierError(code, notes.join(" "), { cause: error });
    }
  }
  throw new DossierError("internal", "No service of market data is set up.");
}

export const SYMBOL = /^(?:(?:[sS][hHzZ]|[bB][jJ])?\d{6}|\d{6}\.(?:[sS][hHzZsS]|[bB][jJ])|(?:[hH][kK])?\d{5}|\d{1,5}\.[hH][kK])$/;

/** Reads `600519`, `sh600519`, `600519.SH`, `00700`, `hk00700` or `700.HK`. Returns null if no exchange uses the code. */
export function readSymbol(symbol: string): Security | null {
  const trimmed = symbol.trim();
  if (!SYMBOL.test(trimmed)) return null;
  const digits = trimmed.replaceAll(/\D/g, "");
  const letters = trimmed.replaceAll(/[^a-z]/gi, "").toLowerCase();
  const isHongKong = letters === "hk" || digits.length < 6;
  const code = isHongKong ? digits.padStart(5, "0") : digits;
  const market = isHongKong ? "hk" : mainlandMarket(digits);
  const named = letters === "ss" ? "sh" : letters;
  return market === null || (named !== "" && named !== market) ? null : { code, market, name: null, englishName: null };
}

function mainlandMarket(code: string): Market | null {
  if (/^(?:60[0135]|68[89]|900)\d{3}$/.test(code)) return "sh";
  if (/^(?:00[0-4]|20[0-2]|30[0-2])\d{3}$/.test(code)) return "sz";
  if (/^(?:4[023]\d|8[2378]\d|92\d)\d{3}$/.test(code)) return "bj";
  return null;
}

/** Returns `贵州茅台 (600519, Kweichow Moutai)`. Removes `Co., Ltd.`, because its full stops look like ends of sentences. */
export function labelOf({ code, name, englishName }: Security): string {
  const english = withoutLegalForm(englishName ?? "", "|Group|Holdings?");
  const added = [...(name === null ? [] : [code]), ...(english === "" ? [] : [english])];
  return added.length === 0 ? code : `${name ?? code} (${added.join(", ")})`;
}

export interface Column {
  readonly key: string;
  readonly name: string;
  readonly unit: string;
}

export function readColumns(table: string): readonly Column[] {
  const entries = table.trim().split(/[;\n]\s*/);
  return entries.map((entry) => {
    const [key = "", name = key, unit = ""] = entry.split(" ");
    return { key, name, unit };
  });
}

/** AKTools and Eastmoney send the price columns in this order. */
export function klineColumns({ market }: Security): readonly Column[] {
  const [money, volume] = market === "hk" ? ["港元", "股"] : ["元", "手"];
  return readColumns(`
开盘 开盘 ${money}; 收盘 收盘 ${money}; 最高 最高 ${money}; 最低 最低 ${money}; 成交量 成交量 ${volume}; 成交额 成交额 ${money}
振幅 振幅 %; 涨跌幅 涨跌幅 %; 涨跌额 涨跌额 ${money}; 换手率 换手率 %`);
}

const PERIODS = { daily: "日K线", weekly: "周K线", monthly: "月K线" } as const;
const ADJUSTMENTS = { none: "不复权", qfq: "前复权", hfq: "后复权" } as const;

export function klinePeriod({ period, adjust }: KlineRequest): string {
  return `${PERIODS[period]} ${ADJUSTMENTS[adjust]}`;
}

export type Row = Readonly<Record<string, unknown>>;

export function statementsOf(row: Row, columns: readonly Column[], { origin, ...when }: Omit<Statement, "figures">): Statement[] {
  return columns.flatMap((column) => {
    const figure = figureOf(row, column);
    return figure === null ? [] : [{ ...when, figures: [figure], origin: `${origin} ${column.key}` }];
  });
}

export function figureOf(row: Row, { key, name, unit }: Column): Figure | null {
  const value = spellValue(row[key], unit);
  return value === null ? null : { column: name, value, unit };
}

export function spellValue(value: unknown, unit = ""): string | null {
  if (typeof value === "number") return Number.isFinite(value) ? groupDigits(String(value)) : null;
  const text = textOf(value);
  if (text === "" || /^[-–—]+$/.test(text)) return null;
  return unit === "" ? text : groupDigits(text);
}

function groupDigits(text: string): string {
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) return text;
  const [whole = "", ...fraction] = text.split(".");
  return [whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ","), ...fraction].join(".");
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value.replaceAll(/\s+/g, " ").trim() : "";
}

/** Returns `2023-12-31` for a value that begins with `2023-12-31` or `20231231`; null for any other value. */
export function dayOf(value: unknown): string | null {
  const text = typeof value === "number" || typeof value === "string" ? String(value) : "";
  const [, year, month, day] = /^(\d{4})-?([01]\d)-?([0-3]\d)(?!\d)/.exec(text) ?? [];
  return year === undefined ? null : `${year}-${month}-${day}`;
}

export function beijingTime(milliseconds: number): string {
  return new Date(milliseconds + 8 * 3_600_000).toISOString().slice(0, 16).replace("T", " ");
}

export function isWithin(day: string, { start, end }: DateRange): boolean {
  return (start === null || day >= start) && (end === null || day <= end);
}
