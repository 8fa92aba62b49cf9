import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { createDatabase } from "../helpers/postgres.ts";
import { claim, newRun, openProcess } from "./open-store.ts";

it("starts a run that is asked for while another process ends the run before it in the thread", async () => {
  const url = await createDatabase();
  const storage = await openProcess(url);
  await storage.runs.create(newRun("before", "thread"));
  expect(await claim(storage)).toHaveLength(1);
  const other = new pg.Client(url);
  await other.connect();
  onTestFinished(() => other.end());
  const isWaiting = async () => (await other.query("select 1 from pg_locks where not granted")).rows.length > 0;

  // As the process does that ends the run.
  await other.query("begin");
  await other.query("select pg_advisory_xact_lock(hashtextextended('t thread', 0))");
  await other.query("update runs set status = 'succeeded' where id = 'before'");
  let isStored = false;
  const storing = storage.runs.create(newRun("next", "thread")).then(() => {
    isStored = true;
  });
  await expect.poll(async () => isStored || (await isWaiting())).toBe(true);
  await other.query("commit");
  await storing;
  expect((await claim(storage)).map(({ runId }) => runId)).toEqual(["next"]);
});
