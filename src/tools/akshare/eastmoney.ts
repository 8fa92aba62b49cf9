import { z } from "zod";
import { foldName } from "../../domain/companies.ts";
import { readItems } from "../shared/service-client.ts";
import { type Ask, readReport } from "./eastmoney-client.ts";
import { readFinancials, readProfile } from "./eastmoney-reports.ts";
import {
  beijingTime,
  type KlineRequest,
  klineColumns,
  klineRows,
  MAX_LINES,
  type MarketData,
  readColumns,
  readSymbol,
  type Security,
  type Statements,
  statementsOf,
  textOf,
} from "./market-data.ts";

export function createEastmoney(ask: Ask): MarketData {
  return {
    title: "Eastmoney",
    markets: ["sh", "sz", "bj", "hk"],
    profile: (security) => readProfile(ask, security),
    quote: (security) => readQuote(ask, security),
    klines: (security, request) => readKlines(ask, security, request),
    financials: (security, request) => readFinancials(ask, security, request),
  };
}

const SuggestSchema = z.object({ QuotationCodeTable: z.object({ Data: z.array(z.unknown()).nullish() }) });
const SuggestionSchema = z.object({ Code: z.string(), Name: z.string(), QuoteID: z.string(), PinYin: z.string().nullish() });
const CompanySchema = z.object({
  SECUCODE: z.string(),
  SECURITY_NAME_ABBR: z.string().nullish(),
  ORG_NAME: z.string().nullish(),
  ORG_NAME_EN: z.string().nullish(),
  ORG_EN_ABBR: z.string().nullish(),
});

const TOKEN = "D43BF722C8E33BDC906FB84D85E326E8";
const FOUND_ROWS = 10;

/** Searches the short names; then, if none fits, the whole names of companies in the mainland, then in Hong Kong. */
export async function findSecurities(ask: Ask, name: string): Promise<readonly Security[]> {
  const suggested = await suggest(ask, name);
  if (suggested.length > 0) return suggested;
  const mainland = await companies(ask, "RPT_F10_BASIC_ORGINFO", ["ORG_NAME", "ORG_NAME_EN"], name);
  return mainland.length > 0 ? mainland : companies(ask, "RPT_HKF10_INFO_ORGPROFILE", ["ORG_NAME", "ORG_EN_ABBR"], name);
}

async function suggest(ask: Ask, input: string): Promise<Security[]> {
  const parameters = { input, type: "14", token: TOKEN, count: String(FOUND_ROWS) };
  const answer = await ask(SuggestSchema, "https://searchapi.eastmoney.com/api/suggest/get", parameters);
  return readItems("eastmoney", SuggestionSchema, answer.QuotationCodeTable.Data ?? []).flatMap((found): Security[] => {
    const share = readSymbol(found.Code);
    // The site also suggests indices, funds and foreign shares. Their `QuoteID` differs from `secidOf`.
    if (share === null || secidOf(share) !== found.QuoteID) return [];
    const [asked, known] = [foldName(input), foldName(found.Name)];
    const matches = known.includes(asked) || asked.includes(known) || found.PinYin?.toLowerCase() === asked;
    return matches ? [{ ...share, name: found.Name.trim() }] : [];
  });
}

async function companies(ask: Ask, report: string, [chinese, english]: readonly [string, string], name: string): Promise<Security[]> {
  const wanted = textOf(name.replaceAll(/["'%()=\\]/g, " "));
  if (wanted === "") return [];
  const filter = `(${/\p{sc=Han}/u.test(wanted) ? chinese : english} like "%${wanted}%")`;
  const columns = ["SECUCODE", "SECURITY_CODE", "SECURITY_NAME_ABBR", chinese, english].join(",");
  const rows = await readReport(ask, { report, filter, columns, rows: FOUND_ROWS, f10: true });
  return readItems("eastmoney", CompanySchema, rows).flatMap((row): Security[] => {
    const share = readSymbol(row.SECUCODE);
    const englishName = row.ORG_NAME_EN ?? row.ORG_EN_ABBR ?? null;
    // The service may ignore the filter.
    const isFound = [row.ORG_NAME, englishName].some((one) => foldName(one ?? "").includes(foldName(wanted)));
    return share !== null && isFound ? [{ ...share, name: row.SECURITY_NAME_ABBR ?? row.ORG_NAME ?? null, englishName }] : [];
  });
}

const PLACES = { sh: "1", sz: "0", bj: "0", hk: "116" } as const;

function secidOf({ code, market }: Security): string {
  return `${PLACES[market]}.${code}`;
}

const QuoteSchema = z.object({ data: z.record(z.string(), z.unknown()).nullish() });

async function readQuote(ask: Ask, security: Security): Promise<Statements> {
  const [money, volume] = security.market === "hk" ? ["港元", "股"] : ["元", "手"];
  const columns = readColumns(`
f43 最新价 ${money}; f170 涨跌幅 %; f169 涨跌额 ${money}; f46 今开 ${money}; f44 最高 ${money}; f45 最低 ${money}; f60 昨收 ${money}
f47 成交量 ${volume}; f48 成交额 ${money}; f168 换手率 %; f116 总市值 ${money}; f117 流通市值 ${money}; f84 总股本 股; f85 流通股 股
f162 市盈率(动态) 倍; f167 市净率 倍; f127 行业`);
  const fields = ["f57", "f58", "f86", ...columns.map(({ key }) => key)].join(",");
  // Without fltt=2, prices are integers in a unit that differs between shares.
  const parameters = { secid: secidOf(security), fltt: "2", invt: "2", fields };
  const { data } = await ask(QuoteSchema, "https://push2.eastmoney.com/api/qt/stock/get", parameters);
  const { f58: name, f86: seconds } = data ?? {};
  const date = typeof seconds === "number" && seconds > 0 ? beijingTime(seconds * 1_000) : null;
  return { name: textOf(name) || null, rows: statementsOf(data ?? {}, columns, { date, period: "", origin: "stock/get" }) };
}

const KlinesSchema = z.object({ data: z.object({ name: z.string().nullish(), klines: z.array(z.string()).nullish() }).nullish() });
const PERIOD_CODES = { daily: "101", weekly: "102", monthly: "103" } as const;
const ADJUSTMENT_CODES = { none: "0", qfq: "1", hfq: "2" } as const;
/** The field codes of the date and of `klineColumns`, in that order. */
const KLINE_FIELDS = "f51,f52,f53,f54,f55,f56,f57,f58,f59,f60,f61";

async function readKlines(ask: Ask, security: Security, request: KlineRequest): Promise<Statements> {
  const { data } = await ask(KlinesSchema, "https://push2his.eastmoney.com/api/qt/stock/kline/get", {
    secid: secidOf(security),
    klt: PERIOD_CODES[request.period],
    fqt: ADJUSTMENT_CODES[request.adjust],
    fields1: "f1,f2,f3,f4,f5,f6",
    fields2: KLINE_FIELDS,
    lmt: request.start === null ? String(MAX_LINES) : undefined,
    beg: request.start?.replaceAll("-", ""),
    end: request.end?.replaceAll("-", "") ?? "20500101",
  });
  const keys = ["日期", ...klineColumns(security).map(({ key }) => key)];
  const lines = (data?.klines ?? []).map((line) => Object.fromEntries(line.split(",").map((value, i) => [keys[i], value])));
  return { name: data?.name ?? null, rows: klineRows(lines, security, request, "kline/get f51-f61") };
}
