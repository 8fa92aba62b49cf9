import type { DocumentStore } from "../../domain/ports/document-store.ts";
import type { RunStore } from "../../domain/ports/run-store.ts";
import { SqliteDocumentStore } from "./document-store.ts";
import { openDatabase } from "./open-database.ts";
import { SqliteRunStore } from "./run-store.ts";
import { SegmentSaver } from "./segment-saver.ts";
import { WriteQueue } from "./write-queue.ts";
import { type OnRefusal, WriteRefusals } from "./write-refusals.ts";

/** Everything that is kept in a data folder. */
export interface Storage {
  readonly runs: RunStore;
  readonly documents: DocumentStore;
  readonly checkpoints: SegmentSaver;
  /** @throws DossierError `storage_unavailable` while the database refuses writes, and whatever it says when it does not answer */
  check(): Promise<void>;
  close(): void;
}

/** @throws DossierError `data_dir_in_use`, `config_invalid` */
export async function openStorage(dataDir: string, onRefusal: OnRefusal = () => undefined): Promise<Storage> {
  const { raw, query, close } = await openDatabase(dataDir);
  const refusals = new WriteRefusals(() => runs.tryWrite(), onRefusal);
  const queue = new WriteQueue(raw, (error) => refusals.note(error));
  const checkpoints = new SegmentSaver(raw, queue);
  const runs = new SqliteRunStore({ raw, query, queue, checkpoints });
  return {
    runs,
    documents: new SqliteDocumentStore(raw, queue),
    checkpoints,
    async check() {
      raw.prepare("select 1").get();
      await refusals.check();
    },
    close() {
      refusals.close();
      close();
    },
  };
}
