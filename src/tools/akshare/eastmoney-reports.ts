import { toDossierError } from "../../errors.ts";
import { splitSentences } from "../../ranking/sentences.ts";
import { type Ask, type ReportQuery, readReport, securityFilter } from "./eastmoney-client.ts";
import {
  type Column,
  dayOf,
  figureOf,
  isWithin,
  type ReportRequest,
  type Row,
  readColumns,
  type Security,
  type Statement,
  type Statements,
  statementsOf,
  textOf,
} from "./market-data.ts";

const MAINLAND_PROFILE = "RPT_F10_BASIC_ORGINFO";
const MAINLAND_COLUMNS = readColumns(`
ORG_NAME 公司名称; ORG_NAME_EN 英文名称; FORMERNAME 曾用简称; TRADE_MARKET 上市交易所; INDUSTRYCSRC1 证监会行业; EM2016 所属行业; CHAIRMAN 董事长
PRESIDENT 总经理; LEGAL_PERSON 法人代表; ACTUAL_HOLDER 实际控制人; EMP_NUM 员工人数 人; REG_CAPITAL 注册资本 万元; FOUND_DATE 成立日期; LISTING_DATE 上市日期
PROVINCE 省份; REG_ADDRESS 注册地址; ADDRESS 办公地址; ORG_WEB 公司网址; MAIN_BUSINESS 主营业务; ORG_PROFILE 机构简介; BUSINESS_SCOPE 经营范围`);

const HONG_KONG_PROFILE = "RPT_HKF10_INFO_ORGPROFILE";
const HONG_KONG_COLUMNS = readColumns(`
ORG_NAME 公司名称; ORG_EN_ABBR 英文名称; BELONG_INDUSTRY 所属行业; CHAIRMAN 董事长; SECRETARY 公司秘书; EMP_NUM 员工人数 人; FOUND_DATE 公司成立日期
REG_PLACE 注册地; REG_ADDRESS 注册地址; ADDRESS 办公地址; ORG_WEB 公司网址; YEAR_SETTLE_DAY 年结日; ACCOUNT_FIRM 核数师; ORG_PROFILE 公司介绍`);

/** A longer text becomes one statement per sentence, so that each sentence can be cited. */
const LONGEST_WHOLE = 80;

export async function readProfile(ask: Ask, security: Security): Promise<Statements> {
  const isHongKong = security.market === "hk";
  const [report, columns] = isHongKong ? [HONG_KONG_PROFILE, HONG_KONG_COLUMNS] : [MAINLAND_PROFILE, MAINLAND_COLUMNS];
  const wanted = isHongKong ? ["SECUCODE", "SECURITY_CODE", ...columns.map(({ key }) => key)].join(",") : undefined;
  const [row = {}] = await readReport(ask, { report, filter: securityFilter(security), rows: 1, f10: true, columns: wanted });
  return { name: textOf(row["SECURITY_NAME_ABBR"]) || null, rows: columns.flatMap((one) => profileStatements(row, report, one)) };
}

function profileStatements(row: Row, report: string, column: Column): Statement[] {
  const figure = figureOf(row, column);
  if (figure === null) return [];
  const value = column.key.endsWith("_DATE") ? (dayOf(figure.value) ?? figure.value) : figure.value;
  const pieces = value.length <= LONGEST_WHOLE ? [value] : splitSentences(value).map(({ start, end }) => value.slice(start, end));
  return pieces.map((piece) => ({ date: null, period: "", figures: [{ ...figure, value: piece }], origin: `${report} ${column.key}` }));
}

interface PeriodicReport extends Pick<ReportQuery, "report" | "columns" | "f10"> {
  readonly dateKey: string;
  readonly figures: readonly Column[];
  /** Such as `2023年 年报`. */
  periodOf(row: Row): string;
}

/** The values of `DATE_TYPE_CODE`: annual, half-year, first-quarter and third-quarter report. */
const KINDS: Readonly<Record<string, string>> = { "001": "年报", "002": "半年报", "003": "一季报", "004": "三季报" };

const MAINLAND_REPORTS: readonly PeriodicReport[] = [
  {
    report: "RPT_LICO_FN_CPD",
    dateKey: "REPORTDATE",
    figures: readColumns(`
TOTAL_OPERATE_INCOME 营业总收入 元; YSTZ 营业总收入同比增长 %; YSHZ 营业总收入季度环比增长 %; PARENT_NETPROFIT 归母净利润 元; SJLTZ 归母净利润同比增长 %
SJLHZ 归母净利润季度环比增长 %; BASIC_EPS 每股收益 元; DEDUCT_BASIC_EPS 扣非每股收益 元; WEIGHTAVG_ROE 净资产收益率(加权) %; BPS 每股净资产 元; MGJYXJJE 每股经营现金流量 元
XSMLL 销售毛利率 %; ASSIGNDSCRPT 利润分配`),
    periodOf: (row) => textOf(row["DATATYPE"]),
  },
  financialStatement(
    "RPT_DMSK_FN_INCOME",
    `
TOTAL_OPERATE_COST 营业总支出 元; SALE_EXPENSE 销售费用 元; MANAGE_EXPENSE 管理费用 元; FINANCE_EXPENSE 财务费用 元; OPERATE_PROFIT 营业利润 元
TOTAL_PROFIT 利润总额 元; INCOME_TAX 所得税 元; DEDUCT_PARENT_NETPROFIT 扣非归母净利润 元`,
  ),
  financialStatement(
    "RPT_DMSK_FN_BALANCE",
    `
TOTAL_ASSETS 总资产 元; MONETARYFUNDS 货币资金 元; ACCOUNTS_RECE 应收账款 元; INVENTORY 存货 元; TOTAL_LIABILITIES 总负债 元; TOTAL_EQUITY 股东权益合计 元
DEBT_ASSET_RATIO 资产负债率 %`,
  ),
  financialStatement(
    "RPT_DMSK_FN_CASHFLOW",
    `
NETCASH_OPERATE 经营性现金流量净额 元; NETCASH_INVEST 投资性现金流量净额 元; NETCASH_FINANCE 融资性现金流量净额 元; CCE_ADD 净现金流 元; END_CCE 期末现金余额 元`,
  ),
];

function financialStatement(report: string, table: string): PeriodicReport {
  return {
    report,
    dateKey: "REPORT_DATE",
    figures: readColumns(table),
    periodOf: kindOf,
  };
}

function kindOf(row: Row): string {
  return KINDS[textOf(row["DATE_TYPE_CODE"])] ?? "";
}

/** `CURRENCY` is not always the currency of the amounts: Tencent's are in yuan, but its `CURRENCY` is HKD. */
const HONG_KONG_REPORT: PeriodicReport = {
  report: "RPT_HKF10_FN_MAININDICATOR",
  dateKey: "STD_REPORT_DATE",
  columns: "HKF10_FN_MAININDICATOR",
  f10: true,
  figures: readColumns(`
OPERATE_INCOME 营业总收入 元; OPERATE_INCOME_YOY 营业总收入同比增长 %; GROSS_PROFIT 毛利润 元; HOLDER_PROFIT 归母净利润 元; HOLDER_PROFIT_YOY 归母净利润同比增长 %
BASIC_EPS 基本每股收益 元; DILUTED_EPS 稀释每股收益 元; BPS 每股净资产 元; PER_NETCASH_OPERATE 每股经营现金流 元; GROSS_PROFIT_RATIO 毛利率 %
NET_PROFIT_RATIO 净利率 %; ROE_AVG 平均净资产收益率 %; DEBT_ASSET_RATIO 资产负债率 %`),
  periodOf(row) {
    const currency = textOf(row["CURRENCY"]);
    return [kindOf(row), currency && `CURRENCY ${currency}`].filter(Boolean).join(", ");
  },
};

const ROWS = 40;

/** Lists a failed report in `missing`. Throws its error if no report has rows. */
export async function readFinancials(ask: Ask, security: Security, request: ReportRequest): Promise<Statements> {
  const reports = security.market === "hk" ? [HONG_KONG_REPORT] : MAINLAND_REPORTS;
  const settled = await Promise.allSettled(reports.map((report) => readOne(ask, security, report, request)));
  const answers = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const rows = answers.flatMap((one) => one.rows);
  const failed = settled.find((one) => one.status === "rejected");
  if (failed !== undefined && rows.length === 0) throw failed.reason;
  const missing = settled.flatMap((one, i) =>
    one.status === "rejected" ? [`The report ${reports[i]?.report} could not be read: ${toDossierError(one.reason).message}`] : [],
  );
  return { name: answers.find(({ name }) => name !== null)?.name ?? null, rows, missing };
}

async function readOne(ask: Ask, security: Security, one: PeriodicReport, request: ReportRequest): Promise<Statements> {
  const { report, dateKey, columns, f10, figures, periodOf } = one;
  const from = request.start === null ? "" : `(${dateKey}>='${request.start}')`;
  const to = request.end === null ? "" : `(${dateKey}<='${request.end}')`;
  const filter = `${securityFilter(security)}${from}${to}`;
  const dayIn = (row: Row): string => dayOf(row[dateKey]) ?? "";
  const isAnnual = (row: Row): boolean => /(?<!半)年报/.test(periodOf(row));
  const rows = (await readReport(ask, { report, filter, newestBy: dateKey, rows: ROWS, columns, f10 }))
    // The service may ignore the filter and return another company's rows.
    .filter(({ SECURITY_CODE: code }) => code === undefined || code === security.code)
    .filter((row) => dayIn(row) !== "" && isWithin(dayIn(row), request) && (!request.annualOnly || isAnnual(row)))
    .toSorted((a, b) => dayIn(b).localeCompare(dayIn(a)))
    .slice(0, request.periods);
  return {
    name: textOf(rows[0]?.["SECURITY_NAME_ABBR"]) || null,
    rows: rows.flatMap((row) => statementsOf(row, figures, { date: dayIn(row), period: periodOf(row), origin: report })),
  };
}
