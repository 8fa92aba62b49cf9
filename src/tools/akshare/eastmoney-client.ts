import { z } from "zod";
import type { CallContext, Endpoint, HttpFetch } from "../../domain/ports/sources.ts";
import { DossierError } from "../../errors.ts";
import { createServiceClient, readJson, shapeError } from "../shared/service-client.ts";
import type { Row, Security } from "./market-data.ts";

/** No rate limit is documented. This rate is that of one person who reads the site. */
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

export type Ask = <T>(schema: z.ZodType<T>, address: string, parameters: Readonly<Record<string, string>>) => Promise<T>;

export function createEastmoneyClient(fetch: HttpFetch): (context: CallContext) => Ask {
  const client = createServiceClient(EASTMONEY, fetch);
  return (context) => async (schema, address, parameters) => {
    const text = (await client.text(`${address}?${new URLSearchParams(parameters)}`, context)).trim();
    const body = readJson("eastmoney", JSONP.exec(text)?.[1] ?? text);
    checkStatus(body);
    const parsed = schema.safeParse(body);
    if (!parsed.success) throw shapeError("eastmoney sent an answer in an unexpected format", parsed.error);
    return parsed.data;
  };
}

const JSONP = /^[\w$.]+\s*\(([\s\S]*)\)\s*;?\s*$/;

const StatusSchema = z.object({
  rc: z.unknown().optional(),
  code: z.unknown().optional(),
  success: z.unknown().optional(),
  message: z.string().nullish().catch(null),
  data: z.unknown().optional(),
});
const NO_ROWS = 9201;
const UNKNOWN_REPORT = 9501;

/** Reads the outcome from the body, because the HTTP status is 200 even for errors. */
function checkStatus(body: unknown): void {
  const { rc, code, success, message, data } = StatusSchema.safeParse(body).data ?? {};
  if (typeof rc === "number" && rc !== 0)
    throw new DossierError("not_found", `eastmoney has no data for this (rc ${rc}${data === null ? ", data null" : ""}).`);
  if ((success !== false && success !== 0) || Number(code) === NO_ROWS) return;
  const why = `code ${code ?? "none"}${message ? `: ${message}` : ""}`;
  if (Number(code) === UNKNOWN_REPORT || message?.startsWith("报表配置不存在") === true)
    throw new DossierError("not_found", `eastmoney does not know the report (${why}).`);
  throw new DossierError("unreadable", `eastmoney refused (${why}).`);
}

export interface ReportQuery {
  readonly report: string;
  readonly filter: string;
  readonly newestBy?: string;
  readonly columns?: string;
  readonly rows: number;
  /** True for the site's company profiles ("F10"), which have another URL. */
  readonly f10?: boolean;
}

const ReportSchema = z.object({
  result: z.object({ data: z.array(z.record(z.string(), z.unknown())).nullish() }).nullish(),
});

export async function readReport(ask: Ask, query: ReportQuery): Promise<readonly Row[]> {
  const { report, filter, newestBy, columns = "ALL", rows, f10 = false } = query;
  const address = f10
    ? "https://datacenter.eastmoney.com/securities/api/data/v1/get"
    : "https://datacenter-web.eastmoney.com/api/data/v1/get";
  const order: Readonly<Record<string, string>> = newestBy === undefined ? {} : { sortColumns: newestBy, sortTypes: "-1" };
  const source = f10 ? { source: "HSF10", client: "PC" } : { source: "WEB", client: "WEB" };
  const parameters = { reportName: report, columns, filter, pageNumber: "1", pageSize: String(rows), ...order, ...source };
  const { result } = await ask(ReportSchema, address, parameters);
  return result?.data ?? [];
}

export function securityFilter({ code, market }: Security): string {
  return `(SECUCODE="${code}.${market.toUpperCase()}")`;
}
