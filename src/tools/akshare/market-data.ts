import type { CallContext } from "../../domain/ports/sources.ts";
import { DossierError, toDossierError } from "../../errors.ts";

/** A name to compare by: full-width letters, spaces and capitals make no other name, `万  科Ａ` is `万科A`. */
export function plainName(name: string): string {
  return name.normalize("NFKC").replaceAll(/\s+/g, "").toLowerCase();
}

/** The exchange: Shanghai, Shenzhen, Beijing, Hong Kong. */
type Market = "sh" | "sz" | "bj" | "hk";

/** A share by its code: six digits on the mainland, five in Hong Kong. */
export interface Security {
  readonly code: string;
  readonly market: Market;
  /** As the exchange abbreviates it, in Chinese; null where only the code is known so far. */
  readonly name: string | null;
  /** Null where nobody has said it. */
  readonly englishName: string | null;
  /** Whole names of the company, where the service has told them. */
  readonly wholeNames?: readonly string[];
}

/** One value of one column, as the service names and spells it. */
export interface Figure {
  readonly column: string;
  readonly value: string;
  /** Empty for texts and where the service does not say. */
  readonly unit: string;
}

/** One row that can be cited alone. */
export interface Statement {
  /** `2023-12-31`, or with the minute in Beijing time; null where the service dates nothing. */
  readonly date: string | null;
  /** What the date stands for, as the service names it: `2023年 年报`; may be empty. */
  readonly period: string;
  readonly figures: readonly Figure[];
  /** Function or report, and the field: `RPT_LICO_FN_CPD TOTAL_OPERATE_INCOME`. */
  readonly origin: string;
}

/** Something that was published about a company. */
export interface Article {
  readonly title: string;
  readonly url: string;
  readonly date: string | null;
  /** The publisher, or the kind of announcement. */
  readonly from: string;
  readonly excerpt: string;
  readonly origin: string;
  /** Where the whole text can be read, when that is not `url`. */
  readonly file: string | null;
}

/** What a service said of a share, under the name it uses for it. */
export interface Told<T> {
  readonly name: string | null;
  readonly rows: readonly T[];
}

/** Days as `2023-12-31`, both included; null is open. */
export interface DateRange {
  readonly start: string | null;
  readonly end: string | null;
}

export interface KlineRequest extends DateRange {
  readonly period: "daily" | "weekly" | "monthly";
  /** Prices as traded, or adjusted to today's shares (`qfq`) or the first day's (`hfq`). */
  readonly adjust: "none" | "qfq" | "hfq";
}

export interface ReportRequest extends DateRange {
  /** Only reports of whole years. */
  readonly annualOnly: boolean;
}

/** Who can be asked about Chinese and Hong Kong shares. No rows mean that it looked and has none; what could not look throws. */
export interface MarketData {
  /** For readers: `AKTools`. */
  readonly title: string;
  /** Shares of that name, best first. */
  find(name: string, context: CallContext): Promise<readonly Security[]>;
  profile(security: Security, context: CallContext): Promise<Told<Statement>>;
  quote(security: Security, context: CallContext): Promise<Told<Statement>>;
  klines(security: Security, request: KlineRequest, context: CallContext): Promise<Told<Statement>>;
  financials(security: Security, request: ReportRequest, context: CallContext): Promise<Told<Statement>>;
  news(security: Security, context: CallContext): Promise<Told<Article>>;
  announcements(security: Security, range: DateRange, context: CallContext): Promise<Told<Article>>;
}

/** A field of an answer: its key there, the Chinese name of the column, its unit. */
export interface Column {
  readonly key: string;
  readonly name: string;
  readonly unit: string;
}

export const column = (key: string, name: string, unit = ""): Column => ({ key, name, unit });

/** What a row says in a column; null where it says nothing: null, an empty text, a dash. */
export function figureOf(row: Readonly<Record<string, unknown>>, { key, name, unit }: Column): Figure | null {
  const value = spellValue(row[key], unit);
  return value === null ? null : { column: name, value, unit };
}

/** A number with its digits in groups of three and nothing rounded, a text without line breaks. */
export function spellValue(value: unknown, unit = ""): string | null {
  if (typeof value === "number") return Number.isFinite(value) ? spellNumber(String(value)) : null;
  if (typeof value !== "string") return null;
  const text = value.replaceAll(/\s+/g, " ").trim();
  if (text === "" || /^[-–—]+$/.test(text)) return null;
  return unit !== "" && /^-?\d+(?:\.\d+)?$/.test(text) ? spellNumber(text) : text;
}

function spellNumber(digits: string): string {
  if (!/^-?\d+(?:\.\d+)?$/.test(digits)) return digits;
  const [whole = "", fraction] = digits.split(".");
  const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** `2023-12-31` out of `2023-12-31 00:00:00`, `2023-12-31T00:00:00.000` and `20231231`; null otherwise. */
export function dayOf(value: unknown): string | null {
  const text = typeof value === "number" || typeof value === "string" ? String(value) : "";
  const [, year, month, day] = /^(\d{4})-?([01]\d)-?([0-3]\d)(?!\d)/.exec(text) ?? [];
  return year === undefined ? null : `${year}-${month}-${day}`;
}

/** Whether a day lies in a range, both ends included. */
export function isWithin(day: string, { start, end }: { readonly start: string | null; readonly end: string | null }): boolean {
  return (start === null || day >= start) && (end === null || day <= end);
}

/** `600519`, `sh600519`, `600519.SH`, `00700`, `hk00700`, `700.HK`. */
export const SYMBOL = /^(?:(?:[sS][hHzZ]|[bB][jJ])?\d{6}|\d{6}\.(?:[sS][hHzZsS]|[bB][jJ])|(?:[hH][kK])?\d{5}|\d{1,5}\.[hH][kK])$/;

/** The share that a symbol names; null where no exchange gives out such a code. */
export function readSymbol(symbol: string): Security | null {
  const trimmed = symbol.trim();
  if (!SYMBOL.test(trimmed)) return null;
  const digits = trimmed.replaceAll(/\D/g, "");
  const letters = trimmed.replaceAll(/[^a-z]/gi, "").toLowerCase();
  if (letters === "hk" || digits.length < 6) return security(digits.padStart(5, "0"), "hk");
  const market = marketOf(digits);
  const named = letters === "ss" ? "sh" : letters;
  return market === null || (named !== "" && named !== market) ? null : security(digits, market);
}

/** Where a mainland share is listed, by the ranges in which the exchanges give out codes. */
function marketOf(code: string): Market | null {
  if (/^(?:60[0135]|68[89]|900)\d{3}$/.test(code)) return "sh";
  if (/^(?:00[0-4]|20[0-2]|30[0-2])\d{3}$/.test(code)) return "sz";
  if (/^(?:4[023]\d|8[2378]\d|92\d)\d{3}$/.test(code)) return "bj";
  return null;
}

function security(code: string, market: Market): Security {
  return { code, market, name: null, englishName: null };
}

/** As in `贵州茅台 (600519, Kweichow Moutai)`. */
export function labelOf({ code, name, englishName }: Security): string {
  const english = englishName?.replace(SUFFIX, "").trim();
  return `${name ?? code}${name === null && !english ? "" : ` (${[...(name === null ? [] : [code]), ...(english ? [english] : [])].join(", ")})`}`;
}

/** What says only that a company is one; its full stops would also look like ends of sentences. */
const SUFFIX = /[\s,]+(?:(?:Co|Corp|Inc|Ltd|Limited|Company|Corporation|Group|Holdings?)\b[\s.,]*)+$/i;

/** What came out, who said it, and what went wrong before. */
export interface Answered<T> {
  readonly value: T;
  readonly by: string;
  /** Empty where the first one answered. */
  readonly notes: readonly string[];
}

/**
 * Asks one after the other until one answers. An answer of nothing is one, except where `isAnswer` says otherwise: then the
 * last one, who knows most, decides.
 * @throws DossierError with the code of the last one's error where that could not look, telling what became of all
 */
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
  throw new DossierError("internal", "There is no service of market data to ask.");
}
