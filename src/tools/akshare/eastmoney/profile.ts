import type { CallContext } from "../../../domain/ports/http-fetch.ts";
import { splitSentences } from "../../../ranking/sentences.ts";
import { type Column, column, dayOf, figureOf } from "../figures.ts";
import type { Security, Statement, Told } from "../market-data.ts";
import type { EastmoneyClient } from "./client.ts";
import { ofSecurity, type ReportRow, readReport } from "./datacenter.ts";

const MAINLAND = "RPT_F10_BASIC_ORGINFO";
const MAINLAND_COLUMNS: readonly Column[] = [
  column("ORG_NAME", "公司名称"),
  column("ORG_NAME_EN", "英文名称"),
  column("FORMERNAME", "曾用简称"),
  column("TRADE_MARKET", "上市交易所"),
  column("INDUSTRYCSRC1", "证监会行业"),
  column("EM2016", "所属行业"),
  column("CHAIRMAN", "董事长"),
  column("PRESIDENT", "总经理"),
  column("LEGAL_PERSON", "法人代表"),
  column("ACTUAL_HOLDER", "实际控制人"),
  column("EMP_NUM", "员工人数", "人"),
  column("REG_CAPITAL", "注册资本", "万元"),
  column("FOUND_DATE", "成立日期"),
  column("LISTING_DATE", "上市日期"),
  column("PROVINCE", "省份"),
  column("REG_ADDRESS", "注册地址"),
  column("ADDRESS", "办公地址"),
  column("ORG_WEB", "公司网址"),
  column("MAIN_BUSINESS", "主营业务"),
  column("ORG_PROFILE", "机构简介"),
  column("BUSINESS_SCOPE", "经营范围"),
];

const HONG_KONG = "RPT_HKF10_INFO_ORGPROFILE";
const HONG_KONG_COLUMNS: readonly Column[] = [
  column("ORG_NAME", "公司名称"),
  column("ORG_EN_ABBR", "英文名称"),
  column("BELONG_INDUSTRY", "所属行业"),
  column("CHAIRMAN", "董事长"),
  column("SECRETARY", "公司秘书"),
  column("EMP_NUM", "员工人数", "人"),
  column("FOUND_DATE", "公司成立日期"),
  column("REG_PLACE", "注册地"),
  column("REG_ADDRESS", "注册地址"),
  column("ADDRESS", "办公地址"),
  column("ORG_WEB", "公司网址"),
  column("YEAR_SETTLE_DAY", "年结日"),
  column("ACCOUNT_FIRM", "核数师"),
  column("ORG_PROFILE", "公司介绍"),
];

/** Longer texts are told sentence by sentence, so that each can be quoted with its company and origin. */
const WHOLE = 80;

/** What a company is: names, industry, people, places, dates, business. */
export async function readProfile(client: EastmoneyClient, security: Security, context: CallContext): Promise<Told<Statement>> {
  const hongKong = security.market === "hk";
  const [report, columns] = hongKong ? [HONG_KONG, HONG_KONG_COLUMNS] : [MAINLAND, MAINLAND_COLUMNS];
  const wanted = hongKong ? { columns: ["SECUCODE", "SECURITY_CODE", ...columns.map(({ key }) => key)].join(",") } : {};
  const [row] = await readReport(client, { report, filter: ofSecurity(security), rows: 1, f10: true, ...wanted }, context);
  if (row === undefined) return { name: null, rows: [] };
  const name = row["SECURITY_NAME_ABBR"];
  return { name: typeof name === "string" ? name : null, rows: columns.flatMap((one) => statementsOf(row, report, one)) };
}

function statementsOf(row: ReportRow, report: string, one: Column): Statement[] {
  const figure = figureOf(row, one);
  if (figure === null) return [];
  const value = one.key.endsWith("_DATE") ? (dayOf(figure.value) ?? figure.value) : figure.value;
  return pieces(value).map((piece) => ({
    date: null,
    period: "",
    figures: [{ ...figure, value: piece }],
    origin: `${report} ${one.key}`,
  }));
}

function pieces(value: string): string[] {
  return value.length <= WHOLE ? [value] : splitSentences(value).map(({ start, end }) => value.slice(start, end));
}
