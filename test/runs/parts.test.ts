import { MemorySaver } from "@langchain/langgraph";
import { expect, it } from "vitest";
import type { Parts } from "../../src/compose/parts.ts";
import { readRecording } from "../../src/journal/recording-file.ts";
import { openJournal } from "../../src/journal/segment-journal.ts";
import { replayRecording } from "../../src/runs/replay.ts";
import { openDossier, TENANT } from "../helpers/open-dossier.ts";
import { defineParted } from "../helpers/parted-graph.ts";

const parts: Parts = { graphs: [(storage) => defineParted(storage.checkpoints)] };

async function openParted(dir?: string) {
  const dossier = await openDossier({ parts, ...(dir === undefined ? {} : { dir }) });
  await dossier.recover();
  return dossier;
}

it("waits in two nested runs at once, resumes both where they waited, in another process, and replays", async () => {
  const first = await openParted();
  const { id } = await first.start({ question: "Where is everybody?", graph: "parted" });
  const waiting = await first.finish(id);
  expect(waiting.error).toBeNull();
  expect(waiting.pending.map(({ id, prompt, path }) => [id, prompt, path])).toEqual([
    ["0.0", "Where is west?", "part:west"],
    ["0.1", "Where is 东?", "part:东"],
  ]);
  await first.runs.answer(TENANT, id, { answer: "there", pendingId: "0.0" });
  await first.close(0);

  const second = await openParted(first.dir);
  await second.runs.answer(TENANT, id, { answer: "在家" });
  const run = await second.finish(id);
  expect(run.error).toBeNull();
  expect(run.report?.markdown).toMatch(/^东 \(3\): 东: "在家" \| west \(3\): west: "there" \| quiet \(2\): 0\.\d+$/);
  const events = await second.events(id);
  const drew = events.flatMap((event) => (event.type === "content" && event.delta.includes("drew") ? [event] : []));
  expect(drew.map(({ path }) => path).sort()).toEqual(["part:quiet", "part:quiet", "part:west", "part:west", "part:东", "part:东"]);
  const recording = await readRecording(await second.recordingLines(id));
  expect(recording.segments).toHaveLength(2);
  const again = await replayRecording(recording, defineParted(new MemorySaver()), openJournal);
  expect(again.difference).toBeNull();
  expect(again.events).toEqual(recording.events);
});
