import Database from "better-sqlite3";
import pg from "pg";
import { expect, it } from "vitest";
import { importFolder } from "../../src/storage/postgres/import-folder.ts";
import { openStorage } from "../../src/storage/storage.ts";
import { openDossier, TENANT } from "../helpers/open-dossier.ts";
import { createDatabase } from "../helpers/postgres.ts";

/** What refers to the document of thread T. */
const REFERENCES: Readonly<Record<string, string>> = {
  ...{ tenant: `'${TENANT}'`, thread_id: "'T'", content_hash: "(select content_hash from thread_documents)" },
};

/** Gives each table that has no row one, and returns the names of all tables. */
function fillEmptyTables(dir: string): string[] {
  const raw = new Database(`${dir}/data/dossier.sqlite`);
  const names = raw.prepare("select name from sqlite_schema where type = 'table' and name not like 'kysely_%'").pluck().all() as string[];
  const tables = names.filter((name) => name !== "sqlite_sequence" && name !== "turns");
  for (const table of tables.filter((name) => raw.prepare(`select 1 from ${name}`).get() === undefined)) {
    const columns = raw.pragma(`table_info(${table})`) as { name: string; type: string; notnull: number; pk: number }[];
    const needed = columns.filter(({ notnull, pk }) => notnull + pk > 0);
    const references = columns.some(({ name }) => name === "content_hash") ? REFERENCES : {};
    const values = needed.map(({ name, type }) => references[name] ?? (type === "text" ? "'词'" : type === "blob" ? "x'00'" : "1"));
    raw.exec(`insert into ${table} (${needed.map(({ name }) => name).join(", ")}) values (${values.join(", ")})`);
  }
  raw.close();
  return tables;
}

it("copies a data folder with everything that it has into PostgreSQL, where the next run follows", async () => {
  const before = await openDossier();
  const { id } = await before.start({ question: "谁设计了奥尔德穆尔灯塔？", threadId: "T" });
  const run = await before.finish(id);
  const files = [{ name: "灯.txt", bytes: new TextEncoder().encode("灯塔的灯使用鲸油。"), mediaType: "text/plain" }];
  await before.threads.add({ tenant: TENANT, threadId: "T" }, { files, urls: [] }, new AbortController().signal);
  const lines = await before.recordingLines(id);
  await before.close(0);
  const tables = fillEmptyTables(before.dir);

  const url = await createDatabase();
  const folder = `${before.dir}/data`;
  const postgres = { url, connections: 2 };
  expect(await importFolder(folder, `${before.dir}/other`, postgres)).toBe(1);
  await expect(importFolder(folder, `${before.dir}/other`, postgres)).rejects.toMatchObject({ code: "invalid_request" });

  const after = await openDossier({ dir: before.dir, environment: { DATABASE_URL: url } });
  expect(await after.runs.get(TENANT, id)).toEqual(run);
  expect(await after.recordingLines(id)).toEqual(lines);
  expect((await after.threads.list(TENANT, "T")).documents.map(({ name }) => name)).toEqual(["灯.txt"]);
  const server = new pg.Client(url);
  await server.connect();
  for (const name of tables) expect([name, (await server.query(`select 1 from ${name}`)).rows.length]).not.toEqual([name, 0]);
  await server.end();
  const next = await after.finish((await after.start({ question: "灯使用什么？", threadId: "T" })).id);
  expect(next.status).toBe("succeeded");
  expect((await after.runs.list(TENANT, { limit: 9 })).runs.map((one) => one.id)).toEqual([next.id, id]);
});

it("refuses a second process in one data folder, and an address that nobody serves", async () => {
  const url = await createDatabase();
  const dossier = await openDossier({ environment: { DATABASE_URL: url } });
  const open = (address: string, folder = "other") =>
    openStorage(`${dossier.dir}/${folder}`, { postgres: { url: address, connections: 2 } });
  await expect(open(url, "data")).rejects.toMatchObject({ code: "data_dir_in_use" });
  await expect(open("postgres://dossier@127.0.0.1:1/none")).rejects.toMatchObject({ code: "config_invalid" });
  await dossier.close(0);
});
