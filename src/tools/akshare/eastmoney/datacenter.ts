import { z } from "zod";
import type { CallContext } from "../../../domain/ports/sources.ts";
import type { DateRange, Security } from "../market-data.ts";
import type { EastmoneyClient } from "./client.ts";

export type ReportRow = Readonly<Record<string, unknown>>;

/** One report of the data center, and what of it is wanted. */
export interface ReportQuery {
  readonly report: string;
  /** Conditions such as `(SECURITY_CODE="600519")`. */
  readonly filter: string;
  /** Newest first by this column. */
  readonly newestBy?: string;
  /** All columns where it is left out. */
  readonly columns?: string;
  readonly rows: number;
  /** Reports of the F10 pages are asked elsewhere. */
  readonly f10?: boolean;
}

const AnswerSchema = z.object({
  result: z.object({ data: z.array(z.record(z.string(), z.unknown())).nullish() }).nullish(),
});

/** The rows of a report; none where it has none. */
export async function readReport(client: EastmoneyClient, query: ReportQuery, context: CallContext): Promise<readonly ReportRow[]> {
  const { report, filter, newestBy, columns = "ALL", rows, f10 = false } = query;
  const address = f10
    ? "https://datacenter.eastmoney.com/securities/api/data/v1/get"
    : "https://datacenter-web.eastmoney.com/api/data/v1/get";
  const order: Readonly<Record<string, string>> = newestBy === undefined ? {} : { sortColumns: newestBy, sortTypes: "-1" };
  const source = f10 ? { source: "HSF10", client: "PC" } : { source: "WEB", client: "WEB" };
  const parameters = { reportName: report, columns, filter, pageNumber: "1", pageSize: String(rows), ...order, ...source };
  const { result } = await client.ask(AnswerSchema, address, parameters, context);
  return result?.data ?? [];
}

/** The condition that names a share: `600519.SH`, `00700.HK`. */
export function ofSecurity({ code, market }: Security): string {
  return `(SECUCODE="${code}.${market.toUpperCase()}")`;
}

/** The condition that a column lies in a range of days. */
export function within(column: string, { start, end }: DateRange): string {
  return `${start === null ? "" : `(${column}>='${start}')`}${end === null ? "" : `(${column}<='${end}')`}`;
}
