import type { Tool, ToolContext } from "../../domain/ports/tool.ts";
import type { ToolResult } from "../../domain/tool.ts";
import type { ToolEntry, ToolOptions } from "../services/tool-entry.ts";
import { createAktools } from "./aktools/aktools.ts";
import { AKTOOLS } from "./aktools/endpoint.ts";
import { type Arguments, ArgumentsSchema } from "./arguments.ts";
import { createEastmoney } from "./eastmoney/eastmoney.ts";
import { EASTMONEY } from "./eastmoney/endpoint.ts";
import type { MarketData, Security } from "./market-data.ts";
import { PAGES } from "./pages.ts";
import { type Resolved, resolveCompany } from "./resolve-company.ts";
import { labelOf } from "./symbol.ts";
import { type Topic, tellArticles, tellStatements } from "./tell.ts";
import { type Answered, firstAnswer } from "./with-fallback.ts";

const DESCRIPTION =
  "Figures of companies listed in mainland China and Hong Kong: profile, price, past prices, financial reports, news, announcements. By code or by name. Not for US companies.";
const TIMEOUT_MS = 60_000;

/** `akshare_search`: an AKTools server where the operator has one, and Eastmoney's public addresses. */
export const AKSHARE_SEARCH: ToolEntry = { name: "akshare_search", endpoints: [EASTMONEY, AKTOOLS], create: createAkshareSearch };

function createAkshareSearch({ fetch, configured }: ToolOptions): Tool<Arguments> {
  const services = [...(configured.has(AKTOOLS.id) ? [createAktools(fetch, Date.now)] : []), createEastmoney(fetch)];
  return {
    name: "akshare_search",
    description: DESCRIPTION,
    kind: "query",
    schema: ArgumentsSchema,
    timeoutMs: TIMEOUT_MS,
    async call(args, context) {
      const resolved = await resolveCompany(args, services, context);
      const [share, ...others] = resolved.shares;
      if (share === undefined) return tellUnlisted(args, resolved);
      if (args.action === "find") return tellFound(args, resolved);
      const result = await ask(args, share, services, context);
      const also = others.length === 0 ? [] : [`Other shares of that name: ${others.map(labelOf).join("; ")}.`];
      return { ...result, text: [...resolved.notes, ...also, result.text].join("\n") };
    },
  };
}

async function ask(args: Arguments, share: Security, services: readonly MarketData[], context: ToolContext): Promise<ToolResult> {
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
      return tellStatements(share, topic, await first((service) => service.financials(share, request, context)));
    }
    case "news":
      return tellArticles(share, topic, await first((service) => service.news(share, context)));
    case "announcements":
      return tellArticles(share, topic, await first((service) => service.announcements(share, range, context)));
    default:
      return tellStatements(share, topic, await first((service) => service.profile(share, context)));
  }
}

const TOPICS: Readonly<Record<Exclude<Arguments["action"], "find">, readonly [string, string]>> = {
  profile: ["company profile", "公司概况 基本情况"],
  quote: ["quote, stock price", "行情 股价"],
  kline: ["k-line, past prices", "K线 历史股价"],
  financials: ["financial reports", "财务报表 财报"],
  news: ["news", "新闻"],
  announcements: ["announcements", "公告"],
};

function topicOf(args: Arguments, share: Security): Topic {
  const action = args.action === "find" ? "profile" : args.action;
  const [english, chinese] = TOPICS[action];
  return { english, chinese, page: withRange(PAGES[action](share), args) };
}

/** Two ranges of one page are two documents. */
function withRange(page: string, { start_date, end_date, action, period, adjust, reports }: Arguments): string {
  const marks = [
    ...(action === "kline" ? [period, ...(adjust === "none" ? [] : [adjust])] : []),
    ...(action === "financials" && reports === "annual" ? [reports] : []),
    ...(start_date === undefined && end_date === undefined ? [] : [`${start_date ?? ""}..${end_date ?? ""}`]),
  ];
  return marks.length === 0 ? page : `${page}${page.includes("#") ? "," : "#"}${marks.join(",")}`;
}

function tellFound({ name, symbol }: Arguments, { shares, by, notes }: Resolved): ToolResult {
  const rows = shares.map((share) => `${labelOf(share)}, ${share.market.toUpperCase()}`);
  return { text: [...notes, `Shares that go by ${name ?? symbol}, from ${by}:`, ...rows].join("\n"), sources: [] };
}

function tellUnlisted({ name, symbol }: Arguments, { by, notes }: Resolved): ToolResult {
  const told = `${by} looked and found no company listed in Shanghai, Shenzhen, Beijing or Hong Kong that goes by ${name ?? symbol}.`;
  return { text: [...notes, `${told} It may not be listed, be listed elsewhere, or go by another name.`].join("\n"), sources: [] };
}
