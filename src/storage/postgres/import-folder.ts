import { existsSync } from "node:fs";
import { join } from "node:path";
import type BetterSqlite from "better-sqlite3";
import { sql } from "kysely";
import { DossierError } from "../../errors.ts";
import { allRows, type Database, firstRow, insertRows, type Transaction } from "../database.ts";
import { openDataFolder } from "../sqlite/data-folder.ts";
import { bringToDate } from "../sqlite/open-sqlite.ts";
import { openPostgres, type PostgresOptions } from "./open-postgres.ts";

/** Those of the migrations, of SQLite itself, and of processes that run. */
const NOT_COPIED = /^(?:kysely_|sqlite_|turns$)/;
const ROWS_AT_ONCE = 64;

/**
 * Copies everything from the data folder of a stopped service into an empty PostgreSQL database, in one transaction. The folder stays as it
 * is, but for the schema of this version. Returns the number of runs. @throws DossierError `invalid_request`, `config_invalid`, `data_dir_in_use`
 */
export async function importFolder(folder: string, dataDir: string, options: PostgresOptions): Promise<number> {
  if (!existsSync(join(folder, "dossier.sqlite"))) throw new DossierError("invalid_request", `There is no dossier.sqlite in ${folder}.`);
  await using opened = new AsyncDisposableStack();
  const target = opened.adopt(await openPostgres(dataDir, async () => undefined, options), (one) => one.close());
  const source = opened.adopt(await openDataFolder(folder, bringToDate), (one) => one.close());
  if (await hasRuns(target.database))
    throw new DossierError("invalid_request", "The database of DATABASE_URL has runs already, and was left as it is. Use an empty one.");
  await target.database.write(async (tx) => {
    for (const table of tablesOf(source.raw)) await copyTable(source.raw, tx, table);
  });
  return source.raw.prepare("select count(*) from runs").pluck().get() as number;
}

async function hasRuns(database: Database): Promise<boolean> {
  return (await firstRow(database, sql`select 1 from runs limit 1`)) !== undefined;
}

/** In the order of the schema: what is referred to stands before what refers to it. */
function tablesOf(raw: BetterSqlite.Database): string[] {
  const names = raw.prepare("select name from sqlite_schema where type = 'table' order by rowid").pluck().all() as string[];
  return names.filter((name) => !NOT_COPIED.test(name));
}

async function copyTable(raw: BetterSqlite.Database, tx: Transaction, table: string): Promise<void> {
  const columns = (raw.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
  const insert = (values: ReturnType<typeof sql>) =>
    sql`insert into ${sql.table(table)} (${sql.join(columns.map((name) => sql.ref(name)))}) values ${values}`;
  let rows: unknown[][] = [];
  for (const row of raw
    .prepare(`select ${columns.join(", ")} from ${table}`)
    .raw()
    .iterate()) {
    if (rows.push((row as unknown[]).map(withoutNul)) < ROWS_AT_ONCE) continue;
    await insertRows(tx, rows, insert);
    rows = [];
  }
  await insertRows(tx, rows, insert);
  if (columns.includes("position")) await continuePositions(tx, table);
}

/** SQLite stores NUL in texts, and PostgreSQL does not. */
function withoutNul(value: unknown): unknown {
  return typeof value === "string" ? value.replaceAll("\0", "\uFFFD") : value;
}

/** Does nothing to a table that gives its rows no positions itself. */
async function continuePositions(tx: Transaction, table: string): Promise<void> {
  await allRows(
    tx,
    sql`select setval(pg_get_serial_sequence(${table}, 'position'), coalesce((select max(position) from ${sql.table(table)}), 0) + 1, false)`,
  );
}
