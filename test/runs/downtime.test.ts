import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it, vi } from "vitest";
import type { Parts } from "../../src/compose/parts.ts";
import { replay } from "../../src/compose.ts";
import { pausesOf, runningMs } from "../../src/domain/recording.ts";
import { readRecording } from "../../src/journal/recording-file.ts";
import { startGated } from "../fakes/gated-server.ts";
import { httpTool } from "../fakes/http-tool.ts";
import { scriptedAnalyst } from "../fakes/scripted-analyst.ts";
import { openDossier } from "../helpers/open-dossier.ts";
import { withStorage } from "../helpers/with-storage.ts";

const HOUR_MS = 3_600_000;

it("does not count downtime", async () => {
  const server = await startGated();
  let now = 10 * HOUR_MS;
  const parts: Parts = {
    analyst: scriptedAnalyst([[["alpha", { query: "a" }]]]),
    tools: [httpTool("alpha", server.url)],
    clock: () => now,
  };
  const first = await openDossier({ parts });
  const { id } = await first.start({ question: "Who built the lighthouse of Aldermoor?", limits: { seconds: 60 } });
  await server.asked(1);
  await first.close(0);
  server.open();
  now += HOUR_MS;

  const second = await openDossier({ parts, dir: first.dir });
  await second.recover();
  const run = await second.finish(id);
  expect(run).toMatchObject({ status: "succeeded", termination: { reason: "completed" } });
  for (const { ms } of run.report?.ledger ?? []) expect(ms).toBe(0);
  for (const event of await second.events(id)) if (event.type === "node-ended") expect(event.durationMs).toBe(0);
  const recording = await readRecording(await second.recordingLines(id));
  expect((await replay(recording, parts)).difference).toBeNull();
});

/** Leaves the queued runs of a closed service as a process leaves them that was killed, after so many crashes. */
function pretendKill(dir: string, { crashes, alone }: { readonly crashes: number; readonly alone: number }): void {
  const database = new Database(join(dir, "data", "dossier.sqlite"));
  const update = database.prepare("update runs set status = 'running', crashes = ?, crashed_alone = ? where status = 'queued'");
  update.run(crashes, alone);
  database.close();
}

async function openStuck(clock?: () => number) {
  const server = await startGated();
  const parts: Parts = {
    ...(clock && { clock }),
    analyst: scriptedAnalyst([[["alpha", { query: "a" }]]]),
    tools: [httpTool("alpha", server.url)],
  };
  return { server, parts, first: await openDossier({ parts }) };
}

it("ends a run at whose third crash it is alone again", async () => {
  const { server, parts, first } = await openStuck();
  const { dir } = first;
  const { id } = await first.start({ question: "谁建造了灯塔？" });
  await server.asked(1);
  await first.close(0);
  pretendKill(dir, { crashes: 4, alone: 2 });
  const second = await openDossier({ parts, dir });
  await second.recover();
  expect(await second.finish(id)).toMatchObject({
    status: "failed",
    error: { code: "crashed", message: expect.stringContaining("crashed 3 times while it executed this run and no other") },
  });
});

it("starts runs that were in flight at two crashes one at a time, after a result or ten seconds, and then the others", async () => {
  let now = 10 * HOUR_MS;
  const { server, parts, first } = await openStuck(() => now);
  const { dir } = first;
  const questions = ["Who built the lighthouse?", "Who lit the lamp?", "谁设计了灯塔？"];
  for (const question of questions) await first.start({ question });
  await server.asked(3);
  await first.close(0);
  pretendKill(dir, { crashes: 1, alone: 0 });
  const { graphs, stored } = withStorage();
  const second = await openDossier({ parts: { ...parts, graphs }, dir });
  const looks = vi.spyOn(stored().runs, "crashesOf");
  const looked = (): Promise<void> => expect.poll(() => looks.mock.calls.length).toBeGreaterThan(looks.mock.calls.length + 1);
  await second.recover();
  const later = await second.start({ question: "Who built the harbour?" });
  await server.asked(4);
  expect(second.operations.work().active).toBe(1);
  now += 9_999;
  await looked();
  expect(second.operations.work().active).toBe(1);
  now += 1;
  await server.asked(5);
  expect(second.operations.work().active).toBe(2);
  // Each of them now records its result at once.
  server.open();
  expect(await second.finish(later.id)).toMatchObject({ status: "succeeded" });
});

it("counts no crash when the service shuts down during a call", async () => {
  const { server, parts, first } = await openStuck();
  let dossier = first;
  const { id } = await dossier.start({ question: "Who built the lighthouse?" });
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    await server.asked(attempt);
    await dossier.close(0);
    dossier = await openDossier({ parts, dir: first.dir });
    expect(await dossier.recover()).toBe(1);
  }
  expect((await dossier.runs.get("default", id)).status).not.toBe("failed");
});

it("ends a run no earlier than it was created, also when the clock is set back", async () => {
  let now = 10 * HOUR_MS;
  const setClockBack = () => {
    now = HOUR_MS;
  };
  const dossier = await openDossier({ parts: { clock: () => now, onEvent: setClockBack } });
  const { id } = await dossier.start({ question: "Who built the lighthouse of Aldermoor?" });
  const { createdAt, startedAt, endedAt } = await dossier.finish(id);
  expect([createdAt, startedAt, endedAt].toSorted()).toEqual([createdAt, startedAt, endedAt]);
});

it("reads the pauses of a run from its log", () => {
  const log = [
    ["life/run-queued/0", 5],
    ["life/run-started/1", 10],
    ["0.0/0:a@0", 12],
    ["life/run-started/2", 50],
    ["0.0/0:a@1", 51],
    ["0.0/end@0", 60],
    ["life/run-resumed/0.0", 90],
    ["life/run-started/3", 91],
  ] as const;
  const pauses = pausesOf(log.map(([origin, at]) => ({ origin, at })));
  expect(pauses).toEqual([
    { from: 12, to: 50 },
    { from: 60, to: 91 },
  ]);
  expect(runningMs(pauses, 10, 100)).toBe(90 - 38 - 31);
  expect(runningMs(pauses, 20, 40)).toBe(0);
  expect(runningMs([], 20, 40)).toBe(20);
});
