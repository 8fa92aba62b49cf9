import { z } from "zod";
import { SYMBOL } from "./market-data.ts";

const DaySchema = z.iso.date();
/** What says which company is asked about. */
const NAMES = ["symbol", "name", "query"] as const;

/** What `akshare_search` may be asked. */
export const ArgumentsSchema = z
  .strictObject({
    action: z
      .enum(["find", "profile", "quote", "kline", "financials", "news", "announcements"])
      .optional()
      .describe(
        "Left out, query is looked up: what the company is, its newest price and latest figures. find: which share a company has; profile: what the company is; quote: newest price and market value; kline: past prices; financials: revenue, profit, balance sheet and cash flow by reporting period; news; announcements.",
      ),
    symbol: z
      .string()
      .regex(SYMBOL)
      .optional()
      .describe("Six digits for a mainland share (600519, sh600519, 600519.SH), five for a Hong Kong share (00700, 00700.HK)."),
    name: z
      .string()
      .trim()
      .min(1)
      .max(60)
      .optional()
      .describe("The company's name, Chinese or English, where the symbol is not known; only one of symbol and name."),
    query: z.string().trim().min(1).max(200).optional().describe("A code or a company's name. Without action it is looked up."),
    start_date: DaySchema.optional().describe("The first day, 2023-01-01; for kline, financials and announcements."),
    end_date: DaySchema.optional().describe("The last day, 2023-12-31."),
    period: z.enum(["daily", "weekly", "monthly"]).default("daily").describe("Of kline."),
    adjust: z.enum(["none", "qfq", "hfq"]).default("none").describe("Of kline: prices as traded, adjusted forward or backward."),
    reports: z.enum(["annual", "all"]).default("all").describe("Of financials: only annual reports, or all."),
  })
  .superRefine((named, context) => {
    const given = NAMES.filter((name) => named[name] !== undefined);
    if (given.length !== 1) context.addIssue({ code: "custom", path: [], message: "Give exactly one of symbol, name and query." });
  })
  .refine(
    ({ start_date, end_date }) => start_date === undefined || end_date === undefined || start_date <= end_date,
    "start_date is after end_date.",
  );
export type Arguments = z.infer<typeof ArgumentsSchema>;

/** Arguments that say what is wanted. */
export type AskedArguments = Arguments & { readonly action: NonNullable<Arguments["action"]> };
