import type { DocumentStore } from "../../domain/ports/document-store.ts";
import type { RunStore } from "../../domain/ports/run-store.ts";
import { SqliteDocumentStore } from "./document-store.ts";
import { openDatabase } from "./open-database.ts";
import { RunReader } from "./run-reader.ts";
import { RunWriter } from "./run-writer.ts";
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
  const reader = new RunReader(query, raw);
  const writer = new RunWriter(raw, queue, checkpoints);
  return {
    runs: joinHalves(reader, writer),
    documents: new SqliteDocumentStore(raw, queue),
    checkpoints,
    check: () => void raw.prepare("select 1").get(),
    close,
  };
}

function joinHalves(reader: RunReader, writer: RunWriter): RunStore {
  return {
    create: (run) => writer.create(run),
    claim: (at, limit) => writer.claim(at, limit),
    release: (owner) => writer.release(owner),
    requeueUnfinished: () => writer.requeueUnfinished(),
    append: (owner, log) => writer.append(owner, log),
    restart: (owner, options) => writer.restart(owner, options),
    endSegment: (owner, end, options) => writer.endSegment(owner, end, options),
    requestCancel: (tenant, runId, at) => writer.requestCancel(tenant, runId, at),
    answer: (runId, pendingId, answer, options) => writer.answer(runId, pendingId, answer, options),
    delete: (tenant, runId) => writer.delete(tenant, runId),
    findByKey: (tenant, key) => reader.findByKey(tenant, key),
    countQueued: () => reader.countQueued(),
    get: (tenant, runId) => reader.get(tenant, runId),
    list: (tenant, filter) => reader.list(tenant, filter),
    pending: (runId) => reader.pending(runId),
    events: (runId, after, limit) => reader.events(runId, after, limit),
    head: (tenant, runId) => reader.head(tenant, runId),
    segments: (runId) => reader.segments(runId),
    journal: (runId) => reader.journal(runId),
    loggedEvents: (runId) => reader.loggedEvents(runId),
    documentHashes: (runId) => reader.documentHashes(runId),
  };
}
