import { sql } from "kysely";
import { expect, it } from "vitest";
import { firstRow } from "../../src/storage/database.ts";
import { createDatabase } from "../helpers/postgres.ts";
import { openProcess } from "./open-store.ts";

const signal = new AbortController().signal;

async function openTwo() {
  const url = await createDatabase();
  return [await openProcess(url), await openProcess(url)] as const;
}

it("gives so many places to all processes together, and what one gives back to the next", async () => {
  const [one, other] = await openTwo();
  const enter = (storage: typeof one, onWait: () => void = () => undefined) => storage.limits.enter("a", 3, { signal, onWait });
  const leave = await Promise.all([enter(one), enter(one), enter(other)]);
  const waits = Promise.withResolvers<void>();
  const waiting = enter(other, waits.resolve);
  await waits.promise;
  const [, second] = leave;
  second?.();
  (await waiting)();
  for (const give of [leave[0], leave[2]]) give?.();
  // A place that waits in vain ends with its signal.
  const taken = await Promise.all([enter(one), enter(one), enter(one)]);
  const stop = new AbortController();
  const stopped = other.limits.enter("a", 3, { signal: stop.signal, onWait: () => stop.abort() });
  await expect(stopped).rejects.toMatchObject({ name: "AbortError" });
  for (const give of taken) give();
});

it("gives back the places of a process that ends", async () => {
  const [one, other] = await openTwo();
  await one.limits.enter("模型", 1, { signal });
  const waits = Promise.withResolvers<void>();
  const waiting = other.limits.enter("模型", 1, { signal, onWait: waits.resolve });
  await waits.promise;
  await one.close();
  (await waiting)();
});

it("moves the turns of all processes on by the spacing of each", async () => {
  const [one, other] = await openTwo();
  const nextTurn = async () => (await firstRow(one.database, sql<{ at: number }>`select at from turns where key = 'k'`))?.at ?? 0;
  await one.limits.turn("k", 60_000, signal);
  const first = await nextTurn();
  // Whoever would wait too long goes, and its turn passes.
  for (const storage of [other, one])
    await expect(storage.limits.turn("k", 60_000, AbortSignal.abort())).rejects.toMatchObject({ name: "AbortError" });
  expect((await nextTurn()) - first).toBe(120_000);
});
