import type { ThreadMaterialStore } from "../domain/ports/material.ts";
import type { RunStore } from "../domain/ports/run-store.ts";
import type { AnalysisStore, TextStore } from "../domain/ports/sources.ts";
import type { WorkerPool } from "../domain/ports/workers.ts";
import type { Database } from "./database.ts";
import { createAnalysisStore, createDocumentStore } from "./document-store.ts";
import { EventTail } from "./event-tail.ts";
import { KeptReplyStore } from "./kept-replies.ts";
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
  /** Whether the disk was full or the folder read-only at the start. */
  readonly isLimited: boolean;
  /** @throws DossierError `storage_unavailable` if the database refuses writes, `storage_damaged`, or the database's error if a read fails */
  check(): Promise<void>;
  /**
   * From now on `workers` copy the write-ahead log into the database, until `close` of the result. `onHeld` is called when another program
   * keeps the log from being emptied, and it has become long.
   */
  copyLogIn(workers: WorkerPool, onHeld?: (bytes: number) => void): { close(): void };
  close(): Promise<void>;
}

export interface StorageOptions extends SqliteOptions {
  /** A PostgreSQL database in place of the one in the data folder. */
  readonly postgres?: PostgresOptions;
}

export async function openStorage(dataDir: string, { postgres, ...options }: StorageOptions = {}): Promise<Storage> {
  const probe = () => runs.tryWrite();
  const opened = postgres === undefined ? await openSqlite(dataDir, probe, options) : await openPostgres(dataDir, probe, postgres);
  const { database, space, isLocked, isLimited } = opened;
  const checkpoints = new SegmentSaver(database);
  const threads = createThreadMaterialStore(database);
  const replies = new KeptReplyStore(database);
  const { queue, peers, limits, schedule, workers } = opened.shared;
  const tail = postgres === undefined ? new EventTail() : null;
  const runs = createRunStore({ database, checkpoints, threads, replies, queue, tail });
  await opened.shared.onDead((runId) => runs.endCrashed(runId, Date.now()));
  // Notes the refusal, so that it is logged and the service is not ready.
  await runs.tryWrite().catch(() => undefined);
  return {
    runs: {
      ...{ ...runs, ...space },
      get isLocked() {
        return isLocked();
      },
    },
    ...{ documents: createDocumentStore(database), analyses: createAnalysisStore(database), threads, checkpoints, database, isLimited },
    ...{ peers, limits, schedule, workers, check: opened.check, copyLogIn: opened.copyLogIn, close: opened.close },
  };
}
