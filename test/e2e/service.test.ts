import { join } from "node:path";
import { expect, it } from "vitest";
import type { GraphPicture } from "../../src/domain/ports/run-service.ts";
import type { Run } from "../../src/domain/run.ts";
import { QUESTION, scenarioParts } from "../chaos/tool-parts.ts";
import { freePort } from "../helpers/processes.ts";
import { startService as startInProcess } from "../helpers/start-service.ts";
import { expectWhole, home, post, startTools } from "./held-service.ts";
import { readEvents, type SeenEvent } from "./read-events.ts";
import { type ServerProcess, startServer } from "./server-process.ts";

const SERVICE = new URL("../../src/server.ts", import.meta.url).pathname;

async function startService(dir: string): Promise<ServerProcess> {
  const port = await freePort();
  const environment = { SOURCES: "corpus", DATA_DIR: join(dir, "data"), CORPUS_DIR: join(dir, "corpus"), PORT: String(port) };
  return startServer(SERVICE, [], environment, port);
}

it("accepts a question in Chinese and serves events, report, documents and recording", async () => {
  const { url, stop, log } = await startService(await home());
  const response = await post(url, { question: "奥尔德穆尔灯塔是谁设计的？" }, { prefer: "wait=30" });
  expect(response.status).toBe(200);
  const run = (await response.json()) as Run;
  expect(run).toMatchObject({ status: "succeeded", termination: { reason: "completed" } });
  for (const { contentHash, start, end, quote } of run.report?.citations ?? []) {
    const text = await (await fetch(`${url}/research/${run.id}/documents/${contentHash}`)).text();
    expect(text.slice(start, end)).toBe(quote);
  }
  expect(await (await fetch(`${url}/research/${run.id}/report?format=md`)).text()).toContain("艾达·彭罗斯");
  expectWhole(await readEvents(`${url}/research/${run.id}/events`));
  const recording = await fetch(`${url}/research/${run.id}/recording`);
  expect(recording.headers.get("content-type")).toContain("application/x-ndjson");
  // A line of the audit log is written at the end of the answer.
  await recording.text();
  expect((await fetch(`${url}/research/${run.id}`, { method: "DELETE" })).status).toBe(204);
  expect((await fetch(`${url}/research/${run.id}`)).status).toBe(404);
  expect(await stop("SIGTERM")).toBe(0);
  const lines = log()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const own = lines.filter(({ runId, audit }) => runId === run.id && audit !== true);
  expect(own.map(({ msg }) => msg)).toEqual(["decision", "loop ended", "run ended"]);
  const audited = lines.filter(({ audit }) => audit === true).map(({ operationId }) => operationId);
  expect(audited.toSorted()).toEqual(["deleteResearch", "getRecording"]);
  expect(lines.find(({ msg }) => msg === "decision")).toMatchObject({ node: "llm_decision" });
});

it("draws the executor graph from the compiled one", async () => {
  const { url } = await startInProcess({});
  const { nodes, edges, mermaid } = (await (await fetch(`${url}/graphs/executor`)).json()) as GraphPicture;
  expect(nodes.map(({ id }) => id)).toEqual([
    "__start__",
    "llm_decision",
    "confirm",
    "optional_tool",
    "search",
    "rerank",
    "download",
    "summarize",
    "__end__",
  ]);
  expect(edges).toContainEqual({ source: "llm_decision", target: "optional_tool", conditional: true });
  expect(edges).toContainEqual({ source: "llm_decision", target: "search", conditional: true });
  expect(edges).toContainEqual({ source: "llm_decision", target: "confirm", conditional: true });
  expect(edges).toContainEqual({ source: "confirm", target: "optional_tool", conditional: false });
  expect(edges).toContainEqual({ source: "optional_tool", target: "llm_decision", conditional: false });
  expect(mermaid).toContain("llm_decision -.-> search");
});

it("delivers each event once to a reader that is cut off repeatedly", async () => {
  const tools = await startTools();
  const { url } = await startInProcess({ parts: scenarioParts(tools.url) });
  const { id } = (await (await post(url, { question: QUESTION })).json()) as Run;
  const seen: SeenEvent[] = [];
  while (seen.at(-1)?.event !== "run-ended") {
    const lastEventId = seen.at(-1)?.id;
    seen.push(
      ...(await readEvents(`${url}/research/${id}/events`, {
        ...(lastEventId === undefined ? {} : { lastEventId }),
        enough: (page) => page.length === 3,
      })),
    );
  }
  expectWhole(seen);
  expect(await readEvents(`${url}/research/${id}/events`)).toEqual(seen);
  const after = await fetch(`${url}/research/${id}/events`, { headers: { "last-event-id": seen.at(-1)?.id ?? "" } });
  expect(after.status).toBe(204);
});

it("streams the run to a client that posts with Accept: text/event-stream", async () => {
  const { url } = await startInProcess({});
  const response = await post(url, { question: QUESTION }, { accept: "text/event-stream" });
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  const text = await response.text();
  const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  expect(ids).toEqual(ids.map((_, index) => index + 1));
  expect(text.trimEnd().split("\n\n").at(-1)).toContain("event: run-ended");
});
