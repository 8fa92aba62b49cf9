import { expect, it } from "vitest";
import { EventTail } from "../../src/storage/event-tail.ts";
import type { EventRow } from "../../src/storage/tables.ts";

const row = (run: string, seq: number, body = "{}"): EventRow => ({ run_id: run, seq, origin: `o${seq}`, at: 1, path: "", body });
const numbersAfter = (tail: EventTail, run: string, after: number, limit = 10) => tail.after(run, after, limit)?.map(({ seq }) => seq);

it("gives the events after a number, and nothing about events that it does not keep", () => {
  const tail = new EventTail();
  for (const seq of [3, 4, 5, 6]) tail.add(row("a", seq));
  expect(numbersAfter(tail, "a", 2)).toEqual([3, 4, 5, 6]);
  expect(numbersAfter(tail, "a", 4, 1)).toEqual([5]);
  expect(numbersAfter(tail, "a", 6)).toEqual([]);
  // Event 2 stands in the database, and an event after 7 may do so too.
  expect(tail.after("a", 1, 10)).toBeNull();
  expect(tail.after("a", 7, 10)).toBeNull();
  expect(tail.after("b", 0, 10)).toBeNull();
});

it("begins again after a gap, and forgets what was deleted", () => {
  const tail = new EventTail();
  for (const seq of [1, 2, 5]) tail.add(row("a", seq));
  expect(tail.after("a", 1, 10)).toBeNull();
  expect(numbersAfter(tail, "a", 4)).toEqual([5]);
  tail.delete("a");
  expect(tail.after("a", 4, 10)).toBeNull();
});

it("keeps few rows of a run, and few runs", () => {
  const tail = new EventTail();
  for (let seq = 1; seq <= 1_000; seq++) tail.add(row("a", seq));
  expect(tail.after("a", 700, 10)).toBeNull();
  expect(numbersAfter(tail, "a", 800, 1_000)).toHaveLength(200);
  tail.add(row("long", 1, "中".repeat(300_000)));
  expect(tail.after("long", 0, 10)).toBeNull();
  for (let run = 0; run < 64; run++) tail.add(row(`run ${run}`, 1));
  expect(tail.after("a", 1_000, 10)).toBeNull();
});
