import type { Tool, ToolContext } from "../../domain/ports/tools.ts";
import type { ToolResult } from "../../domain/tool.ts";
import { toDossierError } from "../../errors.ts";
import type { ToolOptions } from "../services/entry.ts";
import { AKTOOLS, createAktools } from "./aktools.ts";
import { type Arguments, ArgumentsSchema, type AskedArguments } from "./arguments.ts";
import { createEastmoney } from "./eastmoney.ts";
import { findOne, resolveCompany, tellFound, tellNear, tellUnlisted } from "./find-company.ts";
import { type Answered, firstAnswer, labelOf, type MarketData, type Security, type Statement, type Told } from "./market-data.ts";
import { type Topic, tellArticles, tellStatements } from "./rows.ts";

const F10 = "https://emweb.securities.eastmoney.com";

/** The pages at which a reader finds what a service said of a share. */
const PAGES = {
  profile: (share: Security): string => (share.market === "hk" ? hongKong(share, "CompanyProfile") : mainland(share, "gsgk")),
  financials: (share: Security): string => (share.market === "hk" ? hongKong(share, "NewFinancialAnalysis") : mainland(share, "cwfx")),
  quote: ({ code, market }: Security): string =>
    `https://quote.eastmoney.com/${market === "hk" || market === "bj" ? `${market}/${code}` : `${market}${code}`}.html`,
  kline: (share: Security): string => `${PAGES.quote(share)}#fullScreenChart`,
  news: ({ code, name }: Security): string => `https://so.eastmoney.com/news/s?keyword=${encodeURIComponent(name ?? code)}`,
  announcements: ({ code, market }: Security): string =>
    market === "hk"
      ? `https://emweb.securities.eastmoney.com/PC_HKF10/pages/home/index.html?code=${code}#/CompanyNotice`
      : `https://data.eastmoney.com/notices/stock/${code}.html`,
  find: (name: string): string => `https://so.eastmoney.com/web/s?keyword=${encodeURIComponent(name)}`,
};

function mainland({ code, market }: Security, page: string): string {
  return `${F10}/pc_hsf10/pages/index.html?type=web&code=${market.toUpperCase()}${code}&color=b#/${page}`;
}

function hongKong({ code }: Security, page: string): string {
  return `${F10}/PC_HKF10/pages/home/index.html?code=${code}&type=web&color=w#/${page}`;
}

const DESCRIPTION =
  "Figures of companies listed in mainland China and Hong Kong: profile, price, past prices, financial reports, news, announcements. By code or by name. Not for US companies.";
const TIMEOUT_MS = 60_000;

/** `akshare_search`: an AKTools server where the operator has one, and Eastmoney's public addresses. */
export function createAkshareSearch({ fetch, configured }: ToolOptions): Tool<Arguments> {
  const services = [...(configured.has(AKTOOLS.id) ? [createAktools(fetch, Date.now)] : []), createEastmoney(fetch)];
  return {
    name: "akshare_search",
    description: DESCRIPTION,
    kind: "query",
    schema: ArgumentsSchema,
    timeoutMs: TIMEOUT_MS,
    call: (args, context) => (isAsked(args) ? answer(args, services, context) : lookUp(args, services, context)),
  };
}

function isAsked(args: Arguments): args is AskedArguments {
  return args.action !== undefined;
}

async function answer(args: AskedArguments, services: readonly MarketData[], context: ToolContext): Promise<ToolResult> {
  const resolved = await resolveCompany(args, services, context);
  const [share, ...others] = resolved.shares;
  if (share === undefined) return tellUnlisted(args, resolved);
  if (args.action === "find") return tellFound(args, resolved);
  const result = await ask(args, share, services, context);
  const also = others.length === 0 ? [] : [`Other shares of that name: ${others.map(labelOf).join("; ")}.`];
  return { ...result, text: [...resolved.notes, ...also, result.text].join("\n") };
}

/** What a company is, its newest price and its latest reports; where it is not clear which is meant, what else can be asked. */
async function lookUp(args: Arguments, services: readonly MarketData[], context: ToolContext): Promise<ToolResult> {
  const asked = args.symbol ?? args.name ?? args.query ?? "";
  const found = await findOne(asked, services, context);
  if (found.share === null) return { text: tellNear(asked, found.near), sources: [] };
  const { share, others } = found;
  const told = await Promise.allSettled(
    (["profile", "quote", "financials"] as const).map((action) => ask({ ...args, action }, share, services, context, 1)),
  );
  context.signal.throwIfAborted();
  const results = told.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const failures = told.flatMap((one) => (one.status === "rejected" ? [toDossierError(one.reason, "tool_failed")] : []));
  if (results.length === 0 && failures[0] !== undefined) throw failures[0];
  const more = others.length === 0 ? [] : [`Other shares of that name: ${others.map(labelOf).join("; ")}.`];
  const incomplete = failures.map(({ message }) => message);
  return {
    text: [...results.map(({ text }) => text), ...incomplete, ...more].join("\n"),
    sources: results.flatMap(({ sources }) => sources),
    ...(incomplete.length > 0 && { incomplete: incomplete.join(" ") }),
  };
}

/** @param periods the most of the newest reporting periods that are told; all where left out */
async function ask(
  args: AskedArguments,
  share: Security,
  services: readonly MarketData[],
  context: ToolContext,
  periods = Number.POSITIVE_INFINITY,
): Promise<ToolResult> {
  const range = { start: args.start_date ?? null, end: args.end_date ?? null };
  const first = <T>(question: (service: MarketData) => Promise<T>): Promise<Answered<T>> => firstAnswer(services, context, question);
  const topic = topicOf(args, share);
  switch (args.action) {
    case "quote":
      return tellStatements(share, topic, await first((service) => service.quote(share, context)));
    case "kline": {
      const request = { ...range, period: args.period, adjust: args.adjust };
      return tellStatements(share, topic, await first((service) => service.klines(share, request, context)));
    }
    case "financials": {
      const request = { ...range, annualOnly: args.reports === "annual" };
      const told = await first((service) => service.financials(share, request, context));
      return tellStatements(share, topic, { ...told, value: newest(told.value, periods) });
    }
    case "news":
      return tellArticles(share, topic, await first((service) => service.news(share, context)));
    case "announcements":
      return tellArticles(share, topic, await first((service) => service.announcements(share, range, context)));
    default:
      return tellStatements(share, topic, await first((service) => service.profile(share, context)));
  }
}

function newest(told: Told<Statement>, periods: number): Told<Statement> {
  const days = [...new Set(told.rows.map(({ date }) => date ?? ""))].toSorted().reverse().slice(0, periods);
  return { ...told, rows: told.rows.filter(({ date }) => days.includes(date ?? "")) };
}

const TOPICS: Readonly<Record<Exclude<AskedArguments["action"], "find">, readonly [string, string]>> = {
  profile: ["company profile", "公司概况 基本情况"],
  quote: ["quote, stock price", "行情 股价"],
  kline: ["k-line, past prices", "K线 历史股价"],
  financials: ["financial reports", "财务报表 财报"],
  news: ["news", "新闻"],
  announcements: ["announcements", "公告"],
};

function topicOf(args: AskedArguments, share: Security): Topic {
  const action = args.action === "find" ? "profile" : args.action;
  const [english, chinese] = TOPICS[action];
  return { english, chinese, page: withRange(PAGES[action](share), args) };
}

/** Two ranges of one page are two documents. */
function withRange(page: string, { start_date, end_date, action, period, adjust, reports }: AskedArguments): string {
  const marks = [
    ...(action === "kline" ? [period, ...(adjust === "none" ? [] : [adjust])] : []),
    ...(action === "financials" && reports === "annual" ? [reports] : []),
    ...(start_date === undefined && end_date === undefined ? [] : [`${start_date ?? ""}..${end_date ?? ""}`]),
  ];
  return marks.length === 0 ? page : `${page}${page.includes("#") ? "," : "#"}${marks.join(",")}`;
}
