import { replay } from "../../src/compose.ts";
import { startLoopback } from "../fakes/loopback-server.ts";
import type { CallServer, Scenario } from "./crashing-run.ts";
import { MUTATION_PATH, mutationParts } from "./mutation-parts.ts";

const PAGES = 3;

/** Lookups and changes at a server. Only the test kills the process. */
export const MARKING_SCENARIO: Scenario = {
  name: "mutation",
  startServer: startMarking,
  kind: "tool",
  callOf: ({ tool, arguments: { query } }: { tool: string; arguments: { query: string } }) => `/${tool} ${query}`,
  path: MUTATION_PATH,
  replay: (recording, url) => replay(recording, mutationParts(url, null)),
};

/** A run without a model that reads pages, which separate processes extract. */
export const WEB_SCENARIO: Scenario = {
  name: "web",
  startServer: startPages,
  kind: "download",
  callOf: ({ url }: { url: string }) => new URL(url).pathname,
  path: ["llm_decision", "search", "rerank", "download", "summarize"],
  replay: (recording) => replay(recording),
};

async function startMarking(): Promise<CallServer> {
  const calls: string[] = [];
  const { url, close } = await startLoopback(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://tools");
    const query = searchParams.get("query") ?? "";
    const call = `${pathname} ${query}`;
    calls.push(call);
    response.once("finish", () => server.onAnswered?.(call));
    const source = { title: query, url: `https://example.org/${query}`, publishedAt: null, snippet: query, text: `已知 ${query}.` };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ text: query, sources: [source] }));
  });
  const server: CallServer = { url, calls, close };
  return server;
}

async function startPages(): Promise<CallServer> {
  const calls: string[] = [];
  const { url, close } = await startLoopback(async (request, response) => {
    const call = new URL(request.url ?? "", "http://pages").pathname;
    calls.push(call);
    response.once("finish", () => server.onAnswered?.(call));
    if (call !== "/search") return void response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(pageOf(call));
    const results = Array.from({ length: PAGES }, (_, index) => ({
      title: `The lighthouse of Aldermoor, part ${index + 1}`,
      url: `http://${request.headers.host}/page${index + 1}`,
      content: `Part ${index + 1} about the lighthouse of Aldermoor.`,
    }));
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ results }));
  });
  const server: CallServer = { url, calls, close };
  return server;
}

function pageOf(call: string): string {
  const sentences = Array.from(
    { length: 500 },
    (_, index) => `<p>On ${call}, keeper ${index} of the lighthouse climbs ${index * 7} steps.</p>`,
  );
  return `<!DOCTYPE html><html lang="en"><head><title>Aldermoor ${call}</title></head><body><article><h1>Aldermoor ${call}</h1>
<p>The lighthouse of Aldermoor was built in 1874 by Ada Penrose, as ${call} says.</p>${sentences.join("\n")}</article></body></html>`;
}
