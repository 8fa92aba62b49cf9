import { Annotation, END, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { expect, it } from "vitest";
import type { Parts } from "../../src/compose/parts.ts";
import type { Effects } from "../../src/domain/ports/effects.ts";
import { bindNode } from "../../src/graphs/bind.ts";
import { readRecording } from "../../src/journal/recording-file.ts";
import { openJournal } from "../../src/journal/segment-journal.ts";
import { replayRecording } from "../../src/runs/replay.ts";
import { openDossier, type TestDossier } from "../helpers/open-dossier.ts";
import { note, testGraph } from "../helpers/test-graph.ts";

const State = Annotation.Root({
  drawn: Annotation<string[], string[]>({ reducer: (known, more) => [...known, ...more], default: () => [] }),
});

interface Shape {
  /** The requests of the first node, then of the second. */
  readonly first: readonly string[];
  readonly second: readonly string[];
  readonly fingerprint: string;
  readonly remark: string;
  /** Never answers this request. */
  readonly hangAt?: string;
}

/** Two nodes that draw, one request after another; `performed` has every request that was really made. */
function define(shape: Shape, performed: string[]) {
  const draw = async (request: string, effects: Effects): Promise<string> => {
    const live = async (): Promise<string> => {
      performed.push(request);
      if (request === shape.hangAt) await new Promise(() => undefined);
      return `${request}${Math.random()}`;
    };
    const drawn = await effects.perform({ kind: "random", request, timeoutMs: 30_000, live });
    note(effects, `${shape.remark} ${request}`);
    return drawn;
  };
  const node = (requests: readonly string[]) =>
    bindNode(async (_: typeof State.State, effects: Effects) => {
      const drawn: string[] = [];
      for (const request of requests) drawn.push(await draw(request, effects));
      return { drawn };
    });
  return testGraph<typeof State.State>({
    fingerprint: shape.fingerprint,
    compile: (checkpointer) =>
      new StateGraph(State)
        .addNode("first", node(shape.first))
        .addNode("second", node(shape.second))
        .addEdge(START, "first")
        .addEdge("first", "second")
        .addEdge("second", END)
        .compile({ checkpointer }) as never,
    input: {},
    report: (state) => state.drawn.map((drawn) => drawn.replace(/0\..*/, "")).join(),
  });
}

const BEFORE: Shape = { first: ["a", "b"], second: ["c", "a", "d"], fingerprint: "1", remark: "old", hangAt: "d" };

/** Runs the old graph up to its hanging request, dies, and continues with the changed one. */
async function crashInto(
  after: Shape,
): Promise<{ dossier: TestDossier; id: string; again: string[]; definition: ReturnType<typeof define> }> {
  const performed: string[] = [];
  const parts = (definition: ReturnType<typeof define>): Parts => ({ graphs: [(storage) => definition(storage.checkpoints)] });
  const first = await openDossier({ parts: parts(define(BEFORE, performed)) });
  const { id } = await first.start({ question: "What is drawn?", graph: "test" });
  await expect.poll(() => performed).toContain("d");
  await first.close(0);

  const again: string[] = [];
  const definition = define(after, again);
  const dossier = await openDossier({ parts: parts(definition), dir: first.dir });
  await dossier.recover();
  expect((await dossier.finish(id)).status).toBe("succeeded");
  return { dossier, id, again, definition };
}

async function check({ dossier, id, definition }: Awaited<ReturnType<typeof crashInto>>): Promise<string[]> {
  const events = await dossier.events(id);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  const recording = await readRecording(await dossier.recordingLines(id));
  const replayed = await replayRecording(recording, definition(new MemorySaver()), openJournal);
  expect(replayed.difference).toBeNull();
  expect(replayed.events).toEqual(recording.events);
  return events.filter((event) => event.type === "run-restarted").map((event) => event.reason);
}

it("continues without a restart if nothing has changed", async () => {
  const crashed = await crashInto({ ...BEFORE, hangAt: "" });
  expect(crashed.again).toEqual(["d"]);
  expect(await check(crashed)).toEqual([]);
});

it("restarts the segment on a changed graph and repeats no recorded effect", async () => {
  const crashed = await crashInto({ first: ["b"], second: ["a", "x", "c", "a", "d"], fingerprint: "2", remark: "new" });
  expect(crashed.again).toEqual(["x", "d"]);
  expect(await check(crashed)).toEqual(["the program, the graph or its prompts have changed"]);
});

it("detects that a graph with the same fingerprint requests other effects", async () => {
  const crashed = await crashInto({ first: ["b", "a"], second: ["a", "c", "d"], fingerprint: "1", remark: "old" });
  expect(crashed.again).toEqual(["d"]);
  expect((await check(crashed))[0]).toContain("it no longer goes as recorded");
});

it("detects that a graph with the same fingerprint emits other events", async () => {
  const crashed = await crashInto({ ...BEFORE, remark: "new", hangAt: "" });
  expect(crashed.again).toEqual(["d"]);
  expect((await check(crashed))[0]).toContain("it no longer goes as recorded");
});

it("detects that a graph with the same fingerprint no longer requests a recorded effect", async () => {
  const crashed = await crashInto({ first: ["a"], second: [], fingerprint: "1", remark: "old" });
  expect(crashed.again).toEqual([]);
  expect((await check(crashed))[0]).toContain("it no longer goes as recorded");
});
