import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { startGated } from "../fakes/gated-server.ts";
import { httpTool } from "../fakes/http-tool.ts";
import { scriptedAnalyst } from "../fakes/scripted-analyst.ts";
import { openDossier, TENANT } from "../helpers/open-dossier.ts";

const QUESTION = "Who built the lighthouse of Aldermoor?";

/** One executing run and three that wait for its slot; `spoil` damages the first of those. */
async function queueBehind(spoil: (database: Database.Database, id: string) => void) {
  const server = await startGated();
  const parts = { analyst: scriptedAnalyst([[["alpha", { query: "a" }]]]), tools: [httpTool("alpha", server.url)] };
  const dossier = await openDossier({ parts, environment: { RUN_CONCURRENCY: "1" } });
  const first = await dossier.start({ question: QUESTION, threadId: "t" });
  await server.asked(1);
  const [bad, good, later] = [
    await dossier.start({ question: "谁建造了灯塔？", metadata: { mine: true } }),
    await dossier.start({ question: QUESTION }),
    await dossier.start({ question: QUESTION, threadId: "t" }),
  ];
  const database = new Database(join(dossier.dir, "data", "dossier.sqlite"));
  spoil(database, bad.id);
  database.close();
  server.open();
  return { dossier, first, bad, good, later };
}

it.each([
  ["task", "update segments set input = '{\"type\":' where run_id = ?"],
  ["limits", "update runs set limits = 'x' where id = ?"],
  ["segment", "delete from segments where run_id = ?"],
])("ends a run whose %s cannot be read, says why, and continues with the others", async (_, statement) => {
  const { dossier, bad, good, later } = await queueBehind((database, id) => database.prepare(statement).run(id));
  expect(await dossier.finish(bad.id)).toMatchObject({
    status: "failed",
    termination: { reason: "failed" },
    error: { code: "unreadable", message: expect.stringContaining("cannot be read") },
  });
  expect((await dossier.events(bad.id)).map((event) => event.type)).toEqual(["run-queued", "run-started", "run-ended"]);
  for (const { id } of [good, later]) expect((await dossier.finish(id)).status).toBe("succeeded");
});

it("shows a run whose request cannot be read, in lists too, and names the lost fields", async () => {
  const { dossier, bad, good } = await queueBehind((database, id) =>
    database.prepare("update runs set request = '{' where id = ?").run(id),
  );
  expect(await dossier.finish(bad.id)).toMatchObject({
    metadata: {},
    error: { code: "unreadable", message: expect.stringContaining("request") },
  });
  await dossier.finish(good.id);
  expect((await dossier.runs.list(TENANT, { limit: 10 })).runs).toHaveLength(4);
  await dossier.runs.delete(TENANT, bad.id);
});

it("starts a later run of a thread whose earlier report cannot be read", async () => {
  const dossier = await openDossier();
  const first = await dossier.start({ question: QUESTION, threadId: "t" });
  await dossier.finish(first.id);
  const database = new Database(join(dossier.dir, "data", "dossier.sqlite"));
  database.prepare("update runs set report = '{\"markdown' where id = ?").run(first.id);
  database.close();
  const second = await dossier.start({ question: QUESTION, threadId: "t" });
  expect((await dossier.finish(second.id)).status).toBe("succeeded");
  expect(await dossier.runs.get(TENANT, first.id)).toMatchObject({ status: "succeeded", report: null, error: { code: "unreadable" } });
});
