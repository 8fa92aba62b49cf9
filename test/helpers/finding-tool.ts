import { onTestFinished } from "vitest";
import type { Tool } from "../../src/domain/ports/tools.ts";
import { httpTool } from "../fakes/http-tool.ts";
import { startLoopback } from "../fakes/loopback-server.ts";

/** A tool that finds one new thing for each query, over the network. */
export async function startTool(name: string): Promise<Tool> {
  const server = await startLoopback((request, response) => {
    const query = new URL(request.url ?? "", "http://tools").searchParams.get("query") ?? "";
    const url = `https://example.org/${name}/${encodeURIComponent(query)}`;
    const source = { title: `${name} on ${query}`, url, publishedAt: null, snippet: query, text: `${name} says: ${query}.` };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ text: `about ${query}`, sources: [source] }));
  });
  onTestFinished(() => server.close());
  return httpTool(name, server.url);
}
