import { z } from "zod";
import { foldName, withoutLegalForm } from "../../domain/companies.ts";
import type { CallContext } from "../../domain/ports/sources.ts";
import type { Tool } from "../../domain/ports/tools.ts";
import type { ToolResult } from "../../domain/tool.ts";
import { DossierError, toDossierError } from "../../errors.ts";
import type { ToolEntry, ToolOptions } from "../shared/entry.ts";
import { AKTOOLS, createAktools, createAktoolsClient } from "./aktools.ts";
import { createEastmoney, findSecurities } from "./eastmoney.ts";
import { type Ask, createEastmoneyClient, EASTMONEY } from "./eastmoney-client.ts";
import { labelOf, type MarketData, readSymbol, type Security, type Statements, SYMBOL } from "./market-data.ts";
import { type Answered, formatStatements, type Topic } from "./rows.ts";

export const AKSHARE_SEARCH: ToolEntry = {
  name: "akshare_search",
  services: [
    {
      endpoint: EASTMONEY,
      title: "Eastmoney",
      description: "prices and reports of companies in mainland China and Hong Kong, for akshare_search",
      settings: { baseUrl: { variable: "EASTMONEY_BASE_URL" } },
    },
    {
      endpoint: AKTOOLS,
      title: "AKTools",
      description: "your own AKTools, which akshare_search asks before Eastmoney",
      settings: { baseUrl: { variable: "AKTOOLS_BASE_URL", required: true } },
    },
  ],
  create: createAkshareSearch,
};

const DaySchema = z.iso.date();
const words = (maxLength: number) => z.string().trim().min(1).max(maxLength);

export const ArgumentsSchema = z
  .strictObject({
    action: z
      .enum(["profile", "quote", "kline", "financials"])
      .optional()
      .describe(
        "Left out: what the company is, its newest price and latest figures. profile: what the company is; quote: newest price and market value; kline: past prices; financials: revenue, profit, balance sheet and cash flow by reporting period.",
      ),
    symbol: z
      .string()
      .regex(SYMBOL)
      .optional()
      .describe("Six digits for a mainland share (600519, sh600519, 600519.SH), five for a Hong Kong share (00700, 00700.HK)."),
    name: words(60).optional().describe("The company's name, Chinese or English, where the symbol is not known."),
    query: words(200).optional().describe("A code or a company's name. Give exactly one of symbol, name and query."),
    start_date: DaySchema.optional().describe("The first day, 2023-01-01; for kline and financials."),
    end_date: DaySchema.optional().describe("The last day, 2023-12-31."),
    period: z.enum(["daily", "weekly", "monthly"]).default("daily").describe("Of kline."),
    adjust: z.enum(["none", "qfq", "hfq"]).default("none").describe("Of kline: prices as traded, adjusted forward or backward."),
    reports: z.enum(["annual", "all"]).default("all").describe("Of financials: only annual reports, or all."),
  })
  .refine(
    ({ symbol, name, query }) => [symbol, name, query].filter((one) => one !== undefined).length === 1,
    "Give exactly one of symbol, name and query.",
  )
  .refine(
    ({ start_date, end_date }) => start_date === undefined || end_date === undefined || start_date <= end_date,
    "start_date is after end_date.",
  );
type Arguments = z.infer<typeof ArgumentsSchema>;
type Action = NonNullable<Arguments["action"]>;

const DESCRIPTION =
  "Figures of companies listed in mainland China and Hong Kong: profile, price, past prices, financial reports. By code or by name. Not for US companies.";
const TIMEOUT_MS = 60_000;
const MAX_PERIODS = 5;

export function createAkshareSearch({ fetch, configured }: ToolOptions): Tool<Arguments> {
  const openEastmoney = createEastmoneyClient(fetch);
  const openAktools = createAktoolsClient(fetch);
  return {
    name: "akshare_search",
    description: DESCRIPTION,
    kind: "query",
    schema: ArgumentsSchema,
    timeoutMs: TIMEOUT_MS,
    async call(args, context) {
      const ask = openEastmoney(context);
      const aktools = configured.has(AKTOOLS.id) ? [createAktools(openAktools(context), Date.now)] : [];
      const asked = args.symbol ?? args.name ?? args.query ?? "";
      const { share, others } = await findShare(asked, ask);
      if (share === null) return { text: formatNear(asked, others), sources: [] };
      const services = [...aktools, createEastmoney(ask)].filter(({ markets }) => markets.includes(share.market));
      const results = await askAll(args, share, services, context);
      const same = others.length === 0 ? [] : [`Other shares of that name: ${others.map(labelOf).join("; ")}.`];
      return { ...results, text: [results.text, ...same].join("\n") };
    },
  };
}

interface Found {
  /** Null unless the name is that of one company. */
  readonly share: Security | null;
  /** Other shares of the company, or the companies with a similar name. */
  readonly others: readonly Security[];
}

/** Asks no service for a code. @throws DossierError `invalid_arguments` for a code of no exchange */
async function findShare(asked: string, ask: Ask): Promise<Found> {
  const coded = readSymbol(asked);
  if (coded !== null) return { share: coded, others: [] };
  if (SYMBOL.test(asked))
    throw new DossierError("invalid_arguments", `${asked} is no code of a share in Shanghai, Shenzhen, Beijing or Hong Kong.`);
  // The service finds 深度求索, not 深度求索公司. 有限公司 belongs to a company's whole name.
  const bare = withoutLegalForm(asked.replace(/(?<!有限|责任|股份)公司$/, ""));
  const found = await findSecurities(ask, bare || asked);
  const named = found.filter((share) => isNamed(share, asked));
  const [share, ...others] = named;
  return share !== undefined && others.every(({ name }) => name === share.name) ? { share, others } : { share: null, others: found };
}

/** Whether the text has the whole short or English name: 贵州茅台酒股份有限公司 has 贵州茅台, and 苹果 does not have 苹果园林. */
function isNamed({ name, englishName }: Security, text: string): boolean {
  const names = [name, withoutLegalForm(englishName ?? "")].map((one) => foldName(one ?? ""));
  return names.some((one) => one !== "" && foldName(text).includes(one));
}

function formatNear(asked: string, near: readonly Security[]): string {
  if (near.length === 0)
    return `No company listed in Shanghai, Shenzhen, Beijing or Hong Kong goes by ${asked}. It may not be listed, be listed elsewhere, or go by another name.`;
  const listed = near.map((share) => `${labelOf(share)}, ${share.market.toUpperCase()}`).join("; ");
  return `${asked} may mean: ${listed}. Ask again with the code of one.`;
}

/** Without an action, answers with what could be read of three. */
async function askAll(args: Arguments, share: Security, services: readonly MarketData[], context: CallContext): Promise<ToolResult> {
  const actions: readonly Action[] = args.action === undefined ? ["profile", "quote", "financials"] : [args.action];
  const settled = await Promise.allSettled(
    actions.map(async (action) => formatStatements(share, topicOf(action, args, share), await firstAnswer(action, args, share, services))),
  );
  context.signal.throwIfAborted();
  const results = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const failures = settled.flatMap((one) => (one.status === "rejected" ? [toDossierError(one.reason, "tool_failed")] : []));
  if (results.length === 0 && failures[0] !== undefined) throw failures[0];
  const messages = failures.map(({ message }) => message);
  const incomplete = [...results.flatMap((result) => result.incomplete ?? []), ...messages];
  return {
    text: [...results.map(({ text }) => text), ...messages].join("\n"),
    sources: results.flatMap(({ sources }) => sources),
    ...(incomplete.length > 0 && { incomplete: incomplete.join(" ") }),
  };
}

/** Asks the services in turn. @throws DossierError that names each failure, if none answers */
async function firstAnswer(action: Action, args: Arguments, share: Security, services: readonly MarketData[]): Promise<Answered> {
  const notes: string[] = [];
  let last = new DossierError("internal", "No service of market data is set up.");
  for (const service of services) {
    try {
      return { value: await ask(action, args, share, service), by: service.title, notes };
    } catch (error) {
      last = toDossierError(error, "tool_failed");
      notes.push(`${service.title} could not say: ${last.message}`);
    }
  }
  throw new DossierError(last.code, notes.join(" "), { cause: last });
}

function ask(action: Action, args: Arguments, share: Security, service: MarketData): Promise<Statements> {
  const range = { start: args.start_date ?? null, end: args.end_date ?? null };
  switch (action) {
    case "profile":
      return service.profile(share);
    case "quote":
      return service.quote(share);
    case "kline":
      return service.klines(share, { ...range, period: args.period, adjust: args.adjust });
    case "financials":
      return service.financials(share, {
        ...range,
        annualOnly: args.reports === "annual",
        periods: args.action === undefined ? 1 : MAX_PERIODS,
      });
  }
}

const F10 = "https://emweb.securities.eastmoney.com";
const pageOf = (share: Security, mainland: string, hongKong: string): string =>
  share.market === "hk"
    ? `${F10}/PC_HKF10/pages/home/index.html?code=${share.code}&type=web&color=w#/${hongKong}`
    : `${F10}/pc_hsf10/pages/index.html?type=web&code=${share.market.toUpperCase()}${share.code}&color=b#/${mainland}`;
const quotePage = ({ code, market }: Security): string =>
  `https://quote.eastmoney.com/${market === "hk" || market === "bj" ? `${market}/` : market}${code}.html`;

type Subject = readonly [english: string, chinese: string, page: (share: Security) => string];

const SUBJECTS: Readonly<Record<Action, Subject>> = {
  profile: ["company profile", "公司概况 基本情况", (share) => pageOf(share, "gsgk", "CompanyProfile")],
  quote: ["quote, stock price", "行情 股价", quotePage],
  kline: ["k-line, past prices", "K线 历史股价", (share) => `${quotePage(share)}#fullScreenChart`],
  financials: ["financial reports", "财务报表 财报", (share) => pageOf(share, "cwfx", "NewFinancialAnalysis")],
};

/** Requests with different dates or options get different URLs, and so count as different sources. */
function topicOf(action: Action, { start_date: start, end_date: end, period, adjust, reports }: Arguments, share: Security): Topic {
  const [english, chinese, pageFor] = SUBJECTS[action];
  const page = pageFor(share);
  const marks = [
    ...(action === "kline" ? [period, ...(adjust === "none" ? [] : [adjust])] : []),
    ...(action === "financials" && reports === "annual" ? [reports] : []),
    ...(start === undefined && end === undefined ? [] : [`${start ?? ""}..${end ?? ""}`]),
  ];
  return { english, chinese, page: marks.length === 0 ? page : `${page}${page.includes("#") ? "," : "#"}${marks.join(",")}` };
}
