import { sql } from "kysely";
import type { ThreadMaterialStore } from "../domain/ports/material.ts";
import type { RunStore } from "../domain/ports/run-store.ts";
import type { AnalysisStore, TextStore } from "../domain/ports/sources.ts";
import { CLIENT, change, type Database } from "./database.ts";
import { createAnalysisStore, createDocumentStore } from "./document-store.ts";
import { EventTail } from "./event-tail.ts";
import { KeptReplyStore } from "./kept-replies.ts";
import { LogWriter } from "./log-writer.ts";
import { openPostgres, type PostgresOptions } from "./postgres/open-postgres.ts";
import type { Shared } from "./processes.ts";
import { createRunStore } from "./run-store.ts";
import { SegmentSaver } from "./segment-saver.ts";
import { openSqlite, type SqliteOptions } from "./sqlite/open-sqlite.ts";
import { createThreadMaterialStore } from "./thread-material.ts";

export interface Storage extends Pick<Shared, "peers" | "limits" | "schedule" | "workers"> {
  readonly runs: RunStore;
  readonly documents: TextStore;
  readonly analyses: AnalysisStore;
  readonly threads: ThreadMaterialStore;
  readonly checkpoints: SegmentSaver;
  readonly database: Database;
  /** @throws DossierError `storage_unavailable` if the database refuses writes, `storage_damaged`, or the database's error if a read fails */
  check(): Promise<void>;
  close(): Promise<void>;
}

export interface StorageOptions extends SqliteOptions {
  /** A PostgreSQL database in place of the one in the data folder. */
  readonly postgres?: PostgresOptions;
}

export async function openStorage(dataDir: string, { postgres, ...options }: StorageOptions = {}): Promise<Storage> {
  const probe = (): Promise<unknown> => tryWrite(database);
  const opened = postgres === undefined ? await openSqlite(dataDir, probe, options) : await openPostgres(dataDir, probe, postgres);
  const { database, space } = opened;
  const checkpoints = new SegmentSaver(database);
  const threads = createThreadMaterialStore(database);
  const replies = new KeptReplyStore(database);
  const { queue, peers, limits, schedule, workers } = opened.shared;
  const tail = postgres === undefined ? new EventTail() : null;
  const runs = createRunStore({ database, checkpoints, threads, replies, queue, tail, log: new LogWriter(tail, replies) });
  await opened.shared.onDead((runId) => runs.endCrashed(runId, Date.now()));
  // Notes the refusal, so that it is logged and the service is not ready.
  await probe().catch(() => undefined);
  return {
    runs: { ...runs, ...space },
    ...{ documents: createDocumentStore(database), analyses: createAnalysisStore(database), threads, checkpoints, database },
    ...{ peers, limits, schedule, workers, check: opened.check, close: opened.close },
  };
}

/** As much as the results of a run. */
const PROBE = "x".repeat(256 * 1024);

async function tryWrite(database: Database): Promise<void> {
  await database.write(async (tx) => {
    await change(tx, sql`insert into titles (run_id, title) values ('', ${PROBE}) on conflict (run_id) do nothing`);
    await change(tx, sql`delete from titles where run_id = ''`);
  }, CLIENT);
}
