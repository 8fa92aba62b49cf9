import { describe, expect, it } from "vitest";
import type { Recording } from "../../src/domain/recording.ts";
import { type CrashedRun, type Death, runThrough } from "./crashing-run.ts";
import { seeded } from "./instants.ts";
import { answerTo, MODEL_SCENARIO } from "./model-scenario.ts";
import { ASKED } from "./talking-graph.ts";

const QUESTIONS = [...ASKED.inTurn, ...ASKED.atOnce];

/** What a reader has in the end who drops a call's text when it is told that the call begins again. */
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

/** What must hold however often the process died. */
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
  // Each try was paid once: what a dead process had asked and not recorded is no record at all.
  for (const question of QUESTIONS) {
    const tries = records.filter(({ request }) => MODEL_SCENARIO.callOf(request as never) === question).length;
    expect(calls.filter((call) => call === question).length).toBeGreaterThanOrEqual(tries);
  }
  expect(recording.run.usage).toMatchObject({ modelCalls: records.length, inputTokens: 40, outputTokens: 400 });
  return crashed;
}

const counts = (calls: readonly string[]): number[] => QUESTIONS.map((question) => calls.filter((call) => call === question).length);

describe.concurrent("a run that talks with a model and whose process is killed", () => {
  it("makes the call again in whose middle it died, and tells readers", async () => {
    const { recording, deaths, calls } = await survive([{ type: "content", nth: 3, turns: 6 }]);
    expect(deaths).toBe(1);
    expect(counts(calls)).toEqual([2, 1, 1, 1]);
    expect(restartsOf(recording)).toBe(1);
  });

  it.each([0, 6])("makes no call again that had ended, between two calls of one node (%i turns)", async (turns) => {
    const { calls, recording } = await survive([{ type: "usage", nth: 1, turns }]);
    expect(counts(calls).slice(2)).toEqual([1, 1]);
    // The end of the first call was recorded before it was told; the second one had at most begun.
    expect(counts(calls)[0]).toBe(1);
    expect(restartsOf(recording)).toBe(0);
  });

  it("makes both calls again that were open at once", async () => {
    const { recording, calls } = await survive([{ type: "content", node: "atOnce", nth: 4, turns: 6 }]);
    expect(counts(calls)).toEqual([1, 1, 2, 2]);
    expect(restartsOf(recording)).toBe(2);
  });

  it.each([1])("tells readers once of a restart in which it dies again (%i turns)", async (turns) => {
    const { deaths } = await survive([
      // The first piece: on a busy machine the later ones may come at once with the end.
      { type: "content", nth: 1, turns: 6 },
      { type: "call-restarted", nth: 1, turns },
      { type: "content", nth: 2, turns: 3 },
    ]);
    expect(deaths).toBe(3);
  });

  for (let seed = 1; seed <= 4; seed += 1) {
    it(`goes on after three deaths at random instants (seed ${seed})`, async () => {
      const random = seeded(seed);
      const { deaths } = await survive(Array.from({ length: 3 }, (): Death => ({ afterMs: random() * 500 })));
      expect(deaths).toBeGreaterThan(0);
    });
  }
});
