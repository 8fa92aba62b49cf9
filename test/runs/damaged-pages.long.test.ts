import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { openDossier, TENANT } from "../helpers/open-dossier.ts";

const QUESTION = "Who built the lighthouse of Aldermoor?";
const ROWS = 400;
const FILLER = "长".repeat(500);

/** A stopped service with one ended run, then one that was running and has many rows, then two queued ones. */
async function stoppedService(status: "running" | "queued" = "running") {
  const first = await openDossier();
  const earlier = await first.start({ question: QUESTION });
  await first.finish(earlier.id);
  const bad = await first.start({ question: QUESTION, systemContext: FILLER.repeat(30) });
  await first.finish(bad.id);
  const later = [await first.start({ question: QUESTION }), await first.start({ question: QUESTION })];
  for (const { id } of later) await first.finish(id);
  await first.close(0);
  const file = join(first.dir, "data", "dossier.sqlite");
  const database = new Database(file);
  const requeue = database.prepare(`update runs set status = 'queued', head = 1, attempt = 0, ended_at = null, report = null,
    termination = null where id = ?`);
  for (const { id } of later) {
    requeue.run(id);
    database.prepare("delete from events where run_id = ? and seq > 1").run(id);
    for (const table of ["journal", "run_documents"]) database.prepare(`delete from ${table} where run_id = ?`).run(id);
  }
  const record = database.prepare("insert into journal values (?, 0, 0, ?, 0, ?, 'memo', 'null', 1, ?, 0)");
  const event = database.prepare("insert into events values (?, ?, ?, 0, '', ?)");
  const document = database.prepare("insert into run_documents values (?, ?, ?)");
  for (let row = 1_000; row < 1_000 + ROWS; row += 1) {
    record.run(bad.id, row, `k${row}`, JSON.stringify(FILLER));
    // Half of the origins come before that of the next attempt in the index, and half after it.
    event.run(bad.id, row, `life/run-started/${row % 2 === 0 ? 1 : 3}${row} ${FILLER}`, JSON.stringify({ type: "content", delta: FILLER }));
    document.run(bad.id, `${row} ${FILLER}`, FILLER);
  }
  database
    .prepare("update runs set status = ?, head = ?, attempt = 2, crashes = 2, ended_at = null where id = ?")
    .run(status, 999 + ROWS, bad.id);
  database.pragma("wal_checkpoint(truncate)");
  return { dir: first.dir, file, database, earlier, bad, later };
}

/** Overwrites pages of a table or index, but not those at its ends, which other runs may share. */
function spoil(file: string, database: Database.Database, name: string, type: "leaf" | "overflow"): void {
  const pages = database.prepare("select pageno from dbstat where name = ? and pagetype = ? order by path").pluck().all(name, type);
  const size = Number(database.pragma("page_size", { simple: true }));
  database.close();
  const inside = type === "leaf" ? pages.slice(Math.ceil(pages.length / 10), -Math.ceil(pages.length / 10)) : pages;
  expect(inside.length).toBeGreaterThan(0);
  const descriptor = openSync(file, "r+");
  for (const page of inside) writeSync(descriptor, Buffer.alloc(size, 0xff), 0, size, (Number(page) - 1) * size);
  closeSync(descriptor);
}

it.each(["journal", "events", "events_by_origin"])(
  "ends a run with damaged pages of %s, and executes and lists the others",
  async (name) => {
    const { dir, file, database, bad, later } = await stoppedService();
    spoil(file, database, name, "leaf");
    const dossier = await openDossier({ dir });
    expect(await dossier.recover()).toBe(3);
    expect(await dossier.finish(bad.id)).toMatchObject({
      status: "failed",
      error: { code: "storage_damaged", message: expect.stringContaining("damaged") },
    });
    if (name === "events")
      await expect(dossier.runs.hasEventsAfter(TENANT, bad.id, 1_100)).rejects.toMatchObject({ code: "storage_damaged" });
    for (const { id } of later) expect(await dossier.finish(id)).toMatchObject({ status: "succeeded", error: null });
    expect((await dossier.runs.list(TENANT, { limit: 10 })).runs.map(({ status }) => status)).toEqual([
      "succeeded",
      "succeeded",
      "failed",
      "succeeded",
    ]);
    const again = await dossier.start({ question: QUESTION, threadId: bad.threadId });
    expect((await dossier.finish(again.id)).status).toBe("succeeded");
  },
);

it.each([
  ["running", 2],
  ["queued", 3],
] as const)("leaves out a %s run whose own row is damaged, and executes and lists the others", async (status, queued) => {
  const { dir, file, database, bad, later } = await stoppedService(status);
  spoil(file, database, "runs", "overflow");
  const dossier = await openDossier({ dir });
  expect(await dossier.recover()).toBe(queued);
  for (const { id } of later) expect(await dossier.finish(id)).toMatchObject({ status: "succeeded", error: null });
  await expect(dossier.runs.get(TENANT, bad.id)).rejects.toMatchObject({ code: "storage_damaged", status: 500 });
  const listed = (await dossier.runs.list(TENANT, { limit: 10 })).runs.map(({ id }) => id);
  expect(listed).toEqual(expect.arrayContaining(later.map(({ id }) => id)));
  expect(listed).not.toContain(bad.id);
});

it("says so if the documents of a run are on damaged pages", async () => {
  const { dir, file, database, bad, earlier } = await stoppedService();
  spoil(file, database, "run_documents", "leaf");
  const dossier = await openDossier({ dir });
  await expect(dossier.runs.document(TENANT, bad.id, `1200 ${FILLER}`)).rejects.toMatchObject({ code: "storage_damaged" });
  const [citation] = (await dossier.runs.get(TENANT, earlier.id)).report?.citations ?? [];
  expect(await dossier.runs.document(TENANT, earlier.id, citation?.contentHash ?? "")).toHaveProperty("text");
});
