import type { CallContext } from "../../domain/ports/sources.ts";

/** The exchange: Shanghai, Shenzhen, Beijing, Hong Kong. */
export type Market = "sh" | "sz" | "bj" | "hk";

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
