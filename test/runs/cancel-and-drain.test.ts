import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it, vi } from "vitest";
import type { Parts } from "../../src/compose/parts.ts";
import { replay } from "../../src/compose.ts";
import { readRecording } from "../../src/journal/recording-file.ts";
import { type GatedServer, startGated } from "../fakes/gated-server.ts";
import { httpTool } from "../fakes/http-tool.ts";
import { scriptedAnalyst } from "../fakes/scripted-analyst.ts";
import { openDossier, TENANT, type TestDossier } from "../helpers/open-dossier.ts";
import { withStorage } from "../helpers/with-storage.ts";

const QUESTION = "谁建造了奥尔德穆尔灯塔？";

/** A run that calls a tool twice. The tool answers when the test opens it. */
async function scenario(): Promise<{ server: GatedServer; parts: Parts }> {
  const source = { title: "t", url: "https://example.org/t", publishedAt: null, snippet: "t", text: "A text." };
  const server = await startGated({ text: "ok", sources: [source] });
  const analyst = scriptedAnalyst([[["alpha", { query: "a" }]], [["alpha", { query: "b" }]]]);
  return { server, parts: { analyst, tools: [httpTool("alpha", server.url)] } };
}

async function replayed(dossier: TestDossier, id: string, parts: Parts) {
  const recording = await readRecording(await dossier.recordingLines(id));
  const again = await replay(recording, parts);
  expect(again.difference).toBeNull();
  expect(again.events).toEqual(recording.events);
  return recording;
}

it("cancels in the middle of a tool call, and the recording replays to the same end", async () => {
  const { server, parts } = await scenario();
  const dossier = await openDossier({ parts });
  const { id } = await dossier.start({ question: QUESTION });
  await server.asked(1);
  await dossier.runs.cancel(TENANT, id);
  const run = await dossier.finish(id);
  expect(run).toMatchObject({ status: "cancelled", termination: { reason: "cancelled" }, report: null });
  expect((await dossier.events(id)).at(-1)).toMatchObject({ type: "run-ended", status: "cancelled" });
  await expect(dossier.runs.cancel(TENANT, id)).rejects.toMatchObject({ code: "run_finished" });
  await replayed(dossier, id, parts);
});

it("cancels a run that is still queued", async () => {
  const { server, parts } = await scenario();
  const dossier = await openDossier({ parts, environment: { RUN_CONCURRENCY: "1" } });
  const first = await dossier.start({ question: QUESTION });
  await server.asked(1);
  const second = await dossier.start({ question: QUESTION });
  expect((await dossier.runs.cancel(TENANT, second.id)).status).toBe("cancelled");
  expect((await dossier.events(second.id)).map((event) => event.type)).toEqual(["run-queued", "run-ended"]);
  await replayed(dossier, second.id, parts);
  await dossier.runs.cancel(TENANT, first.id);
  expect((await dossier.finish(first.id)).status).toBe("cancelled");
});

it("drains at a step boundary and is continued by the next process without repeating anything", async () => {
  const { server, parts } = await scenario();
  const first = await openDossier({ parts });
  const { id } = await first.start({ question: QUESTION });
  await server.asked(1);
  const closing = first.close(600_000);
  server.open();
  await closing;

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
  const { server, parts } = await scenario();
  const first = await openDossier({ parts });
  const { id } = await first.start({ question: QUESTION });
  await server.asked(1);
  await first.close(50);
  server.open();

  const second = await openDossier({ parts, dir: first.dir });
  await second.recover();
  expect((await second.finish(id)).status).toBe("succeeded");
  await replayed(second, id, parts);
});

it("refuses new runs while it drains", async () => {
  const { server, parts } = await scenario();
  const dossier = await openDossier({ parts });
  await dossier.start({ question: QUESTION });
  await server.asked(1);
  const closing = dossier.close(600_000);
  await expect(dossier.start({ question: QUESTION })).rejects.toMatchObject({ code: "draining" });
  server.open();
  await closing;
});

const openDatabase = ({ dir }: TestDossier) => new Database(join(dir, "data", "dossier.sqlite"));

function runsIn(dossier: TestDossier): unknown {
  const database = openDatabase(dossier);
  const runs = database.prepare("select status, crashes from runs").all();
  database.close();
  return runs;
}

it("executes no run that was claimed while it began to drain, and counts no crash for it", async () => {
  const { graphs, stored } = withStorage();
  const dossier = await openDossier({ parts: { graphs } });
  const other = openDatabase(dossier);
  other.exec("begin immediate");
  const claims = vi.spyOn(stored().runs, "claim");
  const started = dossier.start({ question: QUESTION }).catch(() => undefined);
  await expect.poll(() => claims.mock.calls.length).toBe(1);
  const closing = dossier.close(600_000);
  other.close();
  await closing;
  await started;
  expect(runsIn(dossier)).toEqual([{ status: "queued", crashes: 0 }]);
});

it("waits until all abandoned runs are back in the queue", async () => {
  const { server, parts } = await scenario();
  const dossier = await openDossier({ parts, environment: { RUN_CONCURRENCY: "4" } });
  for (let run = 0; run < 4; run += 1) await dossier.start({ question: QUESTION });
  await server.asked(4);
  await dossier.close(0);
  expect(runsIn(dossier)).toEqual(Array(4).fill({ status: "queued", crashes: 0 }));
});

it("stops a run for good when its time is up, and says so", async () => {
  const { server, parts } = await scenario();
  let now = Date.UTC(2026, 7, 1);
  const dossier = await openDossier({ parts: { ...parts, clock: () => now } });
  const { id } = await dossier.start({ question: QUESTION, limits: { seconds: 0.5 } });
  await server.asked(1);
  now += 500;
  const run = await dossier.finish(id);
  expect(run.status).toBe("succeeded");
  expect(run.report?.ledger.find((entry) => entry.source === "alpha")).toMatchObject({ outcome: "failed", failure: "timeout" });
  expect((await dossier.events(id)).find((event) => event.type === "loop-ended")).toMatchObject({ reason: "budget" });
  await replayed(dossier, id, parts);
});
