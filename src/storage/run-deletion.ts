import { sql } from "kysely";
import { change, type Transaction } from "./database.ts";
import type { RunTables } from "./run-tables.ts";

const OF_RUNS = ["segments", "journal", "events", "pending", "run_documents", "replies", "titles", "share_links"];

/** Deletes a run, and the documents that only it uses and no thread has. */
export async function deleteRun(tx: Transaction, { checkpoints, tail }: RunTables, runId: string): Promise<void> {
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
  await change(tx, sql`delete from runs where id = ${runId}`);
  for (const table of OF_RUNS) await change(tx, sql`delete from ${sql.table(table)} where run_id = ${runId}`);
  await checkpoints.delete(tx, runId);
  tx.onCommit(() => tail?.delete(runId));
}
