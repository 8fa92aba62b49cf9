import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../src/storage/database.ts";

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

it("keeps the data of an earlier version, which Kysely migrated, and performs only what is missing", () => {
  openDatabase(dir).close();
  change(`
    create table kysely_migration_lock (id varchar(255) not null primary key, is_locked integer default 0 not null);
    insert into kysely_migration_lock values ('migration_lock', 0);
    insert into documents values ('hash', 'text');
    drop table replies;
    drop table thread_documents;
    drop table thread_document_names;
    drop table thread_originals;
    drop table thread_urls;
    drop table titles;
    alter table runs drop column crashed_alone;
    drop index analyses_by_version;
    alter table analyses drop column version;
    insert into analyses values ('key', 'hash', x'00');
    delete from kysely_migration where name >= '0005'`);
  const { raw, close } = openDatabase(dir);
  expect(raw.prepare("select text from documents").pluck().all()).toEqual(["text"]);
  // The cleaning deletes what an earlier version analyzed.
  expect(raw.prepare("select version from analyses").pluck().all()).toEqual([1]);
  expect(raw.prepare("select run_id from replies").all()).toEqual([]);
  expect(raw.prepare("select crashed_alone from runs").all()).toEqual([]);
  expect(raw.prepare("select name from kysely_migration order by name").pluck().all().slice(-8)).toEqual([
    "0005-crashed-alone",
    "0006-replies",
    "0007-thread-material",
    "0008-titles",
    "0009-other-names",
    "0010-thread-originals",
    "0011-freed-in-parts",
    "0012-original-hashes",
  ]);
  close();
});

it("changes nothing if one migration fails", () => {
  openDatabase(dir).close();
  change("delete from kysely_migration where name >= '0005'; alter table runs drop column crashed_alone");
  expect(() => openDatabase(dir)).toThrow(/cannot be opened: table replies already exists. Nothing was changed/);
  const database = new Database(join(dir, "dossier.sqlite"));
  expect(database.prepare("select name from pragma_table_info('runs') where name = 'crashed_alone'").all()).toEqual([]);
  database.close();
});

it("refuses a database of a newer version", () => {
  openDatabase(dir).close();
  change("insert into kysely_migration values ('9999-later', '')");
  expect(() => openDatabase(dir)).toThrow(/cannot be opened: it was written by a newer version \(9999-later\). Nothing was changed/);
});

it.each([
  ["with a lock of another process", () => rmSync(join(dir, "lock.sqlite"))],
  ["whose schema is older", () => change("delete from kysely_migration where name = '0006-replies'; drop table replies")],
])("waits for a program that writes to a database %s, and says so if it does not end", async (_, prepare) => {
  openDatabase(dir).close();
  prepare();
  const { finishWriting } = await lockElsewhere();
  finishWriting();
  openDatabase(dir, 60_000).close();
  prepare();
  const other = await lockElsewhere();
  expect(() => openDatabase(dir, 100)).toThrow(
    expect.objectContaining({ code: "storage_unavailable", message: expect.stringMatching(/^Another program has locked/) }),
  );
  await other.end();
  openDatabase(dir).close();
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
