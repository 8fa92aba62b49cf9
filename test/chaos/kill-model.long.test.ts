import { describe, expect, it } from "vitest";
import type { Recording } from "../../src/domain/recording.ts";
import { type CrashedRun, type Death, runThrough } from "./crashing-run.ts";
import { answerTo, MODEL_SCENARIO } from "./model-scenario.ts";
import { ASKED } from "./talking-graph.ts";

const QUESTIONS = [...ASKED.inTurn, ...ASKED.atOnce];

/** The text of a reader that drops a call's text when the call is announced to start again. */
function readOf(recording: Recording): string[] {
  const texts = new Map<string, string>();
  for (const { event } of recording.events) {
    const body = JSON.parse(event.body);
    if (body.type === "call-restarted") texts.set(body.callId, "");
    if (body.type === "content") texts.set(body.callId, (texts.get(body.callId) ?? "") + body.delta);
  }
  return [...texts.values()].sort();
}

const restartsOf = (recording: Recording): number =>
  recording.events.filter(({ event }) => JSON.parse(event.body).type === "call-restarted").length;

/** Checks what must hold however often the process died. */
async function survive(deaths: readonly Death[]): Promise<CrashedRun> {
  const crashed = await runThrough(MODEL_SCENARIO, deaths);
  const { recording, calls } = crashed;
  expect(readOf(recording)).toEqual(QUESTIONS.map(answerTo).sort());
  expect(recording.run.report?.markdown).toBe(QUESTIONS.map(answerTo).join("\n"));
  const records = recording.segments.flatMap((segment) => segment.records).filter(({ kind }) => kind === "model");
  const cut = records.filter(({ ok }) => !ok);
  expect(cut.map(({ result }) => (result as { code: string }).code)).toEqual(cut.map(() => "interrupted"));
  expect(records.length - cut.length).toBe(4);
  expect(restartsOf(recording)).toBe(cut.length);
  // The server may have seen more requests than were recorded: a process can die before it records one.
  for (const question of QUESTIONS) {
    const tries = records.filter(({ request }) => MODEL_SCENARIO.callOf(request as never) === question).length;
    expect(calls.filter((call) => call === question).length).toBeGreaterThanOrEqual(tries);
  }
  expect(recording.run.usage).toMatchObject({ modelCalls: records.length, inputTokens: 40, outputTokens: 400 });
  return crashed;
}

const counts = (calls: readonly string[]): number[] => QUESTIONS.map((question) => calls.filter((call) => call === question).length);

describe.concurrent("a run that calls a model and whose process is killed", () => {
  it("makes the call that was cut off again, and says so to readers", async () => {
    const { recording, deaths, calls } = await survive([{ type: "content", nth: 1, turns: 6, openFrom: 0 }]);
    expect(deaths).toBe(1);
    expect(counts(calls)).toEqual([2, 1, 1, 1]);
    expect(restartsOf(recording)).toBe(1);
  });

  it.each([0, 6])("repeats no finished call between two calls of one node (%i turns)", async (turns) => {
    const { calls } = await survive([{ type: "usage", nth: 1, turns, openFrom: 1 }]);
    // The end of the first call was recorded before it was shown; the second one stays open, however late the process dies.
    expect(counts(calls)[0]).toBe(1);
    expect(counts(calls).slice(2)).toEqual([1, 1]);
  });

  it("makes both calls again that were open at the same time", async () => {
    const { recording, calls } = await survive([{ type: "content", node: "atOnce", nth: 2, turns: 6, openFrom: 2 }]);
    expect(counts(calls)).toEqual([1, 1, 2, 2]);
    expect(restartsOf(recording)).toBe(2);
  });

  it.each([1])("announces a restart once to readers if the process dies again during it (%i turns)", async (turns) => {
    const { deaths } = await survive([
      { type: "content", nth: 1, turns: 6, openFrom: 0 },
      { type: "call-restarted", nth: 1, turns },
    ]);
    expect(deaths).toBe(2);
  });
});
