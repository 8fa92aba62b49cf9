import { Annotation, END, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { expect } from "vitest";
import type { Parts } from "../../src/compose/parts.ts";
import type { Effects, StreamedEffect } from "../../src/domain/ports/effects.ts";
import type { Recording } from "../../src/domain/recording.ts";
import { bindNode } from "../../src/graphs/bind.ts";
import { readRecording } from "../../src/journal/recording-file.ts";
import { openJournal } from "../../src/journal/segment-journal.ts";
import { replayRecording } from "../../src/runs/replay.ts";
import { openDossier, type TestDossier } from "./open-dossier.ts";
import { note, testGraph } from "./test-graph.ts";
import { turns } from "./turns.ts";

const State = Annotation.Root({
  said: Annotation<string[], string[]>({ reducer: (known, more) => [...known, ...more], default: () => [] }),
});

/** The effects of one node; the returned text is a line of the report. */
export type Body = (effects: Effects) => Promise<string>;

/** A graph whose nodes run one body each, in order. */
export function bodies(steps: readonly Body[], fingerprint = "1") {
  return testGraph<typeof State.State>({
    fingerprint,
    compile: (checkpointer) => {
      const names = steps.map((_, index) => `step${index}`);
      const nodes = steps.map((step) => bindNode(async (_: typeof State.State, effects: Effects) => ({ said: [await step(effects)] })));
      const graph = names.reduce(
        (built, name, index) => built.addNode(name, nodes[index] ?? expect.fail()) as never,
        new StateGraph(State) as StateGraph<typeof State.spec, typeof State.State, Partial<typeof State.State>, string>,
      );
      for (const [index, name] of names.entries()) graph.addEdge(names[index - 1] ?? START, name);
      return graph.addEdge(names.at(-1) ?? START, END).compile({ checkpointer }) as never;
    },
    input: {},
    report: (state) => state.said.join("\n"),
  });
}

export type Definition = ReturnType<typeof bodies>;

export const partsOf = (definition: Definition): Parts => ({ graphs: [(storage) => definition(storage.checkpoints)] });

export async function openBodies(definition: Definition, dir?: string): Promise<TestDossier> {
  const dossier = await openDossier({ parts: partsOf(definition), corpus: {}, ...(dir === undefined ? {} : { dir }) });
  await dossier.recover();
  return dossier;
}

/** Returns the recording of a run, after replaying it to the same events. */
export async function recordingOf(dossier: TestDossier, id: string, definition: Definition, replays = 1): Promise<Recording> {
  const recording = await readRecording(await dossier.recordingLines(id));
  expect(recording.events.map(({ seq }) => seq)).toEqual(recording.events.map((_, index) => index + 1));
  for (let attempt = 0; attempt < replays; attempt += 1) {
    const { difference, events } = await replayRecording(recording, definition(new MemorySaver()), openJournal);
    expect(difference).toBeNull();
    expect(events).toEqual(recording.events);
  }
  return recording;
}

/** Runs one body to its end; returns the run's report and its recording, which has been replayed. */
export async function runBody(body: Body, replays = 1): Promise<{ report: string; recording: Recording }> {
  const definition = bodies([body]);
  const dossier = await openBodies(definition);
  const { id } = await dossier.start({ question: "谁在说话？", graph: "test" });
  const run = await dossier.finish(id);
  expect(run.error).toBeNull();
  return { report: run.report?.markdown ?? "", recording: await recordingOf(dossier, id, definition, replays) };
}

/** Returns the texts that nodes emitted, in the order of the log. */
export function notesOf(recording: Recording): string[] {
  return recording.events
    .map(({ event }) => JSON.parse(event.body) as { type: string; delta?: string })
    .flatMap(({ type, delta }) => (type === "content" && delta !== undefined ? [delta] : []));
}

/** A model's stream of words, each emitted when it is pushed; the result is the pushed text. */
export function words(
  effects: Effects,
  request: string,
  live: StreamedEffect<string, string>["live"],
  timeoutMs = 600_000,
): Promise<string> {
  return effects.stream<string, string>({ kind: "model", request, timeoutMs, live, onPiece: (piece) => note(effects, piece) });
}

/** Pushes the words with a few turns of the event loop between them. */
export async function speak(spoken: readonly string[], push: (word: string) => void): Promise<string> {
  for (const word of spoken) {
    await turns(Math.floor(Math.random() * 8));
    push(word);
  }
  return spoken.join("");
}
