import { interrupt } from "@langchain/langgraph";
import { expect, it } from "vitest";
import { addSpent, NOTHING_SPENT } from "../../src/domain/budget.ts";
import type { Effects } from "../../src/domain/ports/effects.ts";
import { DossierError } from "../../src/errors.ts";
import { TENANT } from "../helpers/open-dossier.ts";
import { type Body, bodies, notesOf, openBodies, recordingOf } from "../helpers/stream-graph.ts";
import { note } from "../helpers/test-graph.ts";

const QUESTION = { question: "花了多少？", graph: "test" };

/** A model call with its usage, or the code with which it fails. */
type Call = readonly [model: string, inputTokens: number, outputTokens: number, costUsd: number, estimated?: boolean] | DossierError;

const DOWN = new DossierError("model_unavailable", "The model is down.");

async function call(effects: Effects, request: string, given: Call, made: string[] = []): Promise<void> {
  const live = async (): Promise<object> => {
    made.push(request);
    if (given instanceof DossierError) throw given;
    const [model, inputTokens, outputTokens, costUsd, estimated = false] = given;
    return { model, usage: { inputTokens, outputTokens, estimated }, costUsd };
  };
  await effects.stream<object, string>({ kind: "model", request, timeoutMs: 5_000, live, onPiece: () => undefined }).catch(() => undefined);
}

const say = (effects: Effects): void => note(effects, JSON.stringify(effects.spent()));

it("is added up by model, with failed tries as calls without usage", async () => {
  const body: Body = async (effects) => {
    await Promise.all([
      call(effects, "a", ["small", 100, 10, 0.25]),
      call(effects, "b", ["大", 1_000, 200, 1.5, true]),
      call(effects, "c", DOWN),
    ]);
    await call(effects, "a", ["small", 50, 5, 0.125, true]);
    say(effects);
    return "";
  };
  const definition = bodies([body]);
  const dossier = await openBodies(definition);
  const { id } = await dossier.start(QUESTION);
  const run = await dossier.finish(id);
  expect(run.usage).toEqual({
    modelCalls: 4,
    inputTokens: 1_150,
    outputTokens: 215,
    toolCalls: 0,
    sourceRequests: 0,
    downloads: 0,
    costUsd: 1.875,
    models: [
      { model: "", calls: 1, inputTokens: 0, outputTokens: 0, costUsd: 0, estimated: 0 },
      { model: "small", calls: 2, inputTokens: 150, outputTokens: 15, costUsd: 0.375, estimated: 1 },
      { model: "大", calls: 1, inputTokens: 1_000, outputTokens: 200, costUsd: 1.5, estimated: 1 },
    ],
  });
  const recording = await recordingOf(dossier, id, definition);
  expect(notesOf(recording)).toEqual(['{"modelCalls":4,"inputTokens":1150,"outputTokens":215,"costUsd":1.875}']);
  expect(recording.run.usage).toEqual(run.usage);
});

it("counts a call that is still open", async () => {
  const definition = bodies([
    async (effects) => {
      const calls = [call(effects, "a", ["m", 1, 1, 0]), call(effects, "b", ["m", 1, 1, 0])];
      say(effects);
      await effects.perform({ kind: "tool", request: "no model", timeoutMs: 5_000, live: async () => say(effects) });
      await Promise.all(calls);
      say(effects);
      return "";
    },
  ]);
  const dossier = await openBodies(definition);
  const { id } = await dossier.start(QUESTION);
  await dossier.finish(id);
  const notes = (await dossier.events(id)).flatMap((event) => (event.type === "content" ? [JSON.parse(event.delta)] : []));
  expect(notes.map(({ modelCalls }) => modelCalls)).toEqual([2, 2, 2]);
  expect(notes.map(({ inputTokens }) => inputTokens)).toEqual([0, 0, 2]);
});

it("continues after a wait, and replays to the last bit of the cost", async () => {
  const definition = bodies([
    async (effects) => {
      for (const [index, cost] of [0.1, 0.2, 0.3].entries()) await call(effects, `${index}`, ["m", 10, 1, cost]);
      return "";
    },
    async (effects) => {
      const answer = interrupt({ kind: "question", prompt: "继续吗？", path: "", plan: null, call: null });
      say(effects);
      await call(effects, "after", ["m", 10, 1, 0.7]);
      say(effects);
      return String(answer);
    },
  ]);
  const first = await openBodies(definition);
  const { id } = await first.start(QUESTION);
  expect(await first.finish(id)).toMatchObject({ status: "waiting", usage: { modelCalls: 3, inputTokens: 30, outputTokens: 3 } });
  await first.close(0);
  const second = await openBodies(definition, first.dir);
  await second.runs.answer(TENANT, id, { answer: "好" });
  const run = await second.finish(id);
  expect(run).toMatchObject({ status: "succeeded", usage: { modelCalls: 4, inputTokens: 40, outputTokens: 4 } });
  expect(run.usage.costUsd).toBeCloseTo(1.3, 9);
  const recording = await recordingOf(second, id, definition);
  expect(notesOf(recording)).toEqual([
    // Added one after the other as JavaScript does, which a database may not.
    '{"modelCalls":3,"inputTokens":30,"outputTokens":3,"costUsd":0.6000000000000001}',
    '{"modelCalls":4,"inputTokens":40,"outputTokens":4,"costUsd":1.3}',
  ]);
});

it("counts a segment that was restarted on changed code once, as it went the last time", async () => {
  const made: string[] = [];
  const before: Body = async (effects) => {
    await call(effects, "kept", ["m", 100, 10, 1], made);
    await call(effects, "failed", DOWN, made);
    await call(effects, "dropped", ["m", 1_000, 100, 8], made);
    note(effects, "there");
    return effects.perform({ kind: "tool", request: "hang", timeoutMs: 60_000, live: () => new Promise(() => undefined) });
  };
  const first = await openBodies(bodies([before], "1"));
  const { id } = await first.start(QUESTION);
  await expect.poll(async () => (await first.runs.get(TENANT, id)).usage.modelCalls).toBe(3);
  await first.close(0);
  const after: Body = async (effects) => {
    await call(effects, "kept", ["m", 999, 999, 9], made);
    await call(effects, "failed", DOWN, made);
    await call(effects, "new", ["n", 10, 1, 0.5], made);
    say(effects);
    return "";
  };
  const changed = bodies([after], "2");
  const second = await openBodies(changed, first.dir);
  const { usage } = await second.finish(id);
  expect(made).toEqual(["kept", "failed", "dropped", "new"]);
  expect(usage).toMatchObject({ modelCalls: 3, inputTokens: 110, outputTokens: 11, costUsd: 1.5 });
  expect(usage.models.map(({ model, calls }) => [model, calls])).toEqual([
    ["", 1],
    ["m", 1],
    ["n", 1],
  ]);
  const recording = await recordingOf(second, id, changed);
  expect(notesOf(recording).at(-1)).toBe('{"modelCalls":3,"inputTokens":110,"outputTokens":11,"costUsd":1.5}');
});

it("ignores a record without a receipt", () => {
  const spent = { ...NOTHING_SPENT, modelCalls: 1 };
  for (const result of [null, "text", 5, [], {}, { usage: null }, { usage: { inputTokens: "9" }, costUsd: -1 }]) {
    expect(addSpent(NOTHING_SPENT, { kind: "model", ok: true, result: result as never })).toEqual(spent);
  }
  expect(addSpent(NOTHING_SPENT, { kind: "model", ok: false, result: { usage: { inputTokens: 5, outputTokens: 5 } } })).toEqual(spent);
  expect(addSpent(NOTHING_SPENT, { kind: "tool", ok: true, result: { costUsd: 5 } })).toEqual(NOTHING_SPENT);
  const partly = addSpent(NOTHING_SPENT, { kind: "model", ok: true, result: { usage: { inputTokens: 5 } } });
  expect(partly).toEqual({ modelCalls: 1, inputTokens: 5, outputTokens: 0, costUsd: 0 });
});
