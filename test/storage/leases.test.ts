import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { createDatabase } from "../helpers/postgres.ts";
import { claim, newRun, openProcess } from "./open-store.ts";

it("renews the leases of runs that were claimed together, also if a look came while one of them was waited for", async () => {
  const url = await createDatabase();
  const storage = await openProcess(url);
  const other = new pg.Client(url);
  await other.connect();
  onTestFinished(() => other.end());
  for (const id of ["a", "b"]) await storage.runs.create(newRun(id));
  await other.query("begin");
  await other.query("select 1 from runs where id = 'b' for update");
  const claiming = claim(storage, { limit: 2 });
  await expect.poll(async () => (await storage.runs.get("t", "a"))?.status).toBe("running");
  await storage.runs.look([], 1);
  await other.query("commit");
  expect((await claiming).map(({ runId }) => runId)).toEqual(["a", "b"]);
  const heartbeats = "select heartbeat_on from pgboss.job where name = 'runs' order by created_on, id";
  const before = (await other.query(heartbeats)).rows.map((row) => Number(row.heartbeat_on));
  await storage.runs.look(["a", "b"], 1);
  const after = (await other.query(heartbeats)).rows.map((row) => Number(row.heartbeat_on));
  expect(after.map((at, nth) => at > (before[nth] ?? Number.NaN))).toEqual([true, true]);
});
