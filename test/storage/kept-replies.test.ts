import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import type { JournalRecord } from "../../src/domain/recording.ts";
import { allRows } from "../../src/storage/database.ts";
import { claim, DATABASES, newRun, openStoreIn } from "./open-store.ts";

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

async function openRun(name: (typeof DATABASES)[number]) {
  const store = await openStoreIn(name);
  let { runs } = store;
  await runs.create(newRun("a"));
  const claimAgain = async () => (await claim({ runs }))[0] ?? Promise.reject(new Error("nothing to claim"));
  const repliesOf = (attempt: number, key = KEY) => runs.repliesOf({ runId: "a", attempt, segment: 0, key });
  /** The keys of the replies that are kept in the database. */
  const keys = async () =>
    (await allRows(store.database, sql<{ key: string }>`select distinct key from replies order by key`)).map(({ key }) => key);
  const crash = async (): Promise<void> => {
    ({ runs } = await store.crash());
    await claimAgain();
  };
  await claimAgain();
  return { runs: () => runs, repliesOf, crash, keys };
}

describe.each(DATABASES)("replies kept in %s", (name) => {
  it("hands a reply to the next attempt of the same effect, once", async () => {
    const { repliesOf, crash, keys } = await openRun(name);
    const given = Uint8Array.from(BODY);
    repliesOf(1).keep("page", reply(given));
    // The caller may use the bytes for something else.
    given.fill(0);
    await expect.poll(keys).toEqual([KEY]);
    await crash();
    expect(repliesOf(2, "task#download#hash#1").any).toBe(false);
    const replies = repliesOf(2);
    expect([replies.any, replies.take("other")]).toEqual([true, null]);
    const taken = replies.take("page");
    expect(taken?.head).toEqual({ status: 200 });
    expect(BODY.equals(taken?.body ?? Buffer.of())).toBe(true);
    expect(replies.take("page")).toBeNull();
  });

  it("keeps no reply that is too large to be written at once", async () => {
    const { repliesOf, crash, keys } = await openRun(name);
    repliesOf(1).keep("page", reply(Buffer.alloc(4_000_001)));
    repliesOf(1, "small").keep("page", reply(BODY));
    await expect.poll(keys).toEqual(["small"]);
    await crash();
    expect(repliesOf(2).any).toBe(false);
  });

  it("keeps nothing for an effect that is recorded, of an older attempt, or of a run that has ended", async () => {
    const { repliesOf, runs, crash, keys } = await openRun(name);
    const replies = repliesOf(1);
    replies.keep("page", reply(BODY));
    await expect.poll(keys).toEqual([KEY]);
    const stale = repliesOf(1, "stale");
    await crash();
    stale.keep("page", reply(BODY));
    repliesOf(2, "later").keep("page", reply(Buffer.of(1)));
    await expect.poll(keys).toEqual([KEY, "later"].sort());
    expect([repliesOf(2).any, repliesOf(2, "stale").any]).toEqual([true, false]);
    const log = { take: () => ({ records: [recordOf(KEY)], events: [] }), putBack: () => undefined };
    await runs().append({ runId: "a", attempt: 2 }, log);
    expect(await keys()).toEqual(["later"]);
    const closed = repliesOf(2, "closed");
    closed.keep("page", reply(BODY));
    closed.close();
    repliesOf(2, "open").keep("page", reply(Buffer.of(1)));
    await expect.poll(keys).toEqual(["later", "open"]);
    const none = { take: () => ({ records: [], events: [] }), putBack: () => undefined };
    const termination = { reason: "completed", node: null, detail: null } as const;
    const end = { type: "ended", status: "succeeded", termination, report: null, error: null } as const;
    await runs().endSegment({ runId: "a", attempt: 2 }, end, { log: none, lastEvents: [], at: 2 });
    expect(await keys()).toEqual([]);
  });
});
