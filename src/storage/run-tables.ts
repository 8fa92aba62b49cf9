import { sql } from "kysely";
import type { Database } from "./database.ts";
import type { EventTail } from "./event-tail.ts";
import type { KeptReplyStore } from "./kept-replies.ts";
import type { LogWriter } from "./log-writer.ts";
import type { RunQueue } from "./run-queue.ts";
import type { SegmentSaver } from "./segment-saver.ts";
import type { RunRow } from "./tables.ts";
import type { ThreadTables } from "./thread-material.ts";

/** What those who read, claim, end and delete runs share. */
export interface RunTables {
  readonly database: Database;
  readonly checkpoints: SegmentSaver;
  readonly threads: ThreadTables;
  /** Null if other processes write events too. */
  readonly tail: EventTail | null;
  readonly replies: KeptReplyStore;
  readonly queue: RunQueue;
  readonly log: LogWriter;
}

/** The latest epoch of each segment of a run, as `(segment, epoch)`. */
export function latestEpochs(runId: string) {
  return sql`(select position, max(epoch) from segments where run_id = ${runId} group by position)`;
}

export function sameKey(tenant: string, idempotencyKey: string) {
  return sql<Pick<RunRow, "id" | "request_hash">>`select id, request_hash from runs
    where tenant = ${tenant} and idempotency_key = ${idempotencyKey}`;
}
