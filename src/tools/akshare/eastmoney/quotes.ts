import { z } from "zod";
import type { CallContext } from "../../../domain/ports/sources.ts";
import { type Column, column, dayOf, figureOf, isWithin, spellValue } from "../figures.ts";
import type { KlineRequest, Security, Statement, Told } from "../market-data.ts";
import type { EastmoneyClient } from "./client.ts";

/** Where Eastmoney lists a share: Shanghai 1, Shenzhen and Beijing 0, Hong Kong 116. */
const PLACE = { sh: "1", sz: "0", bj: "0", hk: "116" } as const;

/** The share as quotes name it: `1.600519`. */
export function secidOf({ code, market }: Pick<Security, "code" | "market">): string {
  return `${PLACE[market]}.${code}`;
}

const QuoteSchema = z.object({ data: z.record(z.string(), z.unknown()).nullish() });

function quoteColumns({ market }: Security): readonly Column[] {
  const [money, volume] = market === "hk" ? ["港元", "股"] : ["元", "手"];
  return [
    column("f43", "最新价", money),
    column("f170", "涨跌幅", "%"),
    column("f169", "涨跌额", money),
    column("f46", "今开", money),
    column("f44", "最高", money),
    column("f45", "最低", money),
    column("f60", "昨收", money),
    column("f47", "成交量", volume),
    column("f48", "成交额", money),
    column("f168", "换手率", "%"),
    column("f116", "总市值", money),
    column("f117", "流通市值", money),
    column("f84", "总股本", "股"),
    column("f85", "流通股", "股"),
    column("f162", "市盈率(动态)", "倍"),
    column("f167", "市净率", "倍"),
    column("f127", "行业"),
  ];
}

/** The newest price and what goes with it, at the minute that the exchange gives. */
export async function readQuote(client: EastmoneyClient, security: Security, context: CallContext): Promise<Told<Statement>> {
  const columns = quoteColumns(security);
  const fields = ["f57", "f58", "f86", ...columns.map(({ key }) => key)].join(",");
  // Without fltt=2 prices are whole numbers of a unit that differs from share to share.
  const parameters = { secid: secidOf(security), fltt: "2", invt: "2", fields };
  const { data } = await client.ask(QuoteSchema, "https://push2.eastmoney.com/api/qt/stock/get", parameters, context);
  const row = data ?? {};
  const rows = columns.flatMap((one): Statement[] => {
    const figure = figureOf(row, one);
    return figure === null ? [] : [{ date: minuteOf(row["f86"]), period: "", figures: [figure], origin: `stock/get ${one.key}` }];
  });
  return { name: nameOf(row["f58"]), rows };
}

/** Seconds since 1970 as a minute in Beijing, which is Hong Kong's as well. */
function minuteOf(seconds: unknown): string | null {
  if (typeof seconds !== "number" || seconds <= 0) return null;
  return new Date((seconds + 8 * 3_600) * 1_000).toISOString().slice(0, 16).replace("T", " ");
}

const KlinesSchema = z.object({ data: z.object({ name: z.string().nullish(), klines: z.array(z.string()).nullish() }).nullish() });
const PERIOD = { daily: ["101", "日K线"], weekly: ["102", "周K线"], monthly: ["103", "月K线"] } as const;
const ADJUST = { none: ["0", "不复权"], qfq: ["1", "前复权"], hfq: ["2", "后复权"] } as const;
/** Lines asked for where no range is given, and shown at most. */
const LINES = 60;

/** In the order of `fields2`: the close comes before the high and the low. */
function klineColumns({ market }: Security): readonly Column[] {
  const [money, volume] = market === "hk" ? ["港元", "股"] : ["元", "手"];
  return [
    column("f52", "开盘", money),
    column("f53", "收盘", money),
    column("f54", "最高", money),
    column("f55", "最低", money),
    column("f56", "成交量", volume),
    column("f57", "成交额", money),
    column("f58", "振幅", "%"),
    column("f59", "涨跌幅", "%"),
    column("f60", "涨跌额", money),
    column("f61", "换手率", "%"),
  ];
}

/** Prices of days, weeks or months, newest last, the newest 60 of the range. */
export async function readKlines(
  client: EastmoneyClient,
  security: Security,
  request: KlineRequest,
  context: CallContext,
): Promise<Told<Statement>> {
  const columns = klineColumns(security);
  const [klt, period] = PERIOD[request.period];
  const [fqt, adjusted] = ADJUST[request.adjust];
  const parameters = {
    secid: secidOf(security),
    klt,
    fqt,
    fields1: "f1,f2,f3,f4,f5,f6",
    fields2: ["f51", ...columns.map(({ key }) => key)].join(","),
    ...(request.start === null ? { lmt: String(LINES) } : { beg: request.start.replaceAll("-", "") }),
    end: request.end?.replaceAll("-", "") ?? "20500101",
  };
  const { data } = await client.ask(KlinesSchema, "https://push2his.eastmoney.com/api/qt/stock/kline/get", parameters, context);
  const rows = (data?.klines ?? []).flatMap((line) => readLine(line, columns, `${period} ${adjusted}`));
  return { name: data?.name ?? null, rows: rows.filter(({ date }) => date !== null && isWithin(date, request)).slice(-LINES) };
}

/** A line has as many values as fields were asked for, or fewer. */
function readLine(line: string, columns: readonly Column[], period: string): Statement[] {
  const [first, ...values] = line.split(",");
  const date = dayOf(first);
  const figures = columns.flatMap(({ name, unit }, i) => {
    const value = spellValue(values[i], unit);
    return value === null ? [] : [{ column: name, value, unit }];
  });
  if (date === null || figures.length === 0) return [];
  return [{ date, period, figures, origin: "kline/get f51-f61" }];
}

function nameOf(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}
