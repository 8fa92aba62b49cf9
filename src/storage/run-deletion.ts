import { sql } from "kysely";
import { change, type Transaction } from "./database.ts";
import type { EventTail } from "./event-tail.ts";
import type { SegmentSaver } from "./segment-saver.ts";

const OF_RUNS = ["segments", "journal", "events", "pending", "run_documents", "replies", "titles"];

interface Parts {
  readonly checkpoints: SegmentSaver;
  readonly tail: EventTail | null;
}

/** Deletes runs, in the transactions of those who may. */
export class RunDeletion {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Deletes a run, and the documents that only it uses. */
  readonly withDocuments = async (tx: Transaction, runId: string): Promise<void> => {
    await deleteOwnDocuments(tx, runId);
    await this.rows(tx, runId);
    tx.onCommit(() => this.#parts.tail?.delete(runId));
  };

  async rows(tx: Transaction, runId: string): Promise<void> {
    await change(tx, sql`delete from runs where id = ${runId}`);
    for (const table of OF_RUNS) await change(tx, sql`delete from ${sql.table(table)} where run_id = ${runId}`);
    await this.#parts.checkpoints.delete(tx, runId);
  }
}

/** Deletes the documents that only this run uses, and no thread has. Call it before the references of the run are deleted. */
async function deleteOwnDocuments(tx: Transaction, runId: string): Promise<void> {
  await change(
    tx,
    sql`delete from documents where content_hash in (select content_hash from run_documents where run_id = ${runId})
      and not exists (select 1 from run_documents other where other.content_hash = documents.content_hash and other.run_id <> ${runId})
      and not exists (select 1 from thread_documents given where given.content_hash = documents.content_hash)`,
  );
  await change(
    tx,
    sql`delete from document_details where key in (select details from run_documents where run_id = ${runId})
      and not exists (select 1 from run_documents other where other.details = document_details.key and other.run_id <> ${runId})
      and not exists (select 1 from thread_documents given where given.details = document_details.key)`,
  );
}
