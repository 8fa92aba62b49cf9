import { statSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { ThreadMaterialStore } from "../domain/ports/material.ts";
import type { RunStore } from "../domain/ports/run-store.ts";
import type { AnalysisStore, TextStore } from "../domain/ports/sources.ts";
import type { WorkerPool } from "../domain/ports/workers.ts";
import type { DossierError } from "../errors.ts";
import { damageOf } from "./damage.ts";
import { openDatabase } from "./database.ts";
import { createAnalysisStore, createDocumentStore } from "./document-store.ts";
import { EventTail } from "./event-tail.ts";
import { LogCheckpoints } from "./log-checkpoints.ts";
import { createRunStore } from "./run-store.ts";
import { SegmentSaver } from "./segment-saver.ts";
import { createThreadMaterialStore } from "./thread-material.ts";
import { CLIENT_BUSY_MS, WriteQueue } from "./write-queue.ts";
import { type OnRefusal, WriteRefusals } from "./write-refusals.ts";

export interface Storage {
  readonly runs: RunStore;
  readonly documents: TextStore;
  readonly analyses: AnalysisStore;
  readonly threads: ThreadMaterialStore;
  readonly checkpoints: SegmentSaver;
  /** Whether the disk was full or the folder read-only at the start. */
  readonly isLimited: boolean;
  /** @throws DossierError `storage_unavailable` if the database refuses writes, `storage_damaged`, or SQLite's error if a read fails */
  check(): Promise<void>;
  /** From now on `workers` copy the write-ahead log into the database, until `close` of the result. */
  /** `onHeld` is called when another program keeps the log from being emptied, and it has become long. */
  copyLogIn(workers: WorkerPool, onHeld?: (bytes: number) => void): { close(): void };
  close(): void;
}

interface StorageOptions {
  readonly onRefusal?: OnRefusal;
  /** Called once when SQLite meets a damaged page. From then on, everything that would be written is refused with this error. */
  readonly onDamage?: (damage: DossierError) => void;
}

export async function openStorage(dataDir: string, options: StorageOptions = {}): Promise<Storage> {
  const { onRefusal = () => undefined, onDamage = () => undefined } = options;
  const { raw, mode, close } = openDatabase(dataDir);
  const refusals = new WriteRefusals(() => runs.tryWrite(), onRefusal);
  let checkpointing: LogCheckpoints | null = null;
  const verifyFile = mode === "copy" ? () => undefined : verifyPlace(join(dataDir, "dossier.sqlite"));
  let damage: DossierError | null = null;
  const explain = (error: unknown): unknown => {
    const met = damageOf(error);
    if (met === null) return refusals.note(error);
    if (damage === null) onDamage(met);
    damage ??= met;
    return damage;
  };
  const verify = (): void => {
    if (damage !== null) throw damage;
    verifyFile();
  };
  const tail = new EventTail();
  const queue = new WriteQueue(raw, {
    ...{ explain, verify },
    ...{ onCommit: () => checkpointing?.wrote(), onRollback: () => tail.clear() },
  });
  const checkpoints = new SegmentSaver(raw, queue);
  const emptyLog = (): void => {
    if (checkpointing === null) raw.pragma("wal_checkpoint(TRUNCATE)");
    else checkpointing.empty();
  };
  const threads = createThreadMaterialStore(raw, queue);
  const runs = createRunStore({ database: raw, queue, checkpoints, threads, tail, dataDir, emptyLog });
  const documents = createDocumentStore(raw, queue);
  const analyses = createAnalysisStore(raw, queue);
  if (mode === "copy") raw.pragma("query_only = ON");
  // Notes the refusal, so that it is logged and the service is not ready.
  await runs.tryWrite().catch(() => undefined);
  return {
    ...{ runs, documents, analyses, threads, checkpoints, isLimited: mode !== "normal" },
    async check() {
      raw.prepare("select 1").get();
      try {
        verify();
      } catch (error) {
        throw refusals.note(error);
      }
      if (queue.lockedMs >= CLIENT_BUSY_MS) throw refusals.note(new Database.SqliteError("database is locked", "SQLITE_BUSY"));
      await refusals.check();
    },
    copyLogIn(workers, onHeld = () => undefined) {
      // With a full disk, only this connection can use the database.
      if (mode === "normal") checkpointing = new LogCheckpoints({ database: raw, workers, onHeld });
      return { close: () => checkpointing?.close() };
    },
    close() {
      refusals.close();
      close();
    },
  };
}

/** SQLite goes on with a file that was moved or deleted; what it writes there would be lost. Its code for this is used, which it gives only without a write-ahead log. */
function verifyPlace(file: string): () => void {
  const { ino } = statSync(file);
  return () => {
    if (statSync(file, { throwIfNoEntry: false })?.ino === ino) return;
    throw new Database.SqliteError(
      `${file} was moved, deleted or replaced; bring it back, or restart the server`,
      "SQLITE_READONLY_DBMOVED",
    );
  };
}
