import { z } from "zod";
import type { CallContext, Endpoint, HttpFetch } from "../../domain/ports/sources.ts";
import { DossierError } from "../../errors.ts";
import { createServiceClient, readAnswer, readJson, withQuery } from "../shared/service-client.ts";
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
  ],
  rate: { requests: 2, perMs: 1_000, concurrent: 2 },
};

export type Ask = <T>(schema: z.ZodType<T>, address: string, parameters: Readonly<Record<string, string | undefined>>) => Promise<T>;

export function createEastmoneyClient(fetch: HttpFetch): (context: CallContext) => Ask {
  const client = createServiceClient(EASTMONEY, fetch);
  return (context) => async (schema, address, parameters) => {
    const text = (await client.text(withQuery(address, parameters), context)).trim();
    const body = readJson("eastmoney", JSONP.exec(text)?.[1] ?? text);
    checkStatus(body);
    return readAnswer("eastmoney", schema, body);
  };
}

const JSONP = /^[\w$.]+\s*\(([\s\S]*)\)\s*;?\s*$/;

const StatusSchema = z.object({
  rc: z.number().optional(),
  code: z.number().optional(),
  success: z.boolean().optional(),
  message: z.string().optional(),
});
const NO_ROWS = 9201;

/** Reads the outcome from the body, because the HTTP status is 200 even for errors. */
function checkStatus(body: unknown): void {
  const { rc = 0, code, success, message = "" } = StatusSchema.safeParse(body).data ?? {};
  if (rc !== 0) throw new DossierError("not_found", `eastmoney has no data for this (rc ${rc}).`);
  if (success !== false || code === NO_ROWS) return;
  const why = `code ${code ?? "none"}: ${message}`;
  throw message.startsWith("报表配置不存在")
    ? new DossierError("not_found", `eastmoney does not know the report (${why}).`)
    : new DossierError("unreadable", `eastmoney refused (${why}).`);
}

export interface ReportQuery {
  readonly report: string;
  readonly filter: string;
  readonly newestBy?: string | undefined;
  readonly columns?: string | undefined;
  readonly rows: number;
  /** True for the site's company profiles ("F10"), which have another URL. */
  readonly f10?: boolean | undefined;
}

const ReportSchema = z.object({
  result: z.object({ data: z.array(z.record(z.string(), z.unknown())).nullish() }).nullish(),
});

export async function readReport(ask: Ask, query: ReportQuery): Promise<readonly Row[]> {
  const { report, filter, newestBy, columns = "ALL", rows, f10 = false } = query;
  const address = f10
    ? "https://datacenter.eastmoney.com/securities/api/data/v1/get"
    : "https://datacenter-web.eastmoney.com/api/data/v1/get";
  const { result } = await ask(ReportSchema, address, {
    reportName: report,
    columns,
    filter,
    pageNumber: "1",
    pageSize: String(rows),
    sortColumns: newestBy,
    sortTypes: newestBy && "-1",
    source: f10 ? "HSF10" : "WEB",
    client: f10 ? "PC" : "WEB",
  });
  return result?.data ?? [];
}

export function securityFilter({ code, market }: Security): string {
  return `(SECUCODE="${code}.${market.toUpperCase()}")`;
}
