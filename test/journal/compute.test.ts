import { expect, it } from "vitest";
import { NOTHING_SPENT } from "../../src/domain/budget.ts";
import { computation } from "../../src/domain/computation.ts";
import type { JournalOptions, SegmentJournal } from "../../src/domain/ports/journal.ts";
import type { WorkerPool } from "../../src/domain/ports/workers.ts";
import type { JournalRecord, LoggedEvent } from "../../src/domain/recording.ts";
import { DossierError } from "../../src/errors.ts";
import { openJournal } from "../../src/journal/segment-journal.ts";
import { note } from "../helpers/test-graph.ts";
import { turns } from "../helpers/turns.ts";

function double(value: number): number {
  return 2 * value;
}

const doubling = computation(import.meta.url, double, (value) => value, 10);
const PLACES = ["一", "二", "三"].map((tag, index) => ({ node: tag, step: 1, path: ["__pregel_push", index], attempt: 1 }));

/** A pool whose tasks end when `end` is called with their number. */
function pool() {
  const tasks: (() => void)[] = [];
  const signals: (AbortSignal | undefined)[] = [];
  const run = (_entry: URL, _name: string, task: unknown, { signal }: { signal?: AbortSignal }): Promise<unknown> => {
    signals.push(signal);
    const { name, input } = task as { name: string; input: [number] };
    return new Promise((resolve) => tasks.push(() => resolve(name === "double" ? 2 * input[0] : null)));
  };
  return { workers: { run } as Pick<WorkerPool, "run">, signals, end: (number: number) => tasks[number]?.() };
}

function open(options: Partial<JournalOptions>) {
  const [records, events]: [JournalRecord[], LoggedEvent[]] = [[...(options.records ?? [])], []];
  const sink: JournalOptions["sink"] = {
    record: (one) => void records.push(one),
    event: (one) => void events.push(one),
    stored: async () => undefined,
  };
  const nothing = { records: [], events: [], cache: [], pauses: [], spent: NOTHING_SPENT, earlier: [] };
  const place = { runId: "r", segment: 0, epoch: 0, mode: "live", clock: () => 1, onDrain: () => undefined } as const;
  return { journal: openJournal({ ...place, ...nothing, ...options, sink }), records, events };
}

/** Three tasks at the same time, each of which computes and says what came out. */
function computeAll(journal: SegmentJournal): Promise<number[]> {
  const compute = (place: (typeof PLACES)[number], value: number) =>
    journal.task(place, async (effects) => {
      const result = await effects.compute(doubling, value);
      note(effects, `${place.node} ${result}`);
      return result;
    });
  return Promise.all(PLACES.map((place, index) => compute(place, 20 + index)));
}

const bodies = (events: readonly LoggedEvent[]): string[] => events.map(({ body }) => body);

async function recordReversed() {
  const { workers, end } = pool();
  const { journal, ...recorded } = open({ workers });
  const all = computeAll(journal);
  for (const number of [2, 1, 0]) {
    await turns(3);
    end(number);
  }
  expect(await all).toEqual([40, 42, 44]);
  journal.close();
  return recorded;
}

it("gives the same events again if the computations of parallel tasks end in another order", async () => {
  const { records, events } = await recordReversed();
  expect(records.map(({ kind, request, result }) => [kind, request, result])).toEqual(Array(3).fill(["compute", "double", null]));
  expect(bodies(events).filter((body) => body.includes("note"))).toHaveLength(3);

  const replay = open({ mode: "replay", records, events });
  expect(await computeAll(replay.journal)).toEqual([40, 42, 44]);
  expect(replay.journal.findDifference()).toBeNull();
  expect(bodies(replay.events)).toEqual(bodies(events));

  const { workers, end } = pool();
  const recovery = open({ workers, records, events });
  const again = computeAll(recovery.journal);
  for (const number of [0, 1, 2]) {
    await turns(3);
    end(number);
  }
  expect(await again).toEqual([40, 42, 44]);
  expect(recovery.journal.findDifference()).toBeNull();
  expect([recovery.events, recovery.records]).toEqual([[], records]);
});

it("computes small inputs at once, without a record", async () => {
  const { journal, records } = open(pool());
  expect(await journal.task(PLACES[0] as never, (effects) => effects.compute(doubling, 10))).toBe(20);
  expect(records).toEqual([]);
});

it("replays a recording that has no computations", async () => {
  const recorded = open({});
  await recorded.journal.task(PLACES[0] as never, async (effects) => note(effects, "一 40"));
  const replay = open({ mode: "replay", events: recorded.events });
  await replay.journal.task(PLACES[0] as never, async (effects) => note(effects, `一 ${await effects.compute(doubling, 20)}`));
  expect(replay.journal.findDifference()).toBeNull();
  expect(replay.records).toEqual([]);
});

it("ends a computation when the run is stopped", async () => {
  const { workers, signals } = pool();
  const { journal } = open({ workers });
  const computed = journal.task(PLACES[0] as never, (effects) => effects.compute(doubling, 20));
  await turns(3);
  journal.abandon(new DossierError("cancelled", "stop"));
  await expect(computed).rejects.toMatchObject({ code: "cancelled" });
  expect(signals.map((signal) => signal?.aborted)).toEqual([true]);
});
