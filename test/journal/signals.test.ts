import { expect, it } from "vitest";
import { NOTHING_SPENT } from "../../src/domain/budget.ts";
import type { Effects } from "../../src/domain/ports/effects.ts";
import type { JournalRecord, LoggedEvent, RunSignal } from "../../src/domain/recording.ts";
import { openJournal } from "../../src/journal/segment-journal.ts";
import { turns } from "../helpers/turns.ts";

const PLACE = { node: "a", step: 1, path: ["__pregel_pull", "a"], attempt: 1 };

interface Recorded {
  readonly records: readonly JournalRecord[];
  readonly events: readonly LoggedEvent[];
}

const aborted = (effects: Effects) => new Promise((resolve) => effects.signal.addEventListener("abort", resolve));

const NOTHING: Recorded = { records: [], events: [] };

/** Runs a task, sends it a signal in one of its first turns if `signal` is given, and returns what was recorded and whether it went as `earlier`. */
async function run(body: (effects: Effects) => Promise<unknown>, { mode = "live", earlier = NOTHING, signal }: Options) {
  const records = [...earlier.records];
  const events = [...earlier.events];
  const drains: boolean[] = [];
  const sink = {
    record: (record: JournalRecord) => void records.push(record),
    event: (event: LoggedEvent) => void (mode === "live" && events.push(event)),
    stored: async () => undefined,
  };
  const given = { ...earlier, cache: [], pauses: [], earlier: [], spent: NOTHING_SPENT };
  const onDrain = (wanted: boolean) => void drains.push(wanted);
  const journal = openJournal({ runId: "r", segment: 0, epoch: 0, ...given, mode, sink, clock: () => 1, onDrain });
  const done = journal.task(PLACE, body).then(
    () => "ended",
    (error: { code?: string }) => error.code,
  );
  if (signal !== undefined) void turns(5).then(() => journal.send(signal));
  const outcome = await done;
  const drained = [...drains];
  const difference = journal.findDifference();
  journal.close();
  return { outcome, drained, difference, recorded: { records, events } };
}

interface Options {
  readonly mode?: "live" | "replay";
  readonly earlier?: Recorded;
  readonly signal?: RunSignal;
}

it("stops a repeated task where a cancel stopped it, although it is faster now", async () => {
  const slow = await run(aborted, { signal: "cancel" });
  expect(slow.outcome).toBe("cancelled");
  for (const mode of ["replay", "live"] as const) {
    const fast = await run(async () => undefined, { mode, earlier: slow.recorded });
    expect(fast).toMatchObject({ outcome: "cancelled", difference: null });
    expect(fast.recorded.events).toEqual(slow.recorded.events);
  }
});

it("asks for a drain before the task ends, as at first", async () => {
  const slow = await run(() => turns(100), { signal: "drain" });
  expect(slow).toMatchObject({ outcome: "ended", drained: [true] });
  const fast = await run(async () => undefined, { mode: "replay", earlier: slow.recorded });
  expect(fast).toMatchObject({ outcome: "ended", drained: [true], difference: null });
});

it("performs no effect after a recorded cancel", async () => {
  let calls = 0;
  const work = (isSlow: boolean) => async (effects: Effects) => {
    if (isSlow) await aborted(effects);
    return effects.perform({ kind: "tool", request: "写", timeoutMs: 1_000, live: async () => (calls += 1) });
  };
  const slow = await run(work(true), { signal: "cancel" });
  const fast = await run(work(false), { earlier: slow.recorded });
  expect([slow.outcome, fast.outcome, calls]).toEqual(["cancelled", "cancelled", 0]);
});
