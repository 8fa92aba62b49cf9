import { z } from "zod";
import type { CallContext } from "../../domain/ports/sources.ts";
import type { Tool } from "../../domain/ports/tools.ts";
import type { ToolResult } from "../../domain/tool.ts";
import { toDossierError } from "../../errors.ts";
import type { ToolOptions } from "../shared/entry.ts";
import { AKTOOLS, createAktools } from "./aktools.ts";
import { createEastmoney } from "./eastmoney.ts";
import { findOne, findShares, formatFound, formatNear } from "./find-company.ts";
import { type Answered, firstAnswer, labelOf, type MarketData, type Rows, type Security, type Statement, SYMBOL } from "./market-data.ts";
import { formatArticles, formatStatements, type Topic } from "./rows.ts";

const DaySchema = z.iso.date();
const words = (maxLength: number) => z.string().trim().min(1).max(maxLength);
const NAMES = ["symbol", "name", "query"] as const;

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
    name: words(60)
      .optional()
      .describe("The company's name, Chinese or English, where the symbol is not known; only one of symbol and name."),
    query: words(200).optional().describe("A code or a company's name. Without action it is looked up."),
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
type Arguments = z.infer<typeof ArgumentsSchema>;
type LookUpArguments = Omit<Arguments, "action">;
type AskedArguments = LookUpArguments & { readonly action: NonNullable<Arguments["action"]> };

const DESCRIPTION =
  "Figures of companies listed in mainland China and Hong Kong: profile, price, past prices, financial reports, news, announcements. By code or by name. Not for US companies.";
const TIMEOUT_MS = 60_000;

export function createAkshareSearch({ fetch, configured }: ToolOptions): Tool<Arguments> {
  const services = [...(configured.has(AKTOOLS.id) ? [createAktools(fetch, Date.now)] : []), createEastmoney(fetch)];
  return {
    name: "akshare_search",
    description: DESCRIPTION,
    kind: "query",
    schema: ArgumentsSchema,
    timeoutMs: TIMEOUT_MS,
    call: ({ action, ...args }, context) =>
      action === undefined ? lookUp(args, services, context) : answer({ ...args, action }, services, context),
  };
}

async function answer(args: AskedArguments, services: readonly MarketData[], context: CallContext): Promise<ToolResult> {
  const found = await findShares(args, args.action === "find", services, context);
  const [share, ...others] = found.shares;
  if (share === undefined || args.action === "find") return { text: formatFound(args, found), sources: [] };
  const result = await ask(args, share, services, context);
  return { ...result, text: [...found.notes, ...formatOthers(others), result.text].join("\n") };
}

async function lookUp(args: LookUpArguments, services: readonly MarketData[], context: CallContext): Promise<ToolResult> {
  const asked = args.symbol ?? args.name ?? args.query ?? "";
  const found = await findOne(asked, services, context);
  if (found.share === null) return { text: formatNear(asked, found.near), sources: [] };
  const { share, others } = found;
  const settled = await Promise.allSettled(
    (["profile", "quote", "financials"] as const).map((action) => ask({ ...args, action }, share, services, context, 1)),
  );
  context.signal.throwIfAborted();
  const results = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const failures = settled.flatMap((one) => (one.status === "rejected" ? [toDossierError(one.reason, "tool_failed")] : []));
  if (results.length === 0 && failures[0] !== undefined) throw failures[0];
  const messages = failures.map(({ message }) => message);
  const incomplete = [...results.flatMap((result) => result.incomplete ?? []), ...messages];
  return {
    text: [...results.map(({ text }) => text), ...messages, ...formatOthers(others)].join("\n"),
    sources: results.flatMap(({ sources }) => sources),
    ...(incomplete.length > 0 && { incomplete: incomplete.join(" ") }),
  };
}

function formatOthers(others: readonly Security[]): string[] {
  return others.length === 0 ? [] : [`Other shares of that name: ${others.map(labelOf).join("; ")}.`];
}

async function ask(
  args: AskedArguments,
  share: Security,
  services: readonly MarketData[],
  context: CallContext,
  periods = Number.POSITIVE_INFINITY,
): Promise<ToolResult> {
  const range = { start: args.start_date ?? null, end: args.end_date ?? null };
  const first = <T>(question: (service: MarketData) => Promise<T>): Promise<Answered<T>> => firstAnswer(services, context, question);
  const topic = topicOf(args, share);
  switch (args.action) {
    case "quote":
      return formatStatements(share, topic, await first((service) => service.quote(share, context)));
    case "kline": {
      const request = { ...range, period: args.period, adjust: args.adjust };
      return formatStatements(share, topic, await first((service) => service.klines(share, request, context)));
    }
    case "financials": {
      const request = { ...range, annualOnly: args.reports === "annual" };
      const answered = await first((service) => service.financials(share, request, context));
      return formatStatements(share, topic, { ...answered, value: newest(answered.value, periods) });
    }
    case "news":
      return formatArticles(share, topic, await first((service) => service.news(share, context)));
    case "announcements":
      return formatArticles(share, topic, await first((service) => service.announcements(share, range, context)));
    default:
      return formatStatements(share, topic, await first((service) => service.profile(share, context)));
  }
}

function newest(answer: Rows<Statement>, periods: number): Rows<Statement> {
  const days = [...new Set(answer.rows.map(({ date }) => date ?? ""))].toSorted().reverse().slice(0, periods);
  return { ...answer, rows: answer.rows.filter(({ date }) => days.includes(date ?? "")) };
}

const F10 = "https://emweb.securities.eastmoney.com";
const pageOf = (share: Security, mainland: string, hongKong: string): string =>
  share.market === "hk"
    ? `${F10}/PC_HKF10/pages/home/index.html?code=${share.code}&type=web&color=w#/${hongKong}`
    : `${F10}/pc_hsf10/pages/index.html?type=web&code=${share.market.toUpperCase()}${share.code}&color=b#/${mainland}`;
const quotePage = ({ code, market }: Security): string =>
  `https://quote.eastmoney.com/${market === "hk" || market === "bj" ? `${market}/` : market}${code}.html`;

type Subject = readonly [english: string, chinese: string, page: (share: Security) => string];

const SUBJECTS: Readonly<Record<Exclude<AskedArguments["action"], "find">, Subject>> = {
  profile: ["company profile", "公司概况 基本情况", (share) => pageOf(share, "gsgk", "CompanyProfile")],
  quote: ["quote, stock price", "行情 股价", quotePage],
  kline: ["k-line, past prices", "K线 历史股价", (share) => `${quotePage(share)}#fullScreenChart`],
  financials: ["financial reports", "财务报表 财报", (share) => pageOf(share, "cwfx", "NewFinancialAnalysis")],
  news: ["news", "新闻", ({ code, name }) => `https://so.eastmoney.com/news/s?keyword=${encodeURIComponent(name ?? code)}`],
  announcements: [
    "announcements",
    "公告",
    ({ code, market }) =>
      market === "hk"
        ? `${F10}/PC_HKF10/pages/home/index.html?code=${code}#/CompanyNotice`
        : `https://data.eastmoney.com/notices/stock/${code}.html`,
  ],
};

function topicOf(args: AskedArguments, share: Security): Topic {
  const [english, chinese, page] = SUBJECTS[args.action === "find" ? "profile" : args.action];
  return { english, chinese, page: withRange(page(share), args) };
}

/** Requests with different dates or options get different URLs, and so count as different sources. */
function withRange(page: string, { start_date, end_date, action, period, adjust, reports }: AskedArguments): string {
  const marks = [
    ...(action === "kline" ? [period, ...(adjust === "none" ? [] : [adjust])] : []),
    ...(action === "financials" && reports === "annual" ? [reports] : []),
    ...(start_date === undefined && end_date === undefined ? [] : [`${start_date ?? ""}..${end_date ?? ""}`]),
  ];
  return marks.length === 0 ? page : `${page}${page.includes("#") ? "," : "#"}${marks.join(",")}`;
}
