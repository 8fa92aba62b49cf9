import { z } from "zod";
import type { CallContext, Endpoint, HttpFetch } from "../../domain/ports/sources.ts";
import { DossierError } from "../../errors.ts";
import { createServiceClient } from "../services/service-client.ts";
import type { DateRange, Security } from "./market-data.ts";

/** The pages of eastmoney.com ask these themselves; nobody has documented a limit, so this keeps to what one reader would do. */
export const EASTMONEY: Endpoint = {
  id: "eastmoney",
  owner: "akshare_search",
  hosts: [
    "searchapi.eastmoney.com",
    "push2.eastmoney.com",
    "push2his.eastmoney.com",
    "datacenter-web.eastmoney.com",
    "datacenter.eastmoney.com",
    "search-api-web.eastmoney.com",
    "np-anotice-stock.eastmoney.com",
  ],
  rate: { requests: 2, perMs: 1_000, concurrent: 2 },
};

/** Asks one address with these parameters. */
export interface EastmoneyClient {
  /** @throws DossierError with a code of the ledger, also for the failures that come with status 200 */
  ask<T>(schema: z.ZodType<T>, address: string, parameters: Readonly<Record<string, string>>, context: CallContext): Promise<T>;
}

/** What every answer may say of itself: `rc` of quotes, `code` of reports, both 0 when all is well. */
const VerdictSchema = z.object({
  rc: z.unknown().optional(),
  code: z.unknown().optional(),
  success: z.unknown().optional(),
  message: z.string().nullish().catch(null),
  data: z.unknown().optional(),
});
/** The answer to a question about nothing that is there: it looked. */
const NO_ROWS = 9201;
const UNKNOWN_REPORT = 9501;
/** `callback({...});`, which some addresses answer whether asked for it or not. */
const JSONP = /^[\w$.]+\s*\(([\s\S]*)\)\s*;?\s*$/;

/** A client of Eastmoney's public addresses; it reads JSON and JSONP alike. */
export function createEastmoneyClient(fetch: HttpFetch): EastmoneyClient {
  const client = createServiceClient(EASTMONEY, fetch);
  return {
    async ask(schema, address, parameters, context) {
      const url = new URL(address);
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
      const body = readBody(await client.text(url, context));
      checkVerdict(body);
      const parsed = schema.safeParse(body);
      if (parsed.success) return parsed.data;
      const places = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "the answer"}: ${message}`);
      throw new DossierError("unreadable", `eastmoney answered in an unknown form (${places.slice(0, 3).join("; ")}).`);
    },
  };
}

function readBody(text: string): unknown {
  const trimmed = text.trim();
  try {
    return JSON.parse(JSONP.exec(trimmed)?.[1] ?? trimmed);
  } catch (error) {
    const said = trimmed.startsWith("<") ? "a page instead of data" : "something that is not JSON";
    throw new DossierError("unreadable", `eastmoney answered with ${said}.`, { cause: error });
  }
}

/** Failures come with status 200. */
function checkVerdict(body: unknown): void {
  const { rc, code, success, message, data } = VerdictSchema.safeParse(body).data ?? {};
  if (typeof rc === "number" && rc !== 0) {
    throw new DossierError("not_found", `eastmoney has no data for this (rc ${rc}${data === null ? ", data null" : ""}).`);
  }
  if ((success !== false && success !== 0) || Number(code) === NO_ROWS) return;
  const why = `code ${code ?? "none"}${message ? `: ${message}` : ""}`;
  if (Number(code) === UNKNOWN_REPORT || message?.startsWith("报表配置不存在") === true)
    throw new DossierError("not_found", `eastmoney does not know the report (${why}).`);
  throw new DossierError("unreadable", `eastmoney refused (${why}).`);
}

export type ReportRow = Readonly<Record<string, unknown>>;

/** One report of the data center, and what of it is wanted. */
interface ReportQuery {
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
