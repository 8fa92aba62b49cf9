import { replay } from "../../src/compose.ts";
import { startLoopback } from "../fakes/loopback-server.ts";
import type { CallServer, Scenario } from "./crashing-run.ts";
import { PATH, scenarioParts } from "./tool-parts.ts";

/** All steps of the executor, with two rounds of tools. */
export const TOOL_SCENARIO: Scenario = {
  name: "tools",
  startServer: startTools,
  kind: "tool",
  callOf: ({ tool, arguments: { query } }: { tool: string; arguments: { query: string } }) => `/${tool}?query=${encodeURIComponent(query)}`,
  path: PATH,
  replay: (recording, url) => replay(recording, scenarioParts(url)),
};

async function startTools(): Promise<CallServer> {
  const { url, requests, close } = await startLoopback(async (request, response) => {
    response.once("finish", () => server.onAnswered?.(request.url ?? ""));
    const url = new URL(request.url ?? "", "http://tools");
    const query = url.searchParams.get("query") ?? "";
    const source = {
      title: query,
      url: `https://example.org${url.pathname}/${encodeURIComponent(query)}`,
      publishedAt: null,
      snippet: query,
      text: `${url.pathname} says ${query}.`,
    };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ text: query, sources: [source] }));
  });
  const server: CallServer = { url, calls: requests, close };
  return server;
}
