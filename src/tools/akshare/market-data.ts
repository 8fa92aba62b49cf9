import { withoutLegalForm } from "../../domain/companies.ts";

type Market = "sh" | "sz" | "bj" | "hk";

export interface Security {
  readonly code: string;
  readonly market: Market;
  /** The short Chinese name; null if only the code is known. */
  readonly name: string | null;
  readonly englishName: string | null;
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

export interface Statements {
  /** The short Chinese name of the company, if the answer has it. */
  readonly name: string | null;
  readonly rows: readonly Statement[];
  /** One sentence for each part that could not be read. */
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
  /** The most reporting periods to return, newest first. */
  readonly periods: number;
}

/** The most lines of a price table to return, newest last. */
export const MAX_LINES = 60;

/** A service of market data within one call. Methods return no rows if the service has no data, and throw if it fails. */
export interface MarketData {
  readonly title: string;
  readonly markets: readonly Market[];
  profile(security: Security): Promise<Statements>;
  quote(security: Security): Promise<Statements>;
  klines(security: Security, request: KlineRequest): Promise<Statements>;
  financials(security: Security, request: ReportRequest): Promise<Statements>;
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
  const english = withoutLegalForm(englishName ?? "");
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

/** Reads lines of a price table, oldest first. A line without a day in the range, or without a figure, is left out. */
export function klineRows(lines: readonly Row[], security: Security, request: KlineRequest, origin: string): Statement[] {
  const columns = klineColumns(security);
  const period = `${PERIODS[request.period]} ${ADJUSTMENTS[request.adjust]}`;
  const rows = lines.flatMap((line): Statement[] => {
    const date = dayOf(line["日期"]);
    const figures = columns.flatMap((column) => figureOf(line, column) ?? []);
    return date !== null && figures.length > 0 && isWithin(date, request) ? [{ date, period, figures, origin }] : [];
  });
  return rows.slice(-MAX_LINES);
}

export type Row = Readonly<Record<string, unknown>>;

/** Returns one statement for each column that has a value. */
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

function spellValue(value: unknown, unit: string): string | null {
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
