import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { startLoopback } from "../loopback-server.ts";

interface Call {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly arguments?: { readonly about?: string } };
}

/** An MCP server over HTTP whose only tool repeats what it is asked, with the `Authorization` of the request. */
export async function startHttpServer(): Promise<{ url: string; host: string; authorizations: (string | undefined)[] }> {
  const authorizations: (string | undefined)[] = [];
  const server = await startLoopback(async (request, response) => {
    const { authorization } = request.headers;
    authorizations.push(authorization);
    const { id, method, params } = JSON.parse((await text(request)) || "{}") as Call;
    const result = resultOf(method, `${params?.arguments?.about ?? ""} ${authorization ?? "no key"}`);
    if (id === undefined) return void response.writeHead(202).end();
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  });
  onTestFinished(() => server.close());
  return { url: `${server.url}/mcp`, host: new URL(server.url).host, authorizations };
}

function resultOf(method: string, said: string): object {
  if (method === "initialize")
    return { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "notes", version: "1" } };
  if (method === "tools/call") return { content: [{ type: "text", text: `灯塔的灯烧鲸油。 ${said}` }] };
  const inputSchema = { type: "object", properties: { about: { type: "string" } } };
  const tool = { name: "notes", description: `Notes. ${said}`, inputSchema, annotations: { readOnlyHint: true } };
  return method === "tools/list" ? { tools: [tool] } : {};
}
