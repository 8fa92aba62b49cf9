import type { CallContext } from "../../domain/ports/sources.ts";
import { type EastmoneyClient, ofSecurity, type ReportRow, readReport, within } from "./eastmoney-client.ts";
import {
  type Column,
  column,
  dayOf,
  figureOf,
  isWithin,
  type ReportRequest,
  type Security,
  type Statement,
  type Told,
} from "./market-data.ts";

/** Reports asked for, whole years among them; each has a row for every quarter. */
const ROWS = 40;
/** Reports shown of those. */
const SHOWN = 5;

/** The main figures of the newest reports, newest first. One report that fails does not lose the others. */
export async function readFinancials(
  client: EastmoneyClient,
  security: Security,
  request: ReportRequest,
  context: CallContext,
): Promise<Told<Statement>> {
  const reports = security.market === "hk" ? [HONG_KONG_REPORT] : MAINLAND_REPORTS;
  const settled = await Promise.allSettled(reports.map((report) => readOne(client, security, report, request, context)));
  const told = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const failed = settled.find((one) => one.status === "rejected");
  context.signal.throwIfAborted();
  if (failed !== undefined && told.every(({ rows }) => rows.length === 0)) throw failed.reason;
  return { name: told.find(({ name }) => name !== null)?.name ?? null, rows: told.flatMap(({ rows }) => rows) };
}

async function readOne(
  client: EastmoneyClient,
  security: Security,
  periodic: PeriodicReport,
  request: ReportRequest,
  context: CallContext,
): Promise<Told<Statement>> {
  const { report, dateKey, columns, f10 } = periodic;
  const filter = `${ofSecurity(security)}${within(dateKey, request)}`;
  const query = { report, filter, newestBy: dateKey, rows: ROWS, ...(columns && { columns }), ...(f10 && { f10 }) };
  const rows = (await readReport(client, query, context))
    .filter((row) => isAbout(row, security) && isWanted(row, periodic, request))
    .toSorted((a, b) => (dayOf(b[dateKey]) ?? "").localeCompare(dayOf(a[dateKey]) ?? ""))
    .slice(0, SHOWN);
  return {
    name: rows.map(({ SECURITY_NAME_ABBR: name }) => name).find((name) => typeof name === "string") ?? null,
    rows: rows.flatMap((row) => statementsOf(row, periodic)),
  };
}

/** A filter that was not understood must not bring another company's figures. */
function isAbout(row: ReportRow, { code }: Security): boolean {
  return row["SECURITY_CODE"] === undefined || row["SECURITY_CODE"] === code;
}

function isWanted(row: ReportRow, { dateKey, isAnnual }: PeriodicReport, request: ReportRequest): boolean {
  const day = dayOf(row[dateKey]);
  return day !== null && isWithin(day, request) && (!request.annualOnly || isAnnual(row));
}

function statementsOf(row: ReportRow, { report, dateKey, figures, periodOf }: PeriodicReport): Statement[] {
  return figures.flatMap((column): Statement[] => {
    const figure = figureOf(row, column);
    if (figure === null) return [];
    return [{ date: dayOf(row[dateKey]), period: periodOf(row), figures: [figure], origin: `${report} ${column.key}` }];
  });
}

/** A report of the data center with a row for each period of a company. */
interface PeriodicReport {
  readonly report: string;
  /** The column of the day on which the period ends. */
  readonly dateKey: string;
  readonly columns?: string;
  readonly f10?: boolean;
  readonly figures: readonly Column[];
  isAnnual(row: ReportRow): boolean;
  /** The period as the report names it; may be empty. */
  periodOf(row: ReportRow): string;
}

/** The name that three of the reports lack, by their code of the kind of period. */
const KINDS: Readonly<Record<string, string>> = { "001": "年报", "002": "半年报", "003": "一季报", "004": "三季报" };

/** The main figures, as a company announced them. */
const ABSTRACT: PeriodicReport = {
  report: "RPT_LICO_FN_CPD",
  dateKey: "REPORTDATE",
  figures: [
    column("TOTAL_OPERATE_INCOME", "营业总收入", "元"),
    column("YSTZ", "营业总收入同比增长", "%"),
    column("YSHZ", "营业总收入季度环比增长", "%"),
    column("PARENT_NETPROFIT", "归母净利润", "元"),
    column("SJLTZ", "归母净利润同比增长", "%"),
    column("SJLHZ", "归母净利润季度环比增长", "%"),
    column("BASIC_EPS", "每股收益", "元"),
    column("DEDUCT_BASIC_EPS", "扣非每股收益", "元"),
    column("WEIGHTAVG_ROE", "净资产收益率(加权)", "%"),
    column("BPS", "每股净资产", "元"),
    column("MGJYXJJE", "每股经营现金流量", "元"),
    column("XSMLL", "销售毛利率", "%"),
    column("ASSIGNDSCRPT", "利润分配"),
  ],
  isAnnual: (row) => row["DATEMMDD"] === "年报",
  periodOf: (row) => textOf(row["DATATYPE"]),
};

const INCOME = statement("RPT_DMSK_FN_INCOME", [
  column("TOTAL_OPERATE_COST", "营业总支出", "元"),
  column("SALE_EXPENSE", "销售费用", "元"),
  column("MANAGE_EXPENSE", "管理费用", "元"),
  column("FINANCE_EXPENSE", "财务费用", "元"),
  column("OPERATE_PROFIT", "营业利润", "元"),
  column("TOTAL_PROFIT", "利润总额", "元"),
  column("INCOME_TAX", "所得税", "元"),
  column("DEDUCT_PARENT_NETPROFIT", "扣非归母净利润", "元"),
]);

const BALANCE = statement("RPT_DMSK_FN_BALANCE", [
  column("TOTAL_ASSETS", "总资产", "元"),
  column("MONETARYFUNDS", "货币资金", "元"),
  column("ACCOUNTS_RECE", "应收账款", "元"),
  column("INVENTORY", "存货", "元"),
  column("TOTAL_LIABILITIES", "总负债", "元"),
  column("TOTAL_EQUITY", "股东权益合计", "元"),
  column("DEBT_ASSET_RATIO", "资产负债率", "%"),
]);

const CASH_FLOW = statement("RPT_DMSK_FN_CASHFLOW", [
  column("NETCASH_OPERATE", "经营性现金流量净额", "元"),
  column("NETCASH_INVEST", "投资性现金流量净额", "元"),
  column("NETCASH_FINANCE", "融资性现金流量净额", "元"),
  column("CCE_ADD", "净现金流", "元"),
  column("END_CCE", "期末现金余额", "元"),
]);

const MAINLAND_REPORTS: readonly PeriodicReport[] = [ABSTRACT, INCOME, BALANCE, CASH_FLOW];

/** The report says 元 of its amounts and names a currency beside them, which need not be the one the company reports in. */
export const HONG_KONG_REPORT: PeriodicReport = {
  report: "RPT_HKF10_FN_MAININDICATOR",
  dateKey: "STD_REPORT_DATE",
  columns: "HKF10_FN_MAININDICATOR",
  f10: true,
  figures: [
    column("OPERATE_INCOME", "营业总收入", "元"),
    column("OPERATE_INCOME_YOY", "营业总收入同比增长", "%"),
    column("GROSS_PROFIT", "毛利润", "元"),
    column("HOLDER_PROFIT", "归母净利润", "元"),
    column("HOLDER_PROFIT_YOY", "归母净利润同比增长", "%"),
    column("BASIC_EPS", "基本每股收益", "元"),
    column("DILUTED_EPS", "稀释每股收益", "元"),
    column("BPS", "每股净资产", "元"),
    column("PER_NETCASH_OPERATE", "每股经营现金流", "元"),
    column("GROSS_PROFIT_RATIO", "毛利率", "%"),
    column("NET_PROFIT_RATIO", "净利率", "%"),
    column("ROE_AVG", "平均净资产收益率", "%"),
    column("DEBT_ASSET_RATIO", "资产负债率", "%"),
  ],
  isAnnual: (row) => row["DATE_TYPE_CODE"] === "001",
  periodOf(row) {
    const kind = KINDS[textOf(row["DATE_TYPE_CODE"])] ?? "";
    const currency = textOf(row["CURRENCY"]);
    return [kind, currency === "" ? "" : `CURRENCY ${currency}`].filter((part) => part !== "").join(", ");
  },
};

function statement(report: string, figures: readonly Column[]): PeriodicReport {
  return {
    report,
    dateKey: "REPORT_DATE",
    figures,
    isAnnual: (row) => row["DATE_TYPE_CODE"] === "001",
    periodOf: (row) => KINDS[textOf(row["DATE_TYPE_CODE"])] ?? "",
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.trim() : "";
}
