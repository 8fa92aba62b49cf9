import type Database from "better-sqlite3";
import type { EventTail } from "./event-tail.ts";
import { LogWriter } from "./log-writer.ts";
import { prepareStatements, type Statements } from "./run-statements.ts";
import type { SegmentSaver } from "./segment-saver.ts";
import type { SqliteThreadMaterial } from "./thread-material.ts";
import type { WriteQueue } from "./write-queue.ts";

export interface RunStoreParts {
  readonly database: Database.Database;
  readonly queue: WriteQueue;
  readonly checkpoints: SegmentSaver;
  readonly threads: SqliteThreadMaterial;
  readonly tail: EventTail;
  readonly dataDir: string;
  /** Empties the write-ahead log when nothing is written. The database file shrinks only then. */
  readonly emptyLog: () => void;
}

/** What those who read, claim, end and delete runs share. */
export interface RunTables extends RunStoreParts {
  readonly sql: Statements;
  readonly log: LogWriter;
}

export function openTables(parts: RunStoreParts): RunTables {
  const sql = prepareStatements(parts.database, parts.queue);
  return { ...parts, sql, log: new LogWriter(sql, parts.tail) };
}
