import type BetterSqlite from "better-sqlite3";
import { DossierError } from "../../errors.ts";
import { kindOf } from "../log-writer.ts";
import { FIRST_MIGRATION, tablesOf } from "../schema.ts";

/** The last migration of version 0.3.7. */
const LAST = "0012-original-hashes";

/** The tables of 0.3. Columns that 0.4 adds are computed from the others. What had arrived for open calls (`replies`) is asked for again. */
const ADDED: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...{ runs: {}, titles: {}, segments: {}, pending: {}, documents: {}, document_details: {}, run_documents: {}, analyses: {} },
  ...{ thread_documents: {}, thread_document_names: {}, thread_originals: {}, thread_urls: {}, checkpoints: {} },
  journal: {
    counts: `kind in ('model', 'tool', 'search', 'download') and not (kind = 'download' and ok = 0
      and json_extract(request, '$.isNamed') is true and json_extract(result, '$.code') is 'forbidden_address')`,
    receipt: `case when kind = 'model' and ok = 1 then json_extract(result, '$.model', '$.usage.inputTokens', '$.usage.outputTokens',
      '$.costUsd', '$.usage.estimated') end`,
    reusable: `ok = 1 and (kind in ('tool', 'intent') or (kind = 'memo' and json_extract(request, '$.of') is 'tool result'))`,
  },
  events: { type: "event_type(body)", component: "event_component(body)" },
  writes: { task_path: "''" },
};

/**
 * Brings the tables of a database of version 0.3 to those of 0.4, if it has such tables. Everything is kept, or nothing is changed.
 * @throws DossierError `config_invalid` for a version before 0.3.7
 */
export function importOldTables(raw: BetterSqlite.Database): void {
  const hasTable = (name: string): boolean =>
    raw.prepare("select 1 from sqlite_schema where type = 'table' and name = ?").get(name) !== undefined;
  if (!hasTable("kysely_migration")) return;
  const performed = raw.prepare("select name from kysely_migration").pluck().all();
  if (performed.length === 0 || performed.includes(FIRST_MIGRATION)) return;
  if (!performed.includes(LAST)) {
    const advice = "Start version 0.3.7 once with this folder, stop it, and start this version again.";
    throw new DossierError("config_invalid", `The data is of a version before 0.3.7. Nothing was changed. ${advice}`);
  }
  raw.function("event_type", { deterministic: true }, (body) => kindOf(String(body))[0]);
  raw.function("event_component", { deterministic: true }, (body) => kindOf(String(body))[1]);
  raw.pragma("foreign_keys = OFF");
  raw.transaction(() => replaceTables(raw, Object.keys(ADDED).filter(hasTable))).immediate();
  raw.pragma("foreign_keys = ON");
}

function replaceTables(raw: BetterSqlite.Database, tables: readonly string[]): void {
  const old = raw.prepare("select type, name from sqlite_schema where type in ('index', 'trigger') and sql is not null").all();
  for (const { type, name } of old as { type: string; name: string }[]) raw.exec(`drop ${type} "${name}"`);
  raw.exec("drop table if exists replies");
  for (const table of tables) raw.exec(`alter table ${table} rename to old_${table}`);
  for (const statement of tablesOf("sqlite")) raw.exec(statement);
  for (const table of tables) copyTable(raw, table);
  // Runs of earlier versions have the details of a document itself, not their key.
  raw.exec(`insert or ignore into document_details (key, content_hash, details)
    select details, content_hash, details from run_documents where substr(details, 1, 1) = '{'`);
  for (const table of tables) raw.exec(`drop table old_${table}`);
  raw.exec("delete from kysely_migration");
  raw.prepare("insert into kysely_migration (name, timestamp) values (?, ?)").run(FIRST_MIGRATION, new Date().toISOString());
}

function copyTable(raw: BetterSqlite.Database, table: string): void {
  const added = ADDED[table] ?? {};
  const copied = (raw.pragma(`table_info(old_${table})`) as { name: string }[]).map(({ name }) => name);
  const values = [...copied, ...Object.values(added)].join(", ");
  raw.exec(`insert into ${table} (${[...copied, ...Object.keys(added)].join(", ")}) select ${values} from old_${table}`);
}
