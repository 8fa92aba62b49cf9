import { type Kysely, sql } from "kysely";
import { type Migration, Migrator } from "kysely/migration";
import type { JournalRecord, LoggedEvent } from "../domain/recording.ts";
import { DossierError } from "../errors.ts";

// The rows of the tables. JSON is stored as text, a time as milliseconds since 1970, a flag as 0 or 1.

export interface RunRow {
  /** The order of creation, which is also the cursor of lists. */
  position: number;
  id: string;
  tenant: string;
  thread_id: string;
  graph: string;
  question: string;
  request: string;
  limits: string;
  status: string;
  /** The fencing token: the store refuses writes of an older attempt. */
  attempt: number;
  /** The number of crashes in a row without a new journal record. Refused writes and crashes while the run only waited do not count. */
  crashes: number;
  /** Whether only this run was in progress at its last crash. */
  crashed_alone: number;
  head: number;
  segment: number;
  epoch: number;
  cancel_requested: number;
  idempotency_key: string | null;
  request_hash: string;
  created_at: number;
  started_at: number | null;
  ended_at: number | null;
  termination: string | null;
  report: string | null;
  error: string | null;
}

export interface SegmentRow {
  run_id: string;
  position: number;
  epoch: number;
  input: string;
  fingerprint: string;
}

export interface JournalRow extends Omit<JournalRecord, "request" | "ok" | "result"> {
  run_id: string;
  segment: number;
  epoch: number;
  request: string;
  ok: number;
  result: string;
}

export interface EventRow extends LoggedEvent {
  run_id: string;
  seq: number;
}

export interface PendingRow {
  run_id: string;
  id: string;
  interrupt_id: string;
  body: string;
  answer: string | null;
}

/** Migrations run in the order of their names. Never edit a released migration. */
const MIGRATIONS: Record<string, Migration> = {
  "0001-runs": {
    async up(db: Kysely<unknown>) {
      await db.schema
        .createTable("runs")
        .addColumn("position", "integer", (column) => column.primaryKey().autoIncrement())
        .addColumn("id", "text", (column) => column.notNull().unique())
        .addColumn("tenant", "text", (column) => column.notNull())
        .addColumn("thread_id", "text", (column) => column.notNull())
        .addColumn("graph", "text", (column) => column.notNull())
        .addColumn("question", "text", (column) => column.notNull())
        .addColumn("request", "text", (column) => column.notNull())
        .addColumn("limits", "text", (column) => column.notNull())
        .addColumn("status", "text", (column) => column.notNull())
        .addColumn("attempt", "integer", (column) => column.notNull().defaultTo(0))
        .addColumn("head", "integer", (column) => column.notNull().defaultTo(0))
        .addColumn("segment", "integer", (column) => column.notNull().defaultTo(0))
        .addColumn("epoch", "integer", (column) => column.notNull().defaultTo(0))
        .addColumn("cancel_requested", "integer", (column) => column.notNull().defaultTo(0))
        .addColumn("idempotency_key", "text")
        .addColumn("request_hash", "text", (column) => column.notNull())
        .addColumn("created_at", "integer", (column) => column.notNull())
        .addColumn("started_at", "integer")
        .addColumn("ended_at", "integer")
        .addColumn("termination", "text")
        .addColumn("report", "text")
        .addColumn("error", "text")
        .execute();
      await sql`create unique index runs_by_key on runs (tenant, idempotency_key) where idempotency_key is not null`.execute(db);
      await db.schema.createIndex("runs_by_thread").on("runs").columns(["tenant", "thread_id"]).execute();
      await db.schema.createIndex("runs_by_tenant").on("runs").column("tenant").execute();
      // SQLite uses a partial index only if the statement has the same condition, so each status has its index.
      await sql`create index runs_queued on runs (position) where status = 'queued'`.execute(db);
      await sql`create index runs_running on runs (tenant, thread_id) where status = 'running'`.execute(db);
      await sql`create table segments (run_id text not null, position integer not null, epoch integer not null, input text not null,
        fingerprint text not null, primary key (run_id, position, epoch)) without rowid`.execute(db);
      await sql`create table journal (run_id text not null, segment integer not null, epoch integer not null, ord integer not null,
        after integer not null, key text not null, kind text not null, request text not null, ok integer not null, result text not null,
        at integer not null, primary key (run_id, segment, epoch, ord)) without rowid`.execute(db);
      await sql`create table events (run_id text not null, seq integer not null, origin text not null, at integer not null,
        path text not null, body text not null, primary key (run_id, seq)) without rowid`.execute(db);
      await db.schema.createIndex("events_by_origin").unique().on("events").columns(["run_id", "origin"]).execute();
      await sql`create table pending (run_id text not null, id text not null, interrupt_id text not null, body text not null,
        answer text, primary key (run_id, id)) without rowid`.execute(db);
      await sql`create table documents (content_hash text primary key, text text not null)`.execute(db);
      await sql`create table run_documents (run_id text not null, content_hash text not null, details text not null,
        primary key (run_id, content_hash)) without rowid`.execute(db);
      await db.schema.createIndex("run_documents_by_hash").on("run_documents").column("content_hash").execute();
    },
  },
  "0002-crashes": {
    async up(db: Kysely<unknown>) {
      await db.schema
        .alterTable("runs")
        .addColumn("crashes", "integer", (column) => column.notNull().defaultTo(0))
        .execute();
    },
  },
  "0003-components": {
    async up(db: Kysely<unknown>) {
      // The JSON of an event begins with its type, so SQLite parses only component events.
      await sql`create index events_components on events (run_id, json_extract(body, '$.component'), seq)
        where substr(body, 1, 20) = '{"type":"component",'`.execute(db);
    },
  },
  "0004-analyses-and-details": {
    async up(db: Kysely<unknown>) {
      await sql`create table analyses (key text primary key, content_hash text not null, data blob not null)`.execute(db);
      await db.schema.createIndex("analyses_by_hash").on("analyses").column("content_hash").execute();
      // Runs that read the same page share its details. Earlier rows of run_documents contain the details instead of the key.
      await sql`create table document_details (key text primary key, content_hash text not null, details text not null)`.execute(db);
      await db.schema.createIndex("document_details_by_hash").on("document_details").column("content_hash").execute();
      await db.schema.createIndex("run_documents_by_details").on("run_documents").column("details").execute();
      await sql`create index runs_ended on runs (ended_at, position) where status in ('succeeded', 'failed', 'cancelled')`.execute(db);
      await sql`create trigger document_deleted after delete on documents begin
        delete from analyses where content_hash = old.content_hash;
        delete from document_details where content_hash = old.content_hash; end`.execute(db);
    },
  },
  "0005-crashed-alone": {
    async up(db: Kysely<unknown>) {
      await db.schema
        .alterTable("runs")
        .addColumn("crashed_alone", "integer", (column) => column.notNull().defaultTo(0))
        .execute();
    },
  },
  "0006-replies": {
    async up(db: Kysely<unknown>) {
      await sql`create table replies (run_id text not null, segment integer not null, key text not null, name text not null,
        part integer not null, parts integer not null, head text not null, body blob not null,
        primary key (run_id, segment, key, name, part))`.execute(db);
    },
  },
};

/** Migrates to the newest schema. @throws DossierError `config_invalid` if a migration fails; then the database is unchanged */
export async function migrate(db: Kysely<unknown>): Promise<void> {
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => MIGRATIONS } }).migrateToLatest();
  if (error !== undefined)
    throw new DossierError("config_invalid", "The database could not be migrated. It is unchanged.", { cause: error });
}
