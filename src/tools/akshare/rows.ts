import type { ToolResult, ToolSource } from "../../domain/tool.ts";
import { cutText, rowText } from "../shared/text.ts";
import { labelOf, type Security, type Statement, type Statements } from "./market-data.ts";

export interface Topic {
  readonly english: string;
  readonly chinese: string;
  readonly page: string;
}

export interface Answered {
  readonly value: Statements;
  /** The title of the service that answered. */
  readonly by: string;
  /** One sentence for each service that failed before. */
  readonly notes: readonly string[];
}

const SNIPPET = 300;

/** The columns of a profile that have the company's website. */
const SITE_COLUMNS: readonly string[] = ["官方网站", "公司网址"];

export function formatStatements(asked: Security, { english, chinese, page }: Topic, { value, by, notes }: Answered): ToolResult {
  const security = { ...asked, name: asked.name ?? value.name };
  const label = labelOf(security);
  if (value.rows.length === 0)
    return { text: [...notes, `${by} looked and has no ${english} of ${label} for this request.`].join("\n"), sources: [] };
  const { text, blocks } = rowText(value.rows.map((row) => statementRow(security, row)));
  const days = value.rows.flatMap(({ date }) => date?.slice(0, 10) ?? []).toSorted();
  const site = value.rows.flatMap(({ figures }) => figures).find(({ column }) => SITE_COLUMNS.includes(column))?.value;
  const source: ToolSource = {
    title: `${label}: ${chinese} (${english}), ${by}`,
    url: page,
    publishedAt: days.at(-1) ?? null,
    snippet: cutText(text, SNIPPET),
    text,
    kind: "market",
    blocks,
    ...(site !== undefined && { site }),
  };
  const { missing = [] } = value;
  const lines = [...notes, `${label}: ${english} (${chinese}) from ${by}, ${value.rows.length} rows.`, text, ...missing];
  return { text: lines.join("\n"), sources: [source], ...(missing.length > 0 && { incomplete: missing.join(" ") }) };
}

/** Returns `贵州茅台 (600519) 2023-12-31 (2023年 年报, annual report) 营业总收入 (total operating revenue): 150,560,330,316.45 元 (RPT_…)`. */
export function statementRow(security: Security, { date, period, figures, origin }: Statement): string {
  const isOne = figures.length === 1;
  const spelled = figures.map(
    ({ column, value, unit }) => `${explain(column)}${isOne ? ":" : ""} ${value}${unit === "" ? "" : ` ${unit}`}`,
  );
  const when = [...(date === null ? [] : [date]), ...(period === "" ? [] : [`(${explainPeriod(period)})`])];
  return `${[labelOf(security), ...when].join(" ")}${isOne ? " " : ": "}${spelled.join(", ")} (${origin})`;
}

const GLOSSARY = `
公司名称 company name; 英文名称 English name; 曾用简称 former short names; 证券简称 short name of the share; 股票简称 short name of the share
股票代码 code of the share; A股代码 code of the A-share; A股简称 short name of the A-share; B股代码 code of the B-share
B股简称 short name of the B-share; H股代码 code of the H-share; H股简称 short name of the H-share; 入选指数 indices it belongs to
所属市场 market; 上市交易所 exchange; 所属行业 industry; 证监会行业 industry by the CSRC; 行业 industry; 法人代表 legal representative; 董事长 chairman
总经理 president; 公司秘书 company secretary; 实际控制人 actual controller; 员工人数 number of employees; 注册资金 registered capital
注册资本 registered capital; 成立日期 date of foundation; 公司成立日期 date of foundation; 上市日期 date of listing; 上市时间 date of listing
官方网站 website; 公司网址 website; 注册地 place of registration; 省份 province; 注册地址 registered address; 办公地址 office address
主营业务 main business; 经营范围 business scope; 机构简介 company profile; 公司介绍 company profile; 核数师 auditor; 年结日 end of the financial year

最新 latest price; 最新价 latest price; 开盘 open; 今开 open; 收盘 close; 昨收 previous close; 最高 high; 最低 low; 成交量 volume
成交额 turnover in money; 振幅 amplitude; 涨跌幅 change in per cent; 涨跌额 change; 换手率 turnover rate; 总股本 total shares
流通股 shares in free circulation; 总市值 total market capitalisation, market cap, market value
流通市值 market capitalisation of circulating shares; 市盈率(动态) price-earnings ratio, dynamic; 市净率 price-to-book ratio

每股收益 earnings per share; 基本每股收益 basic earnings per share; 稀释每股收益 diluted earnings per share
扣非每股收益 earnings per share without extraordinary items; 营业总收入 total operating revenue, 营收
营业总收入同比增长 growth of total operating revenue, year on year; 营业总收入季度环比增长 growth of total operating revenue, quarter on quarter
营业成本 operating cost; 净利润 net profit, net income; 归母净利润 net profit, net income, of the parent's shareholders
归母净利润同比增长 growth of the parent's net profit, year on year; 归母净利润季度环比增长 growth of the parent's net profit, quarter on quarter
扣非净利润 net profit without extraordinary items; 扣非归母净利润 parent's net profit without extraordinary items
净资产收益率 return on equity, ROE; 净资产收益率(ROE) return on equity, ROE; 净资产收益率(加权) return on equity, weighted, ROE
平均净资产收益率 average return on equity, ROE; 每股净资产 net assets per share; 每股经营现金流 operating cash flow per share
每股经营现金流量 operating cash flow per share; 毛利润 gross profit; 毛利率 gross margin; 销售毛利率 gross margin; 净利率 net margin; 销售净利率 net margin
利润分配 distribution of profits, dividend; 营业总支出 total operating expenditure; 销售费用 selling expenses; 管理费用 administrative expenses
财务费用 financial expenses; 营业利润 operating profit; 利润总额 profit before tax; 所得税 income tax; 总资产 total assets
货币资金 cash and bank balances; 应收账款 accounts receivable; 存货 inventories; 总负债 total liabilities; 股东权益合计 total shareholders' equity
股东权益合计(净资产) total shareholders' equity, net assets; 商誉 goodwill; 资产负债率 debt to assets ratio
经营性现金流量净额 net cash flow from operations; 经营现金流量净额 net cash flow from operations; 投资性现金流量净额 net cash flow from investments
融资性现金流量净额 net cash flow from financing; 净现金流 net increase in cash; 期末现金余额 cash at the end of the period`;
const ENGLISH = new Map(GLOSSARY.split(/[;\n]\s*/).map((entry) => [entry.split(" ", 1)[0], entry.slice(entry.indexOf(" ") + 1)]));

function explain(column: string): string {
  const english = ENGLISH.get(column);
  return english === undefined ? column : `${column} (${english})`;
}

/** 半年报 (half-year report) contains 年报 (annual report), so it comes first. */
const ENGLISH_PERIODS: readonly (readonly [RegExp, string])[] = [
  [/半年|中报/, "interim report"],
  [/年报/, "annual report"],
  [/一季/, "first quarter report"],
  [/三季/, "third quarter report"],
  [/日K线/, "daily k-line"],
  [/周K线/, "weekly k-line"],
  [/月K线/, "monthly k-line"],
];

function explainPeriod(period: string): string {
  const kind = ENGLISH_PERIODS.find(([pattern]) => pattern.test(period))?.[1];
  return kind === undefined ? period : `${period}, ${kind}`;
}
