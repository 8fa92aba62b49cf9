import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { type OpenedDatabase, openDataFolder } from "../../src/storage/sqlite/data-folder.ts";
import { bringToDate } from "../../src/storage/sqlite/open-sqlite.ts";
import { openStorage, type Storage } from "../../src/storage/storage.ts";
import { OLD_CHECKPOINTS, OLD_MIGRATIONS } from "./tables-of-03.ts";

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "dossier-migrations-"));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

function change(statements: string): void {
  const database = new Database(join(dir, "dossier.sqlite"));
  database.exec(statements);
  database.close();
}

function openFolder(busyMs?: number): Promise<OpenedDatabase> {
  return openDataFolder(dir, bringToDate, busyMs);
}

async function reopen(storage: Storage): Promise<OpenedDatabase> {
  await storage.close();
  return openFolder();
}

it("keeps everything that version 0.3 stored", async () => {
  change(`create table kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null); ${OLD_CHECKPOINTS}`);
  for (const [name, statements] of Object.entries(OLD_MIGRATIONS))
    change(`${statements}; insert into kysely_migration values ('${name}', '')`);
  const component = JSON.stringify({ type: "component", component: "child-list", props: { children: [] }, partial: false });
  const receipt = JSON.stringify({ model: "大", usage: { inputTokens: 7, outputTokens: 2 }, costUsd: 0.5 });
  change(`
    insert into runs (id, tenant, thread_id, graph, question, request, limits, status, request_hash, created_at, head, ended_at, report)
      values ('r', 't', 'r', 'executor', '灯塔？', '{}', '{}', 'succeeded', 'h', 1, 2, 3, '{"markdown":"灯塔","claims":[],"citations":[],"sources":[],"ledger":[],"closest":[],"blocks":[],"answers":null,"missing":[],"struck":[{"text":"a","reason":"no_quote"},{"text":"b","reason":"no_quote"}],"summary":null,"coverage":{"sentences":0,"supported":0,"unsupported":0,"struck":2}}');
    insert into segments values ('r', 0, 0, '{"type":"continue"}', 'f');
    insert into journal values ('r', 0, 0, 0, 0, 'k', 'model', 'null', 1, '${receipt}', 1), ('r', 0, 0, 1, 0, 'd', 'download',
      '{"isNamed":true}', 0, '{"code":"forbidden_address"}', 2), ('r', 0, 0, 2, 0, 'm', 'memo', '{"of":"tool result"}', 1, 'null', 3),
      ('r', 0, 0, 3, 0, 'n', 'memo', 'null', 1, 'null', 4), ('r', 0, 0, 4, 0, 'e', 'download', '{"isNamed":true}', 0, 'null', 5);
    insert into events values ('r', 1, 'o', 1, '', '${component}'), ('r', 2, 'p', 1, '', '{"type":"run-ended"}');
    insert into documents values ('hash', '灯塔'), ('old', 'x');
    insert into document_details values ('key', 'hash', '{"title":"T","url":"upload:a"}');
    insert into run_documents values ('r', 'hash', 'key'), ('r', 'old', '{"title":"before 0.2"}');
    insert into thread_documents (tenant, thread_id, content_hash, details, name, bytes, characters, added_at)
      values ('t', 'r', 'hash', 'key', 'a.txt', 2, 2, 1);
    insert into thread_originals values ('t', 'r', 'hash', 0, 'text/plain', x'00ff')`);
  const storage = await openStorage(dir);
  expect(await storage.runs.get("t", "r")).toMatchObject({ question: "灯塔？", status: "succeeded", children: [] });
  expect((await storage.runs.get("t", "r"))?.usage).toMatchObject({ modelCalls: 1, inputTokens: 7, downloads: 1, costUsd: 0.5 });
  expect((await storage.runs.get("t", "r"))?.report?.coverage).toMatchObject({ sentences: 0, unverified: 0, removed: 2, struck: 2 });
  expect((await storage.runs.events("r", 0, 9)).map(({ type }) => type)).toEqual(["component", "run-ended"]);
  expect(await storage.threads.list({ tenant: "t", threadId: "r" })).toMatchObject({ documents: [{ name: "a.txt" }] });
  const { raw, close } = await reopen(storage);
  expect(raw.prepare("select counts, reusable from journal order by ord").raw().all()).toEqual([
    [1, 0],
    [0, 0],
    [0, 1],
    [0, 0],
    [1, 0],
  ]);
  expect(raw.prepare("select details from document_details order by details").pluck().all()).toHaveLength(2);
  expect(raw.prepare("select count(*) from sqlite_schema where name like 'old_%'").pluck().get()).toBe(0);
  close();
});

it("keeps the data of a version before 0.3.7 as it is, and says what to do", async () => {
  const names = Object.keys(OLD_MIGRATIONS).slice(0, 5);
  change(`create table kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null)`);
  for (const name of names) change(`${OLD_MIGRATIONS[name]}; insert into kysely_migration values ('${name}', '')`);
  await expect(openStorage(dir)).rejects.toThrow(/before 0\.3\.7\. Nothing was changed\..*Start version 0\.3\.7 once/s);
});

it("creates no table if it cannot create all of them", async () => {
  change("create table titles (something text)");
  await expect(openStorage(dir)).rejects.toThrow(/table titles already exists. Nothing was changed/);
  const database = new Database(join(dir, "dossier.sqlite"), { readonly: true });
  expect(database.prepare("select name from sqlite_schema where name = 'runs'").all()).toEqual([]);
  database.close();
});

it("refuses a database of a newer version", async () => {
  await (await openStorage(dir)).close();
  change("insert into kysely_migration values ('9999-later', '')");
  await expect(openStorage(dir)).rejects.toThrow(/cannot be opened: .*9999-later.* Nothing was changed/s);
});

it("waits for a program that writes to a database, and says so if it does not end", async () => {
  (await openFolder()).close();
  const { finishWriting } = await lockElsewhere();
  finishWriting();
  (await openFolder(60_000)).close();
  const other = await lockElsewhere();
  await expect(openFolder(100)).rejects.toEqual(
    expect.objectContaining({ code: "storage_unavailable", message: expect.stringMatching(/^Another program has locked/) }),
  );
  await other.end();
  (await openFolder()).close();
});

/** Holds the write lock in another process, because opening blocks this one. It lets go after much work once it is told to finish. */
async function lockElsewhere() {
  const program = `const Database = require("better-sqlite3");
    const database = new Database(process.argv[1]);
    database.exec("begin immediate");
    console.log("locked");
    process.stdin.once("data", () => {
      database.exec("with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000000) select count(*) from n");
      database.close();
    });`;
  const cwd = new URL("../..", import.meta.url);
  const child = spawn(process.execPath, ["-e", program, join(dir, "dossier.sqlite")], { cwd, stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  onTestFinished(() => void child.kill());
  await once(child.stdout, "data");
  return {
    finishWriting: () => void child.stdin.write("finish"),
    async end() {
      child.kill();
      await ended;
    },
  };
}
