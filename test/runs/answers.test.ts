import { join } from "node:path";
import { MemorySaver } from "@langchain/langgraph";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import type { Parts } from "../../src/compose/parts.ts";
import { readRecording } from "../../src/journal/recording-file.ts";
import { openJournal } from "../../src/journal/segment-journal.ts";
import { replayRecording } from "../../src/runs/replay.ts";
import { openDossier, TENANT } from "../helpers/open-dossier.ts";
import { defineWaiting } from "../helpers/waiting-graph.ts";

const parts: Parts = { graphs: [(storage) => defineWaiting(storage.checkpoints)] };

async function openWaiting(dir?: string) {
  const dossier = await openDossier({ parts, ...(dir === undefined ? {} : { dir }) });
  await dossier.recover();
  return dossier;
}

it("waits for every question, continues when all are answered, also in another process, and replays", async () => {
  const first = await openWaiting();
  const { id } = await first.start({ question: "Where is everybody?", graph: "waiting" });
  const waiting = await first.finish(id);
  expect(waiting.status).toBe("waiting");
  expect(waiting.pending.map(({ id, prompt, path }) => [id, prompt, path])).toEqual([
    ["0.0", "Where is west?", "west"],
    ["0.1", "Where is 东?", "东"],
  ]);
  await expect(first.runs.answer(TENANT, id, { answer: "here" })).rejects.toMatchObject({ code: "invalid_request" });
  await expect(first.runs.answer(TENANT, id, { answer: "here", pendingId: "9.9" })).rejects.toMatchObject({ code: "run_not_waiting" });
  expect((await first.runs.answer(TENANT, id, { answer: false, pendingId: "0.0" })).status).toBe("waiting");
  await first.close(0);

  const second = await openWaiting(first.dir);
  await second.runs.answer(TENANT, id, { answer: "在家" });
  expect((await second.finish(id)).pending.map(({ prompt }) => prompt)).toEqual(["First?"]);
  await second.runs.answer(TENANT, id, { answer: 0 });
  expect((await second.finish(id)).pending.map(({ prompt }) => prompt)).toEqual(["Second?"]);
  await second.close(0);

  const third = await openWaiting(first.dir);
  for (const answer of ["", " \n\u3000", null])
    await expect(third.runs.answer(TENANT, id, { answer })).rejects.toMatchObject({
      code: "invalid_request",
      faults: [{ path: "/answer", message: "is empty" }],
    });
  await third.runs.answer(TENANT, id, { answer: {} });
  const done = await third.finish(id);
  expect(done.report?.markdown).toBe('东: "在家" | west: false | 0 | {}');
  const recording = await readRecording(await third.recordingLines(id));
  expect(recording.segments).toHaveLength(4);
  expect(recording.events.map(({ seq }) => seq)).toEqual(recording.events.map((_, index) => index + 1));
  const again = await replayRecording(recording, defineWaiting(new MemorySaver()), openJournal);
  expect(again.difference).toBeNull();
  expect(again.events).toEqual(recording.events);
});

it("stores the checkpoint of a run that waits, but none when the run ends", async () => {
  const dossier = await openWaiting();
  const database = new Database(join(dossier.dir, "data", "dossier.sqlite"), { readonly: true });
  const checkpoints = (): unknown[] => database.prepare("select checkpoint_id from checkpoints order by checkpoint_id").pluck().all();
  const { id } = await dossier.start({ question: "谁在哪里？", graph: "waiting" });
  await dossier.finish(id);
  for (const pendingId of ["0.0", "0.1"]) await dossier.runs.answer(TENANT, id, { answer: "here", pendingId });
  await dossier.finish(id);
  await dossier.runs.answer(TENANT, id, { answer: "1" });
  expect((await dossier.finish(id)).pending.map(({ prompt }) => prompt)).toEqual(["Second?"]);
  const waiting = checkpoints();
  expect(waiting).not.toEqual([]);
  await dossier.runs.answer(TENANT, id, { answer: "2" });
  expect((await dossier.finish(id)).status).toBe("succeeded");
  expect(checkpoints()).toEqual(waiting);
  database.close();
});

it("can be cancelled while it waits, and refuses answers after that", async () => {
  const dossier = await openWaiting();
  const { id } = await dossier.start({ question: "Where is everybody?", graph: "waiting" });
  await dossier.finish(id);
  expect((await dossier.runs.cancel(TENANT, id)).status).toBe("cancelled");
  await expect(dossier.runs.answer(TENANT, id, { answer: "late", pendingId: "0.0" })).rejects.toMatchObject({ code: "run_not_waiting" });
  const recording = await readRecording(await dossier.recordingLines(id));
  expect((await replayRecording(recording, defineWaiting(new MemorySaver()), openJournal)).difference).toBeNull();
});
