import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { NOTHING_SPENT } from "../../src/domain/budget.ts";
import type { Effects } from "../../src/domain/ports/effects.ts";
import { DossierError } from "../../src/errors.ts";
import { openJournal } from "../../src/journal/segment-journal.ts";
import { stopClock } from "../helpers/stopped-clock.ts";
import { turns } from "../helpers/turns.ts";

const PLACE = { node: "a", step: 1, path: ["__pregel_pull", "a"], attempt: 1 };

/** A journal whose storage commits when the test says so. */
function openSlow() {
  const said: string[] = [];
  const commit = Promise.withResolvers<void>();
  const sink = {
    record: ({ kind }: { kind: string }) => void said.push(`recorded ${kind}`),
    event: () => undefined,
    stored: () => commit.promise,
  };
  const nothing = { records: [], events: [], cache: [], pauses: [], earlier: [], spent: NOTHING_SPENT };
  const options = { runId: "r", segment: 0, epoch: 0, ...nothing, mode: "live" as const, sink, clock: () => 1, onDrain: () => undefined };
  const journal = openJournal(options);
  onTestFinished(() => journal.close());
  return { journal, said, commit };
}

const perform = async (effects: Effects, said: string[], kind: "intent" | "tool" | "memo") => {
  const durable = kind === "intent" && { durable: true as const };
  await effects.perform({ kind, request: "记下", timeoutMs: 600_000, ...durable, live: async () => true });
  said.push(`returned ${kind}`);
};

it("returns durable results after they are stored, and all others without waiting for the storage", async () => {
  const { journal, said, commit } = openSlow();
  const done = journal.task(PLACE, async (effects) => {
    await perform(effects, said, "tool");
    await perform(effects, said, "intent");
  });
  await turns(100);
  expect(said).toEqual(["recorded tool", "returned tool", "recorded intent"]);
  commit.resolve();
  await done;
  expect(said).toEqual(["recorded tool", "returned tool", "recorded intent", "returned intent"]);
});

it("asks for nothing that is paid while an earlier result is not stored", async () => {
  const { journal, said, commit } = openSlow();
  const live = async () => void said.push("asked");
  const ask = (effects: Effects, request: string) => effects.perform({ kind: "model", request, timeoutMs: 600_000, live });
  const done = journal.task(PLACE, async (effects) => {
    await Promise.all([ask(effects, "一"), ask(effects, "two")]);
    await ask(effects, "三");
  });
  await turns(100);
  expect(said.filter((word) => word === "asked")).toHaveLength(2);
  commit.resolve();
  await done;
  expect(said.filter((word) => word === "asked")).toHaveLength(3);
});

it("keeps the order of records while one of them is being stored", async () => {
  const { journal, said, commit } = openSlow();
  const done = journal.task(PLACE, (effects) => Promise.all([perform(effects, said, "intent"), perform(effects, said, "tool")]));
  await turns(100);
  expect(said).toEqual(["recorded intent", "recorded tool"]);
  commit.resolve();
  await done;
  expect(said.slice(2)).toEqual(["returned intent", "returned tool"]);
});

it("throws if the storage refuses", async () => {
  const { journal, said, commit } = openSlow();
  const done = journal.task(PLACE, (effects) => perform(effects, said, "intent"));
  await turns(20);
  journal.abandon(new DossierError("storage_unavailable", "The disk is full. 磁盘已满。"));
  commit.resolve();
  await expect(done).rejects.toMatchObject({ code: "storage_unavailable" });
  expect(said).toEqual(["recorded intent"]);
});

it("returns results that are ready in far fewer turns of the event loop than results", async () => {
  stopClock();
  const { journal, said } = openSlow();
  let count = 0;
  let isDone = false;
  const done = journal.task(PLACE, async (effects) => {
    for (let i = 0; i < 50; i += 1) await perform(effects, said, "memo");
    isDone = true;
  });
  for (; !isDone; await nextTurn()) count += 1;
  await done;
  expect(said).toHaveLength(100);
  expect(count).toBeLessThan(25);
});
