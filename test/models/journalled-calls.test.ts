import { expect, it, onTestFinished, vi } from "vitest";
import { NOTHING_SPENT } from "../../src/domain/budget.ts";
import type { ChatReply } from "../../src/domain/chat.ts";
import type { DomainEvent } from "../../src/domain/events.ts";
import type { KeptReply } from "../../src/domain/ports/effects.ts";
import type { JournalRecord, LoggedEvent } from "../../src/domain/recording.ts";
import { openJournal } from "../../src/journal/segment-journal.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { OPTIONS, openModel, REQUEST } from "./model-under-test.ts";

/** The number of records of all journals of this file. */
let recorded = 0;

const PLACE = { node: "agent", step: 1, path: ["__pregel_pull", "agent"], attempt: 1 };

interface Log {
  readonly records: JournalRecord[];
  readonly events: LoggedEvent[];
}

/** Makes one call with a journal that starts with `before`; returns the events, and the journal afterwards. */
async function call(
  url: string,
  mode: "live" | "replay",
  before: Log = { records: [], events: [] },
  kept: ReadonlyMap<string, KeptReply> | null = null,
) {
  const keeping = new Map<string, KeptReply>();
  const repliesOf = () => ({
    any: kept !== null,
    take: (name: string) => kept?.get(name) ?? null,
    keep: (name: string, reply: KeptReply) => void keeping.set(name, reply),
    close: () => undefined,
  });
  const records = [...before.records];
  const events = mode === "replay" ? [] : [...before.events];
  const said: DomainEvent[] = [];
  const sink = {
    record(record: JournalRecord) {
      records.push(record);
      recorded += 1;
    },
    stored: async () => undefined,
    event: (event: LoggedEvent, body: DomainEvent) => {
      events.push(event);
      said.push(body);
    },
  };
  const journal = openJournal({
    runId: "r",
    segment: 0,
    epoch: 0,
    ...before,
    cache: [],
    pauses: [],
    spent: NOTHING_SPENT,
    earlier: [],
    mode,
    sink,
    repliesOf,
    clock: () => 0,
    onDrain: () => undefined,
  });
  const reply: ChatReply = await journal.task(PLACE, (effects) => openModel({ url }).complete(REQUEST, OPTIONS, effects));
  expect(journal.findDifference()).toBeNull();
  journal.close();
  return { reply, said, log: { records, events }, keeping };
}

it("emits what was recorded, failures and waits included, without a model and without waiting", async () => {
  const server = await startModelServer([
    say.status(429, undefined, { "retry-after-ms": "20" }),
    say.reset({ after: 2 }),
    say.text("完整的回答。"),
  ]);
  const live = await call(server.url, "live");
  expect(live.said.filter(({ type }) => type === "call-restarted")).toHaveLength(2);
  // No timer fires: a replay that waits would not end.
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const replay = await call("http://127.0.0.1:9/v1", "replay", live.log);
  expect(replay.reply).toEqual(live.reply);
  expect(replay.said).toEqual(live.said);
  expect(server.requests).toHaveLength(3);
});

it("repeats only the call that a crash cut off, and says so to readers", async () => {
  const first = await startModelServer([
    say.text(
      "第一次的回答，很长很长。".repeat(20),
      say.apart(() => recorded),
    ),
  ]);
  const { log } = await call(first.url, "live");
  const cut = log.records.findIndex(({ kind }) => kind === "piece") + 1;
  // When the process died, one piece and its event had been stored.
  const before = { records: log.records.slice(0, cut), events: log.events.slice(0, 2) };
  const second = await startModelServer([say.text("第二次的回答。")]);
  const { reply, said } = await call(second.url, "live", before);
  expect(reply.content).toBe("第二次的回答。");
  const told = said.map((event) => `${event.type} ${"try" in event ? event.try : 0}`);
  expect([...new Set(told)]).toEqual(["call-restarted 2", "content 2", "call-ended 2", "usage 0", "node-ended 0"]);
  expect(second.requests).toHaveLength(1);
  const again = await call("http://127.0.0.1:9/v1", "live", log);
  expect(again.said).toEqual([]);
});

it.each([
  { name: "one piece", pieces: 1 },
  { name: "all pieces but the last", pieces: -2 },
  { name: "nothing", pieces: 0 },
])("finishes a call from its kept answer after a crash that left $name recorded", async ({ pieces }) => {
  const usage = { prompt_tokens: 10, completion_tokens: 100, total_tokens: 110 };
  const answer = { reasoning: "先想一想。".repeat(40), pieceLength: 12, usage };
  const server = await startModelServer([say.text("回答很长很长。".repeat(60), { ...answer, ...say.apart(() => recorded) })]);
  const { log, reply, said, keeping } = await call(server.url, "live");
  const kept = log.records.slice(0, pieces);
  expect(kept.every(({ kind }) => kind === "piece")).toBe(true);
  // The event of the node's start, and one event for each piece.
  const events = log.events.slice(0, kept.length + 1);
  const again = await call("http://127.0.0.1:9/v1", "live", { records: kept, events }, keeping);
  expect(again.reply).toEqual(reply);
  const all = [...events.map(({ body }): DomainEvent => JSON.parse(body)), ...again.said];
  const textOf = (given: readonly DomainEvent[], type: string): string =>
    given.map((event) => (event.type === type && "delta" in event ? event.delta : "")).join("");
  expect([textOf(all, "reasoning"), textOf(all, "content")]).toEqual([textOf(said, "reasoning"), textOf(said, "content")]);
  expect(all.some(({ type }) => type === "call-restarted")).toBe(false);
  expect(again.log.records.filter(({ kind }) => kind === "model")).toHaveLength(1);
});
