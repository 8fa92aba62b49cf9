import { type Column, column, dayOf, figureOf, isWithin, spellValue } from "../figures.ts";
import type { Article, KlineRequest, ReportRequest, Security, Statement } from "../market-data.ts";
import type { TableRow } from "./client.ts";

/** Indicators of Sina's abstract that are no amounts of money. */
const PER_CENT = /率|同比|环比|ROE|ROA/;
const TIMES_OR_DAYS = /周转|比率|倍|天数|权益乘数|产权比率/;
const MAIN_INDICATORS = "常用指标";
const LINES = 60;
const REPORTS = 5;

/** One statement for each column that says something; the columns are Chinese already. */
export function columnsOf(row: TableRow, origin: string, skip: readonly string[] = []): Statement[] {
  return Object.keys(row).flatMap((key): Statement[] => {
    const figure = skip.includes(key) ? null : figureOf(row, column(key, key));
    return figure === null ? [] : [{ date: null, period: "", figures: [figure], origin: `${origin} ${key}` }];
  });
}

/** Tables of `item` and `value`. */
export function itemsOf(
  rows: readonly TableRow[],
  origin: string,
  date: string | null,
  units: Readonly<Record<string, string>>,
): Statement[] {
  return rows.flatMap(({ item, value }): Statement[] => {
    const name = typeof item === "string" ? item : "";
    const unit = units[name] ?? "";
    const spelt = name === "上市时间" ? dayOf(value) : spellValue(value, unit);
    if (name === "" || spelt === null) return [];
    const dated = name === "上市时间" || unit === "" ? null : date;
    return [{ date: dated, period: "", figures: [{ column: name, value: spelt, unit }], origin: `${origin} ${name}` }];
  });
}

const PERIOD = { daily: "日K线", weekly: "周K线", monthly: "月K线" } as const;
const ADJUST = { none: "不复权", qfq: "前复权", hfq: "后复权" } as const;

/** The newest 60 lines of a table of prices, newest last. */
export function klinesOf(rows: readonly TableRow[], { market }: Security, request: KlineRequest, origin: string): Statement[] {
  const [money, volume] = market === "hk" ? ["港元", "股"] : ["元", "手"];
  const columns: Column[] = [
    ...["开盘", "收盘", "最高", "最低"].map((name) => column(name, name, money)),
    column("成交量", "成交量", volume),
    column("成交额", "成交额", money),
    ...["振幅", "涨跌幅"].map((name) => column(name, name, "%")),
    column("涨跌额", "涨跌额", money),
    column("换手率", "换手率", "%"),
  ];
  const period = `${PERIOD[request.period]} ${ADJUST[request.adjust]}`;
  return rows
    .flatMap((row): Statement[] => {
      const date = dayOf(row["日期"]);
      const figures = columns.flatMap((one) => figureOf(row, one) ?? []);
      return date === null || figures.length === 0 || !isWithin(date, request) ? [] : [{ date, period, figures, origin }];
    })
    .slice(-LINES);
}

/** Sina's abstract: a row for each indicator, a column for each day on which a period ended. */
export function abstractOf(rows: readonly TableRow[], request: ReportRequest, origin: string): Statement[] {
  const seen = new Set<string>();
  return rows.flatMap((row): Statement[] => {
    const name = row["指标"];
    if (row["选项"] !== MAIN_INDICATORS || typeof name !== "string" || seen.has(name)) return [];
    seen.add(name);
    const unit = TIMES_OR_DAYS.test(name) ? "" : PER_CENT.test(name) ? "%" : "元";
    const days = Object.keys(row)
      .flatMap((key) => (/^\d{8}$/.test(key) ? [{ key, day: dayOf(key) ?? "" }] : []))
      .filter(({ day }) => isWithin(day, request) && (!request.annualOnly || day.endsWith("-12-31")))
      .toSorted((a, b) => b.day.localeCompare(a.day))
      .slice(0, REPORTS);
    return days.flatMap(({ key, day }): Statement[] => {
      const value = spellValue(row[key], unit);
      const period = day.endsWith("-12-31") ? `${day.slice(0, 4)}年 年报` : "";
      return value === null ? [] : [{ date: day, period, figures: [{ column: name, value, unit }], origin: `${origin} ${name}` }];
    });
  });
}

/** Tables of news and announcements, by the names of their columns. */
export function articlesOf(rows: readonly TableRow[], origin: string, names: ArticleColumns): Article[] {
  return rows.flatMap((row): Article[] => {
    const [title, url] = [textOf(row[names.title]), textOf(row[names.url])];
    if (title === "" || !/^https?:\/\//.test(url)) return [];
    const told = { date: dayOf(row[names.date]), from: textOf(row[names.from ?? ""]), excerpt: textOf(row[names.excerpt ?? ""]) };
    return [{ title, url, ...told, origin: `${origin} ${names.title}`, file: null }];
  });
}

export interface ArticleColumns {
  readonly title: string;
  readonly url: string;
  readonly date: string;
  readonly from?: string;
  readonly excerpt?: string;
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value.replaceAll(/\s+/g, " ").trim() : "";
}
