import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import Database from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import type { Parts } from "../../src/compose/parts.ts";
import { replay } from "../../src/compose.ts";
import { readRecording } from "../../src/journal/recording-file.ts";
import type { Storage } from "../../src/storage/storage.ts";
import { httpTool } from "../fakes/http-tool.ts";
import { type LoopbackServer, startLoopback } from "../fakes/loopback-server.ts";
import { scriptedAnalyst } from "../fakes/scripted-analyst.ts";
import { openDossier, TENANT, type TestDossier } from "../helpers/open-dossier.ts";
import { defineWaiting } from "../helpers/waiting-graph.ts";

const QUESTION = "谁建造了奥尔德穆尔灯塔？";

/** Tools that answer after `delayMs`, or never. */
async function scenario(delayMs: number): Promise<{ server: LoopbackServer; parts: Parts }> {
  const server = await startLoopback(async (_, response) => {
    await pause(delayMs);
    const source = { title: "t", url: "https://example.org/t", publishedAt: null, snippet: "t", text: "A text." };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ text: "ok", sources: [source] }));
  });
  onTestFinished(() => server.close());
  const analyst = scriptedAnalyst([[["alpha", { query: "a" }]], [["alpha", { query: "b" }]]]);
  return { server, parts: { analyst, tools: [httpTool("alpha", server.url, 60_000)] } };
}

async function untilAsked(server: LoopbackServer, times: number): Promise<void> {
  while (server.requests.length < times) await pause(5);
}

async function replayed(dossier: TestDossier, id: string, parts: Parts) {
  const recording = await readRecording(await dossier.recordingLines(id));
  const again = await replay(recording, parts);
  expect(again.difference).toBeNull();
  expect(again.events).toEqual(recording.events);
  return recording;
}

it("cancels at once in the middle of a tool call, and the recording replays to the same end", async () => {
  const { server, parts } = await scenario(60_000);
  const dossier = await openDossier({ parts });
  const { id } = await dossier.start({ question: QUESTION });
  await untilAsked(server, 1);
  const before = performance.now();
  await dossier.runs.cancel(TENANT, id);
  const run = await dossier.finish(id);
  expect(performance.now() - before).toBeLessThan(30_000);
  expect(run).toMatchObject({ status: "cancelled", termination: { reason: "cancelled" }, report: null });
  expect((await dossier.events(id)).at(-1)).toMatchObject({ type: "run-ended", status: "cancelled" });
  await expect(dossier.runs.cancel(TENANT, id)).rejects.toMatchObject({ code: "run_finished" });
  await replayed(dossier, id, parts);
});

it("cancels a run that is still queued", async () => {
  const { server, parts } = await scenario(60_000);
  const dossier = await openDossier({ parts, environment: { RUN_CONCURRENCY: "1" } });
  const first = await dossier.start({ question: QUESTION });
  await untilAsked(server, 1);
  const second = await dossier.start({ question: QUESTION });
  expect((await dossier.runs.cancel(TENANT, second.id)).status).toBe("cancelled");
  expect((await dossier.events(second.id)).map((event) => event.type)).toEqual(["run-queued", "run-ended"]);
  await replayed(dossier, second.id, parts);
  await dossier.runs.cancel(TENANT, first.id);
  expect((await dossier.finish(first.id)).status).toBe("cancelled");
});

it("drains at a step boundary and is continued by the next process without repeating anything", async () => {
  const { server, parts } = await scenario(150);
  const first = await openDossier({ parts });
  const { id } = await first.start({ question: QUESTION });
  await untilAsked(server, 1);
  await first.close(10_000);

  const second = await openDossier({ parts, dir: first.dir });
  await second.recover();
  const run = await second.finish(id);
  expect(run.status).toBe("succeeded");
  expect(server.requests).toEqual(["/alpha?query=a", "/alpha?query=b"]);
  const recording = await replayed(second, id, parts);
  expect(recording.segments.map(({ segment }) => segment.input.type)).toEqual(["start", "continue"]);
  const events = await second.events(id);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.filter((event) => event.type === "run-started").map((event) => event.attempt)).toEqual([1, 2]);
});

it("leaves a step that does not end in time to the recovery", async () => {
  const { server, parts } = await scenario(400);
  const first = await openDossier({ parts });
  const { id } = await first.start({ question: QUESTION });
  await untilAsked(server, 1);
  await first.close(50);

  const second = await openDossier({ parts, dir: first.dir });
  await second.recover();
  expect((await second.finish(id)).status).toBe("succeeded");
  await replayed(second, id, parts);
});

it("refuses new runs while it drains", async () => {
  const { server, parts } = await scenario(150);
  const dossier = await openDossier({ parts });
  await dossier.start({ question: QUESTION });
  await untilAsked(server, 1);
  const closing = dossier.close(10_000);
  await expect(dossier.start({ question: QUESTION })).rejects.toMatchObject({ code: "draining" });
  await closing;
});

const openDatabase = ({ dir }: TestDossier) => new Database(join(dir, "data", "dossier.sqlite"));

function runsIn(dossier: TestDossier): unknown {
  const database = openDatabase(dossier);
  const runs = database.prepare("select status, crashes from runs").all();
  database.close();
  return runs;
}

it("does not wait for the claim of a run while another program has locked the database", async () => {
  const dossier = await openDossier();
  const other = openDatabase(dossier);
  onTestFinished(() => void other.close());
  other.exec("begin immediate");
  await expect(dossier.start({ question: QUESTION })).rejects.toMatchObject({ code: "storage_unavailable" });
  const before = performance.now();
  await dossier.close(0);
  expect(performance.now() - before).toBeLessThan(6_000);
});

it("executes no run that was claimed while it began to drain, and counts no crash for it", async () => {
  const dossier = await openDossier();
  const other = openDatabase(dossier);
  other.exec("begin immediate");
  const started = dossier.start({ question: QUESTION }).catch(() => undefined);
  await pause(50);
  const closing = dossier.close(10_000);
  other.close();
  await closing;
  await started;
  expect(runsIn(dossier)).toEqual([{ status: "queued", crashes: 0 }]);
});

it("waits until all abandoned runs are back in the queue, also if the disk is busy", async () => {
  const { server, parts } = await scenario(60_000);
  let stored: Storage | null = null;
  const graphs: Parts["graphs"] = [
    (storage) => {
      stored = storage;
      return defineWaiting(storage.checkpoints);
    },
  ];
  const dossier = await openDossier({ parts: { ...parts, graphs }, environment: { RUN_CONCURRENCY: "4" } });
  for (let run = 0; run < 4; run += 1) await dossier.start({ question: QUESTION });
  await untilAsked(server, 4);
  const { db } = (stored as unknown as Storage).checkpoints;
  db.function("slowly", () => Number(Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600) === "ok"));
  db.exec("create temp trigger busy before update on main.runs when new.status = 'queued' begin select slowly(); end");
  await dossier.close(0);
  expect(runsIn(dossier)).toEqual(Array(4).fill({ status: "queued", crashes: 0 }));
});

it("stops a run for good when its time is up, and says so", async () => {
  const { parts } = await scenario(60_000);
  const dossier = await openDossier({ parts });
  const { id } = await dossier.start({ question: QUESTION, limits: { seconds: 0.5 } });
  const run = await dossier.finish(id);
  expect(run.status).toBe("succeeded");
  expect(run.report?.ledger.find((entry) => entry.source === "alpha")).toMatchObject({ outcome: "failed", failure: "timeout" });
  expect((await dossier.events(id)).find((event) => event.type === "loop-ended")).toMatchObject({ reason: "budget" });
  await replayed(dossier, id, parts);
});
