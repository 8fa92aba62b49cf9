import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { SourceState } from "../../src/domain/ports/run-service.ts";
import type { Run } from "../../src/domain/run.ts";
import { type LoopbackServer, startLoopback } from "../fakes/loopback-server.ts";
import { makeHome } from "../helpers/open-dossier.ts";
import { freePort } from "../helpers/processes.ts";
import { startServer } from "./server-process.ts";

const SERVICE = new URL("../../src/server.ts", import.meta.url).pathname;
const PAGE = `<!DOCTYPE html><html lang="en"><head><title>The lighthouse of Aldermoor</title></head><body><article>
<h1>The lighthouse of Aldermoor</h1>
<p>The lighthouse of Aldermoor was built in 1874 by Ada Penrose. Its lamp burns whale oil and can be seen from thirty kilometres away.</p>
<p>The keeper of the lighthouse climbs two hundred and twelve steps every evening, and lights the lamp at four in the afternoon.</p>
</article></body></html>`;

/** A SearXNG that knows one page, and a server with that page. */
async function searxngWithPage(): Promise<LoopbackServer> {
  const server = await startLoopback((request, response) => {
    if (request.url?.startsWith("/search") !== true) {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(PAGE);
      return;
    }
    const result = {
      title: "The lighthouse of Aldermoor",
      url: `http://${request.headers.host}/aldermoor`,
      content: "A lighthouse of 1874.",
    };
    const answer = { results: [result], unresponsive_engines: [["brave", "timeout"]] };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  onTestFinished(() => server.close());
  return server;
}

async function wikipediaThatRefuses(): Promise<LoopbackServer> {
  const server = await startLoopback((_, response) => void response.writeHead(429, { "retry-after": "3600" }).end("Too many requests"));
  onTestFinished(() => server.close());
  return server;
}

async function startService(settings: Readonly<Record<string, string>>): Promise<string> {
  const dir = await makeHome({ "empty.md": "# Nothing\n\nNothing about it.\n" });
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const port = await freePort();
  const environment = { DATA_DIR: join(dir, "data"), CORPUS_DIR: join(dir, "corpus"), PORT: String(port), ...settings };
  return (await startServer(SERVICE, [], environment, port)).url;
}

async function ask(url: string, question: string): Promise<Run> {
  const response = await fetch(`${url}/research`, {
    method: "POST",
    headers: { "content-type": "application/json", prefer: "wait=30" },
    body: JSON.stringify({ question }),
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Run;
}

it("answers from the source that can be reached, and the ledger names the sources that could not be searched and why", async () => {
  const [searxng, wikipedia] = [await searxngWithPage(), await wikipediaThatRefuses()];
  const url = await startService({
    SOURCES: "searxng,wikipedia",
    SEARXNG_BASE_URL: searxng.url,
    WIKIPEDIA_BASE_URL: wikipedia.url,
    ALLOWED_PRIVATE_HOSTS: new URL(searxng.url).host,
  });
  const { status, termination, report } = await ask(url, "Who built the lighthouse of Aldermoor?");
  expect({ status, reason: termination?.reason }).toEqual({ status: "succeeded", reason: "completed" });
  expect(report?.citations.map(({ quote }) => quote).join(" ")).toContain("built in 1874 by Ada Penrose");
  expect(report?.sources).toMatchObject([{ kind: "web", url: `${searxng.url}/aldermoor`, foundBy: "searxng", status: "read" }]);
  expect(report?.ledger.map(({ what, source, outcome, results, failure }) => [what, source, outcome, results, failure])).toEqual([
    ["search", "searxng", "found", 1, null],
    ["search", "wikipedia", "failed", 0, "rate_limited"],
    ["download", "searxng", "found", expect.any(Number), null],
  ]);
  expect(report?.ledger[1]?.detail).toContain("wikipedia answered 429");
  expect(report?.markdown).toMatch(/wikipedia.*takes no more requests for now/is);
  expect(searxng.requests).toEqual(["/search?q=built+lighthouse+Aldermoor&format=json&language=en", "/aldermoor"]);
  expect(wikipedia.requests).toHaveLength(1);

  const { sources } = (await (await fetch(`${url}/sources`)).json()) as { sources: SourceState[] };
  expect(sources.filter(({ configured }) => configured)).toMatchObject([
    { id: "wikipedia", lastTry: { reachable: false, failure: "rate_limited" } },
    { id: "searxng", lastTry: { reachable: true, failure: null } },
  ]);
});

it("says that no source could be searched, not that nothing was found, if none can be reached", async () => {
  const wikipedia = await wikipediaThatRefuses();
  const url = await startService({ SOURCES: "wikipedia", WIKIPEDIA_BASE_URL: wikipedia.url });
  const { status, termination, report } = await ask(url, "奥尔德穆尔灯塔是谁设计的？");
  expect(status).toBe("succeeded");
  expect(termination?.reason).toBe("no_answer");
  expect(report?.citations).toEqual([]);
  expect(report?.ledger).toMatchObject([{ what: "search", source: "wikipedia", outcome: "failed", failure: "rate_limited" }]);
});
