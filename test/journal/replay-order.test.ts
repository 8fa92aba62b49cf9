import { Annotation, END, MemorySaver, Send, START, StateGraph } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import type { Effects } from "../../src/domain/ports/effects.ts";
import type { Recording } from "../../src/domain/recording.ts";
import { bindNode } from "../../src/graphs/bind.ts";
import { readRecording } from "../../src/journal/recording-file.ts";
import { openJournal } from "../../src/journal/segment-journal.ts";
import { replayRecording } from "../../src/runs/replay.ts";
import { openDossier } from "../helpers/open-dossier.ts";
import { note, testGraph } from "../helpers/test-graph.ts";
import { turns } from "../helpers/turns.ts";
import { SPINNING } from "./spin.ts";

const State = Annotation.Root({
  tag: Annotation<string>,
  out: Annotation<string[], string[]>({ reducer: (known, more) => [...known, ...more], default: () => [] }),
});

/** Eight effects that take some turns of the event loop each, at the same time, each followed by more effects, a computation and events. */
async function fanOut(tag: string, effects: Effects): Promise<{ out: string[] }> {
  const draw = (request: string) =>
    effects.perform({ kind: "random", request, timeoutMs: 600_000, live: () => turns(Math.floor(Math.random() * 20)).then(Math.random) });
  const out = await Promise.all(
    Array.from({ length: 8 }, async (_, index) => {
      const first = await draw(`${tag} ${index}`);
      note(effects, `${tag} ${index} first ${first}`);
      const second = await draw("the same request");
      note(effects, `${tag} ${index} second ${second}`);
      note(effects, `${tag} ${index} computed ${await effects.compute(SPINNING, Math.floor(Math.random() * 500_000))}`);
      await Promise.resolve();
      if (index % 3 === 0) note(effects, `${tag} ${index} third ${await draw(`${tag} again`)}`);
      return `${first}`;
    }),
  );
  return { out };
}

const defineParallel = testGraph<typeof State.State>({
  compile: (checkpointer) =>
    new StateGraph(State)
      .addNode(
        "left",
        bindNode(async (_: typeof State.State, effects: Effects) => fanOut("left", effects)),
      )
      .addNode(
        "right",
        bindNode(async (_: typeof State.State, effects: Effects) => fanOut("right", effects)),
      )
      .addNode(
        "join",
        bindNode(async () => ({})),
      )
      .addNode(
        "worker",
        bindNode(async (state: { tag: string }, effects: Effects) => fanOut(state.tag, effects)),
      )
      .addEdge(START, "left")
      .addEdge(START, "right")
      .addEdge(["left", "right"], "join")
      .addConditionalEdges("join", () => ["一", "二", "三"].map((tag) => new Send("worker", { tag })), ["worker"])
      .addEdge("worker", END)
      .compile({ checkpointer }) as never,
  input: { tag: "start" },
  report: (state) => state.out.join(","),
});

async function record(): Promise<Recording> {
  const dossier = await openDossier({ parts: { graphs: [(storage) => defineParallel(storage.checkpoints)] } });
  const { id } = await dossier.start({ question: "Which comes first?", graph: "test" });
  expect((await dossier.finish(id)).status).toBe("succeeded");
  return readRecording(await dossier.recordingLines(id));
}

describe("replay of parallel work", () => {
  it("emits the same events in the same order, 50 times of 50", async () => {
    const recording = await record();
    expect(recording.segments[0]?.records.length).toBeGreaterThan(80);
    for (let attempt = 0; attempt < 50; attempt += 1) {
      const { difference, events } = await replayRecording(recording, defineParallel(new MemorySaver()), openJournal);
      expect(difference).toBeNull();
      expect(events).toEqual(recording.events);
    }
  });

  it("holds for ten different recordings", async () => {
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const recording = await record();
      const { difference, events } = await replayRecording(recording, defineParallel(new MemorySaver()), openJournal);
      expect(difference).toBeNull();
      expect(events).toEqual(recording.events);
    }
  });
});
