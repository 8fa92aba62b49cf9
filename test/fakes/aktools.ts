import { onTestFinished } from "vitest";
import { type LoopbackServer, startLoopback } from "./loopback-server.ts";

export type Tables = Readonly<
  Record<string, readonly Readonly<Record<string, unknown>>[] | { readonly status: number; readonly text: string }>
>;

/** The same answer to unknown functions, empty tables and internal errors. */
export const NO_TABLE = '{"error":"该接口返回数据为空，请确认参数是否正确：https://akshare.akfamily.xyz"}';

/** A loopback AKTools with these tables, by function name; closed with the test. */
export async function startAktools(tables: Tables): Promise<LoopbackServer> {
  const server = await startLoopback((request, response) => {
    const name = new URL(request.url ?? "", "http://aktools").pathname.replace("/api/public/", "");
    const table = tables[name];
    const { status, text } =
      table === undefined ? { status: 404, text: NO_TABLE } : "status" in table ? table : { status: 200, text: JSON.stringify(table) };
    response.writeHead(status, { "content-type": "application/json" }).end(text);
  });
  onTestFinished(() => server.close());
  return server;
}
