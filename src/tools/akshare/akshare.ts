import type { CallContext } from "../../domain/ports/http-fetch.ts";
import type { Tool, ToolContext } from "../../domain/ports/tool.ts";
import type { ToolResult } from "../../domain/tool.ts";
import { DossierError } from "../../errors.ts";
import type { ToolEntry, ToolOptions } from "../services/tool-entry.ts";
import { createAktools } from "./aktools/aktools.ts";
import { AKTOOLS } from "./aktools/endpoint.ts";
import { type Arguments, ArgumentsSchema } from "./arguments.ts";
import { createEastmoney } from "./eastmoney/eastmoney.ts";
import { EASTMONEY } from "./eastmoney/endpoint.ts";
import type { MarketData, Security } from "./market-data.ts";
import { plainName } from "./plain-name.ts";
import { labelOf, readSymbol } from "./symbol.ts";
import { type Topic, tellArticles, tellStatements } from "./tell.ts";
import { type Answered, firstAnswer } from "./with-fallback.ts";

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

/** The share that is asked about, and others that go by the same name. */
interface Resolved {
  /** Best first; empty where there is no such share. */
  readonly shares: readonly Security[];
  readonly by: string | null;
  readonly notes: readonly string[];
}

/**
 * The share of a symbol, or the shares of a name.
 * @throws DossierError `invalid_arguments` for a symbol that no exchange gives out
 */
async function resolveCompany(
  { symbol, name, action }: Arguments,
  services: readonly MarketData[],
  context: CallContext,
): Promise<Resolved> {
  const share = symbol === undefined ? null : readSymbol(symbol);
  if (symbol !== undefined && share === null) {
    throw new DossierError("invalid_arguments", `${symbol} is no code of a share in Shanghai, Shenzhen, Beijing or Hong Kong.`);
  }
  if (share !== null && action !== "find") return { shares: [share], by: null, notes: [] };
  const wanted = share?.code ?? withoutLegalForm(name ?? "");
  const { value, by, notes } = await firstAnswer(
    services,
    context,
    (service) => service.find(wanted, context),
    (found) => found.length > 0,
  );
  return { shares: exactFirst(value, wanted), by, notes };
}

/** 深度求索公司 is looked for as 深度求索; whole names of companies are left whole. */
function withoutLegalForm(name: string): string {
  const bare = name.replace(/(?<!有限|责任|股份)(?:公司|集团)$/, "").trim();
  return bare === "" ? name : bare;
}

function exactFirst(shares: readonly Security[], wanted: string): readonly Security[] {
  const isExact = ({ name }: Security): boolean => plainName(name ?? "") === plainName(wanted);
  return [...shares.filter(isExact), ...shares.filter((share) => !isExact(share))];
}
