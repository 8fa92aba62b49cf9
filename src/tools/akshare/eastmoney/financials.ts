import type { CallContext } from "../../../domain/ports/sources.ts";
import { dayOf, figureOf, isWithin } from "../figures.ts";
import type { ReportRequest, Security, Statement, Told } from "../market-data.ts";
import type { EastmoneyClient } from "./client.ts";
import { ofSecurity, type ReportRow, readReport, within } from "./datacenter.ts";
import { HONG_KONG_REPORT, MAINLAND_REPORTS, type PeriodicReport } from "./reports.ts";

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
