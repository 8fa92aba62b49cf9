import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { z } from "zod";
import { RunSchema } from "../../src/domain/run.ts";
import { openDossier, TENANT } from "../helpers/open-dossier.ts";

it("a run that an earlier version stored has no closest passages, can be served, and is remembered in its thread", async () => {
  const dossier = await openDossier();
  const start = { question: "Who won the chess tournament of Reykjavik?", threadId: "t" };
  const { id } = await dossier.start(start);
  await dossier.finish(id);
  const database = new Database(join(dossier.dir, "data", "dossier.sqlite"));
  database.prepare("update runs set report = json_remove(report, '$.closest')").run();
  expect(database.prepare("select report from runs").pluck().get()).not.toContain("closest");
  database.close();

  const run = await dossier.runs.get(TENANT, id);
  expect(run.report?.closest).toEqual([]);
  expect(z.safeEncode(RunSchema, run).success).toBe(true);
  expect((await dossier.runs.list(TENANT, { limit: 10 })).runs.map(({ report }) => report?.closest)).toEqual([[]]);
  expect((await Array.fromAsync(dossier.runs.bundle(TENANT, id))).join("")).toContain('"closest":[]');

  const later = await dossier.finish((await dossier.start(start)).id);
  expect(later.status).toBe("succeeded");
});
