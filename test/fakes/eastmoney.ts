import type { IncomingMessage, ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { type LoopbackServer, startLoopback } from "./loopback-server.ts";

/** A row of a report, by column key. */
export type Row = Readonly<Record<string, string | number | null>>;

/** The data of the fake; the bodies around it have the recorded structure. */
export interface EastmoneyData {
  /** Suggestions of the search box, by the typed text. */
  readonly suggestions?: Readonly<Record<string, readonly Row[]>>;
  /** Rows by report name, newest first. */
  readonly reports?: Readonly<Record<string, readonly Row[]>>;
  /** Quotes by `secid`. */
  readonly quotes?: Readonly<Record<string, Row>>;
  /** Lines of all eleven fields, by `secid`. */
  readonly klines?: Readonly<Record<string, { readonly name: string; readonly lines: readonly string[] }>>;
  /** Answers that break the protocol, by a substring of path and query. */
  readonly instead?: Readonly<Record<string, { readonly status?: number; readonly text: string }>>;
}

const FIELDS = Array.from({ length: 11 }, (_, i) => `f${51 + i}`);

/** A loopback server for all hosts of Eastmoney, each as the first segment of the path; closed with the test. */
export async function startEastmoney(data: EastmoneyData): Promise<LoopbackServer> {
  const server = await startLoopback((request, response) => answer(data, request, response));
  onTestFinished(() => server.close());
  return server;
}

function answer(data: EastmoneyData, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? "", "http://eastmoney");
  const instead = Object.entries(data.instead ?? {}).find(([part]) => decodeURIComponent(url.pathname + url.search).includes(part))?.[1];
  const { status = 200, text } = instead ?? { text: wrap(url, bodyFor(data, url)) };
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(text);
}

function wrap({ searchParams }: URL, body: unknown): string {
  const callback = searchParams.get("cb");
  return callback === null ? JSON.stringify(body) : `${callback}(${JSON.stringify(body)});`;
}

function bodyFor(data: EastmoneyData, url: URL): unknown {
  const asked = (name: string): string => url.searchParams.get(name) ?? "";
  switch (url.pathname) {
    case "/searchapi.eastmoney.com/api/suggest/get":
      return { QuotationCodeTable: { Data: data.suggestions?.[asked("input")] ?? null, Status: 0, Message: "成功", TotalCount: 0 } };
    case "/push2.eastmoney.com/api/qt/stock/get":
      return quote(data, asked("secid"), asked("fields").split(","));
    case "/push2his.eastmoney.com/api/qt/stock/kline/get":
      return klines(data, asked("secid"), asked("fields2").split(","));
    case "/datacenter-web.eastmoney.com/api/data/v1/get":
    case "/datacenter.eastmoney.com/securities/api/data/v1/get":
      return report(data, asked("reportName"), asked("filter"));
    default:
      return { rc: 102, data: null };
  }
}

function quote({ quotes }: EastmoneyData, secid: string, fields: readonly string[]): unknown {
  const row = quotes?.[secid];
  if (row === undefined) return { rc: 100, rt: 4, svr: 1, lt: 1, full: 1, dlmkts: "", data: null };
  return {
    rc: 0,
    rt: 4,
    svr: 1,
    lt: 1,
    full: 1,
    dlmkts: "",
    dsc: "0",
    data: Object.fromEntries(fields.map((key) => [key, row[key] ?? "-"])),
  };
}

function klines(data: EastmoneyData, secid: string, fields: readonly string[]): unknown {
  const known = data.klines?.[secid];
  if (known === undefined) return { rc: 100, rt: 17, svr: 1, lt: 1, full: 0, data: null };
  const [market, code] = secid.split(".");
  const lines = known.lines.map((line) => {
    const values = line.split(",");
    return fields.map((field) => values[FIELDS.indexOf(field)] ?? "").join(",");
  });
  return { rc: 0, rt: 17, svr: 1, lt: 1, full: 0, data: { code, market: Number(market), name: known.name, decimal: 2, klines: lines } };
}

/** Evaluates filters of the forms `(KEY="value")`, `(KEY>='value')`, `(KEY<='value')` and `(KEY like "%value%")`. */
function report({ reports }: EastmoneyData, name: string, filter: string): unknown {
  const known = reports?.[name];
  if (known === undefined) return { version: null, result: null, success: false, message: `报表配置不存在,${name}`, code: 9501 };
  const conditions = Array.from(filter.matchAll(/\((\w+)\s*(=|>=|<=|like)\s*["']([^"']*)["']\)/g));
  const rows = known.filter((row) => conditions.every(([, key = "", sign, value = ""]) => holds(String(row[key] ?? ""), sign, value)));
  if (rows.length === 0) return { version: null, result: null, success: false, message: "返回数据为空", code: 9201 };
  return { version: "1", result: { pages: 1, data: rows, count: rows.length }, success: true, message: "ok", code: 0 };
}

function holds(actual: string, sign: string | undefined, value: string): boolean {
  if (sign === "=") return actual === value;
  if (sign === "like") return actual.includes(value.replaceAll("%", ""));
  const day = actual.slice(0, 10);
  return sign === ">=" ? day >= value : day <= value;
}
