import { Annotation, END, interrupt, MemorySaver, Send, START, StateGraph } from "@langchain/langgraph";
import { expect, it } from "vitest";
import type { Parts } from "../../src/compose/parts.ts";
import type { Effects } from "../../src/domain/ports/effects.ts";
import { bindNode } from "../../src/graphs/bind.ts";
import { readRecording } from "../../src/journal/recording-file.ts";
import { openJournal } from "../../src/journal/segment-journal.ts";
import { replayRecording } from "../../src/runs/replay.ts";
import { openDossier, TENANT, type TestDossier } from "../helpers/open-dossier.ts";
import { testGraph } from "../helpers/test-graph.ts";
import { turns } from "../helpers/turns.ts";

const State = Annotation.Root({
  done: Annotation<string[], string[]>({ reducer: (known, more) => [...known, ...more], default: () => [] }),
});

const step = (name: string) => bindNode(async () => ({ done: [name] }));
const ask = bindNode(async (_: typeof State.State) => {
  const answer: unknown = interrupt({ kind: "question", prompt: "Go on?", path: "", plan: null, call: null });
  return { done: [`二 ${answer}`] };
});
const waitFor = (end: Promise<number>, begun: () => void = () => undefined) =>
  bindNode(async (_: typeof State.State, effects: Effects) => {
    const live = (): Promise<number> => {
      begun();
      return end;
    };
    await effects.perform({ kind: "random", request: null, timeoutMs: 600_000, live });
    return { done: ["二"] };
  });

/** Four steps, the last of which has two parallel tasks; `second` is the node of the second step. */
const define = (second: typeof ask) =>
  testGraph<typeof State.State>({
    compile: (checkpointer) =>
      new StateGraph(State)
        .addNode("first", step("一"))
        .addNode("second", second)
        .addNode("third", step("三"))
        .addNode("fourth", step("四"))
        .addEdge(START, "first")
        .addEdge("first", "second")
        .addEdge("second", "third")
        .addConditionalEdges("third", () => [new Send("fourth", {}), new Send("fourth", {})], ["fourth"])
        .addEdge("fourth", END)
        .compile({ checkpointer }) as never,
    input: {},
    report: (state) => state.done.join(" "),
  });

const partsOf = (second: typeof ask): Parts => ({ graphs: [(storage) => define(second)(storage.checkpoints)] });

async function checkEnd(dossier: TestDossier, id: string, steps: number, second: typeof ask, report: string): Promise<void> {
  const run = await dossier.finish(id);
  if (steps >= 4) {
    expect(run).toMatchObject({ status: "succeeded", report: { markdown: report } });
  } else {
    expect(run).toMatchObject({
      status: "failed",
      termination: { reason: "step_cap" },
      error: {
        code: "step_cap",
        message: "The run has not ended within its limit of 3 steps. Raise limits.steps or MAX_STEPS, or ask for less.",
      },
    });
  }
  const started = (await dossier.events(id)).filter((event) => event.type === "node-started");
  expect(Math.max(...started.map((event) => event.step))).toBe(Math.min(4, steps));
  const recording = await readRecording(await dossier.recordingLines(id));
  expect(recording.segments).toHaveLength(2);
  expect((await replayRecording(recording, define(second)(new MemorySaver()), openJournal)).difference).toBeNull();
}

it.each([3, 4])("counts %i steps across a wait, and ends with step_cap if they are used up", async (steps) => {
  const dossier = await openDossier({ parts: partsOf(ask) });
  const { id } = await dossier.start({ question: "多少步？", graph: "test", limits: { steps } });
  await dossier.finish(id);
  await dossier.runs.answer(TENANT, id, { answer: "好" });
  await checkEnd(dossier, id, steps, ask, "一 二 好 三 四 四");
});

it.each([3, 4])("counts %i steps across a restart of the service", async (steps) => {
  const [begun, end] = [Promise.withResolvers<void>(), Promise.withResolvers<number>()];
  const slow = waitFor(end.promise, begun.resolve);
  const first = await openDossier({ parts: partsOf(slow) });
  const { id } = await first.start({ question: "多少步？", graph: "test", limits: { steps } });
  await begun.promise;
  const closing = first.close(600_000);
  await turns(10);
  end.resolve(0);
  await closing;
  const second = await openDossier({ parts: partsOf(slow), dir: first.dir });
  await second.recover();
  await checkEnd(second, id, steps, slow, "一 二 三 四 四");
});
