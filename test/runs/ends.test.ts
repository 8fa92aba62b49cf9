import { rename } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import Database from "better-sqlite3";
import { expect, it, vi } from "vitest";
import type { Parts } from "../../src/compose/parts.ts";
import { replay } from "../../src/compose.ts";
import type { ToolResult } from "../../src/domain/tool.ts";
import { readRecording } from "../../src/journal/recording-file.ts";
import { scriptedAnalyst } from "../fakes/scripted-analyst.ts";
import { openDossier, TENANT, type TestDossier } from "../helpers/open-dossier.ts";
import { defineWaiting } from "../helpers/waiting-graph.ts";
import { withStorage } from "../helpers/with-storage.ts";
import { endAtAnyInstant, found, QUESTION, toolOf } from "./end-at-any-instant.ts";

const WAITING: Parts = { graphs: [(storage) => defineWaiting(storage.checkpoints)] };

it("cancels and drains at any instant without a needless restart, and every recording replays", () => endAtAnyInstant(4));

it("emits run-ended also for a run whose graph no longer exists", async () => {
  const first = await openDossier({ parts: WAITING });
  const { id } = await first.start({ question: "大家在哪里？", graph: "waiting" });
  const { pending } = await first.finish(id);
  await first.close(0);
  const second = await openDossier({ dir: first.dir });
  for (const question of pending) await second.runs.answer(TENANT, id, { answer: "y", pendingId: question.id });
  expect(await second.finish(id)).toMatchObject({ status: "failed", error: { code: "unknown_graph" } });
  expect((await second.events(id)).at(-1)).toMatchObject({ type: "run-ended", status: "failed" });
});

it("refuses a cancel that cannot be stored, because the database is locked, and takes it afterwards", async () => {
  const other = Promise.withResolvers<Database.Database>();
  const parts: Parts = {
    ...WAITING,
    onEvent: (_, event) => {
      if (event.type !== "run-waiting") return;
      const database = new Database(join(dossier.dir, "data", "dossier.sqlite"));
      database.exec("begin immediate");
      other.resolve(database);
    },
  };
  const dossier = await openDossier({ parts });
  const { id } = await dossier.start({ question: "大家在哪里？", graph: "waiting" });
  const database = await other.promise;
  await expect(dossier.runs.cancel(TENANT, id)).rejects.toMatchObject({ code: "storage_unavailable" });
  database.close();
  expect(["running", "cancelled"]).toContain((await dossier.runs.cancel(TENANT, id)).status);
  await expect.poll(async () => (await dossier.runs.get(TENANT, id)).status).toBe("cancelled");
});

it("does not lose a cancel request that arrives as the run begins to wait", async () => {
  let dossier: TestDossier | null = null;
  let cancelled: Promise<unknown> | null = null;
  const parts: Parts = {
    ...WAITING,
    onEvent: (run, event) => {
      if (event.type === "run-waiting") cancelled = dossier?.runs.cancel(TENANT, run.runId) ?? null;
    },
  };
  dossier = await openDossier({ parts });
  const { id } = await dossier.start({ question: "Where?", graph: "waiting" });
  await expect.poll(async () => (await dossier?.runs.get(TENANT, id))?.status).toBe("cancelled");
  await cancelled;
  expect((await dossier.events(id)).at(-1)?.type).toBe("run-ended");
});

it("shows the event that a run waits only together with its status", async () => {
  const seen: string[] = [];
  let looking: Promise<void> | null = null;
  const look = async (dir: string, runId: string): Promise<void> => {
    const database = new Database(join(dir, "data", "dossier.sqlite"), { readonly: true });
    const state = database.prepare(
      `select status || coalesce((select ' told' from events where run_id = runs.id and origin like '%/end@%'), '') as state
       from runs where id = ?`,
    );
    for (let now = ""; now !== "waiting told"; await setImmediate()) {
      now = (state.get(runId) as { state: string }).state;
      if (seen.at(-1) !== now) seen.push(now);
    }
    database.close();
  };
  const parts: Parts = {
    ...WAITING,
    onEvent: (run, event) => {
      if (event.type === "run-waiting") looking = look(dossier.dir, run.runId);
    },
  };
  const dossier = await openDossier({ parts });
  const { id } = await dossier.start({ question: "大家在哪里？", graph: "waiting" });
  await dossier.finish(id);
  await looking;
  expect(seen).toEqual(["running", "waiting told"]);
});

it("exports a waiting run as it was, although it is answered meanwhile", async () => {
  const dossier = await openDossier({ parts: WAITING });
  const { id } = await dossier.start({ question: "Where?", graph: "waiting" });
  const { pending } = await dossier.finish(id);
  const lines: string[] = [];
  for await (const line of dossier.runs.recording(TENANT, id)) {
    lines.push(line);
    if (lines.length !== 2) continue;
    for (const question of pending) await dossier.runs.answer(TENANT, id, { answer: "y", pendingId: question.id });
    await dossier.finish(id);
  }
  expect((await readRecording(lines)).segments).toHaveLength(1);
});

it("replaces half a surrogate pair in a tool's text by the replacement character", async () => {
  const parts: Parts = {
    analyst: scriptedAnalyst([[["alpha", { query: "a" }]]]),
    tools: [
      toolOf(async () => ({ text: "a\ud800", sources: [{ ...found("x").sources[0], title: "t\udc00" } as ToolResult["sources"][0]] })),
    ],
  };
  const dossier = await openDossier({ parts });
  const run = await dossier.finish((await dossier.start({ question: "who \ud800 built the lighthouse of Aldermoor?" })).id);
  expect(run.status).toBe("succeeded");
  expect(run.report?.sources.find(({ kind }) => kind === "tool")?.title).toBe("t\ufffd");
  expect((await replay(await readRecording(await dossier.recordingLines(run.id)), parts)).difference).toBeNull();
});

it("continues by itself after the database refuses for a while, and loses no event", async () => {
  const { graphs, stored } = withStorage();
  const refused = Promise.withResolvers<Database.Database>();
  let isRefused = false;
  const parts: Parts = {
    graphs,
    onEvent: (_, event) => {
      if (event.type !== "decision" || isRefused) return;
      isRefused = true;
      const raw = new Database(join(dossier.dir, "data", "dossier.sqlite"));
      for (const [name, what] of [
        ["a", "insert on events"],
        ["b", "update on runs"],
      ]) {
        raw.exec(`create trigger refuse_${name} before ${what} begin select raise(abort, 'database or disk is full'); end`);
      }
      refused.resolve(raw);
    },
  };
  const dossier = await openDossier({ parts });
  const { id } = await dossier.start({ question: QUESTION });
  const raw = await refused.promise;
  const releases = vi.spyOn(stored().runs, "release");
  await expect.poll(() => releases.mock.calls.length).toBeGreaterThan(1);
  raw.exec("drop trigger refuse_a; drop trigger refuse_b");
  raw.close();
  const run = await dossier.finish(id);
  expect(run.status).toBe("succeeded");
  const events = await dossier.events(run.id);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.filter((event) => event.type === "node-ended").map((event) => event.node)).toEqual([
    "llm_decision",
    "search",
    "rerank",
    "download",
    "summarize",
  ]);
  expect(events.at(-1)?.type).toBe("run-ended");
});

it("shows a text under the name with which this run found it, whichever run found it before", async () => {
  const text = "The lighthouse of Aldermoor was built in 1874 by Ada Penrose.\n";
  const dossier = await openDossier({ corpus: { "secret-plan.txt": text } });
  await dossier.finish((await dossier.start({ question: QUESTION })).id);
  await rename(join(dossier.dir, "corpus", "secret-plan.txt"), join(dossier.dir, "corpus", "public.txt"));
  await dossier.prepare(new AbortController().signal);
  const run = await dossier.finish((await dossier.start({ question: QUESTION })).id);
  const document = await dossier.runs.document(TENANT, run.id, run.report?.citations[0]?.contentHash ?? "");
  expect([document.title, document.url]).toEqual(["public.txt", "corpus:public.txt"]);
  expect((await dossier.events(run.id)).find((event) => event.type === "document-read")).toMatchObject({ title: "public.txt" });
});
