import type { DocumentStore } from "../../domain/ports/document-store.ts";
import type { RunStore } from "../../domain/ports/run-store.ts";
import { SqliteDocumentStore } from "./document-store.ts";
import { openDatabase } from "./open-database.ts";
import { SqliteRunStore } from "./run-store.ts";
import { SegmentSaver } from "./segment-saver.ts";
import { WriteQueue } from "./write-queue.ts";

/** Everything that is kept in a data folder. */
export interface Storage {
  readonly runs: RunStore;
  readonly documents: DocumentStore;
  readonly checkpoints: SegmentSaver;
  /** @throws when the database does not answer */
  check(): void;
  close(): void;
}

/** @throws DossierError `data_dir_in_use`, `config_invalid` */
export async function openStorage(dataDir: string): Promise<Storage> {
  const { raw, query, close } = await openDatabase(dataDir);
  const queue = new WriteQueue(raw);
  const checkpoints = new SegmentSaver(raw, queue);
  return {
    runs: new SqliteRunStore({ raw, query, queue, checkpoints }),
    documents: new SqliteDocumentStore(raw, queue),
    checkpoints,
    check: () => void raw.prepare("select 1").get(),
    close,
  };
}
