import { expect, it } from "vitest";
import type { JournalRecord } from "../../src/domain/recording.ts";
import { claim, newRun, openStore } from "./open-store.ts";

const KEY = "task#download#hash#0";
const BODY = Buffer.alloc(1_200_000, "页");
const reply = (body: Uint8Array) => ({ head: { status: 200 }, body });
const recordOf = (key: string): JournalRecord => ({
  ord: 0,
  after: 0,
  key,
  kind: "download",
  request: null,
  ok: true,
  result: null,
  at: 1,
});

async function openRun() {
  const { runs, raw } = await openStore();
  await runs.create(newRun("a"));
  const claimAgain = async () => (await claim({ runs }))[0] ?? Promise.reject(new Error("nothing to claim"));
  const repliesOf = (attempt: number, key = KEY) => runs.repliesOf({ runId: "a", attempt, segment: 0, key });
  /** All that was queued before is written. */
  const written = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await runs.requestCancel("t", "unknown", 1);
  };
  const crash = async (): Promise<void> => {
    await runs.recover();
    await claimAgain();
  };
  await claimAgain();
  /** The keys of the replies that are kept in the database. */
  const keys = () => raw.prepare("select distinct key from replies order by key").pluck().all();
  return { runs, repliesOf, written, crash, keys };
}

it("hands a reply of several parts to the next attempt of the same effect, once", async () => {
  const { repliesOf, written, crash } = await openRun();
  const given = Uint8Array.from(BODY);
  repliesOf(1).keep("page", reply(given));
  // The caller may use the bytes for something else.
  given.fill(0);
  await written();
  await crash();
  expect(repliesOf(2, "task#download#hash#1").any).toBe(false);
  const replies = repliesOf(2);
  expect([replies.any, replies.take("other")]).toEqual([true, null]);
  const taken = replies.take("page");
  expect(taken?.head).toEqual({ status: 200 });
  expect(BODY.equals(taken?.body ?? Buffer.of())).toBe(true);
  expect(replies.take("page")).toBeNull();
});

it("hands out no reply whose last part is missing", async () => {
  const { repliesOf, runs, crash } = await openRun();
  repliesOf(1).keep("page", reply(BODY));
  await runs.requestCancel("t", "unknown", 1);
  await crash();
  expect(repliesOf(2).any).toBe(false);
});

it("keeps nothing for an effect that is recorded, of an older attempt, or of a run that has ended", async () => {
  const { repliesOf, runs, written, crash, keys } = await openRun();
  const replies = repliesOf(1);
  replies.keep("page", reply(BODY));
  await written();
  const stale = repliesOf(1, "stale");
  await crash();
  stale.keep("page", reply(BODY));
  await written();
  expect([repliesOf(2).any, repliesOf(2, "stale").any]).toEqual([true, false]);
  const log = { take: () => ({ records: [recordOf(KEY)], events: [] }), putBack: () => undefined };
  await runs.append({ runId: "a", attempt: 2 }, log);
  expect(keys()).toEqual([]);
  const closed = repliesOf(2, "closed");
  closed.keep("page", reply(BODY));
  closed.close();
  repliesOf(2, "open").keep("page", reply(Buffer.of(1)));
  await written();
  expect(keys()).toEqual(["open"]);
  const none = { take: () => ({ records: [], events: [] }), putBack: () => undefined };
  const termination = { reason: "completed", node: null, detail: null } as const;
  const end = { type: "ended", status: "succeeded", termination, report: null, error: null } as const;
  await runs.endSegment({ runId: "a", attempt: 2 }, end, { log: none, lastEvents: [], at: 2 });
  expect(keys()).toEqual([]);
});
