import { statSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import Database from "better-sqlite3";
import { LRUCache } from "lru-cache";
import { contentHashOf, type ExtractedDocument, type StoredDocument } from "../domain/document.ts";
import type { ThreadMaterialStore } from "../domain/ports/material.ts";
import type { RunStore } from "../domain/ports/run-store.ts";
import type { AnalysisStore, TextStore } from "../domain/ports/sources.ts";
import type { WorkerPool } from "../domain/ports/workers.ts";
import { DossierError } from "../errors.ts";
import { parseJson } from "../util/json-fields.ts";
import { ifUndamaged, prepareColumn } from "./damage.ts";
import { openDatabase } from "./database.ts";
import { type DescribedDocument, describeDocument } from "./describe-document.ts";
import { EventTail } from "./event-tail.ts";
import { LogCheckpoints } from "./log-checkpoints.ts";
import { createRunStore } from "./run-store.ts";
import { SegmentSaver } from "./segment-saver.ts";
import { SqliteThreadMaterial } from "./thread-material.ts";
import { WaitMarks } from "./wait-marks.ts";
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
  copyLogIn(workers: WorkerPool): { close(): void };
  close(): void;
}

export async function openStorage(dataDir: string, onRefusal: OnRefusal = () => undefined): Promise<Storage> {
  const { raw, mode, close } = openDatabase(dataDir);
  const refusals = new WriteRefusals(() => runs.tryWrite(), onRefusal);
  let checkpointing: LogCheckpoints | null = null;
  const verify = mode === "copy" ? () => undefined : verifyPlace(join(dataDir, "dossier.sqlite"));
  const tail = new EventTail();
  const queue = new WriteQueue(raw, {
    ...{ explain: (error) => refusals.note(error), verify },
    ...{ onCommit: () => checkpointing?.wrote(), onRollback: () => tail.clear() },
  });
  const checkpoints = new SegmentSaver(raw, queue);
  const emptyLog = (): void => {
    if (checkpointing === null) raw.pragma("wal_checkpoint(TRUNCATE)");
    else checkpointing.empty();
  };
  const marks = new WaitMarks(mode === "copy" ? null : dataDir);
  const threads = new SqliteThreadMaterial(raw, queue);
  const runs = createRunStore({ database: raw, queue, checkpoints, marks, threads, tail, dataDir, emptyLog });
  const documents = new SqliteDocumentStore(raw, queue);
  const analyses = openAnalyses(raw, queue);
  if (mode === "copy") raw.pragma("query_only = ON");
  // Notes the refusal, so that it is logged and the service is not ready.
  await runs.tryWrite().catch(() => undefined);
  return {
    ...{ runs, documents, analyses, threads, checkpoints, isLimited: mode !== "normal" },
    async check() {
      raw.prepare("select 1").get();
      if (runs.damage !== null) throw runs.damage;
      try {
        verify();
      } catch (error) {
        throw refusals.note(error);
      }
      if (queue.lockedMs >= CLIENT_BUSY_MS) throw refusals.note(new Database.SqliteError("database is locked", "SQLITE_BUSY"));
      await refusals.check();
    },
    copyLogIn(workers) {
      // With a full disk, only this connection can use the database.
      if (mode === "normal") checkpointing = new LogCheckpoints({ database: raw, workers });
      return { close: () => checkpointing?.close() };
    },
    close() {
      refusals.close();
      marks.close();
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

const ANALYSES_AT_ONCE = 2;
/** In UTF-16 code units. */
const MAX_CACHED_LENGTH = 16_000_000;
/** Hashing and writing a text of this length takes about a millisecond. */
const LONG_TEXT = 100_000;

class SqliteDocumentStore implements TextStore {
  readonly #queue: WriteQueue;
  readonly #statements: ReturnType<typeof prepareDocuments>;
  readonly #described = new WeakMap<ExtractedDocument, DescribedDocument>();
  /** By the key of the details, which runs that read the same page share. */
  readonly #known = new LRUCache<string, StoredDocument>({ maxSize: MAX_CACHED_LENGTH });
  #longTexts: Promise<unknown> = Promise.resolve();

  constructor(database: Database.Database, queue: WriteQueue) {
    this.#queue = queue;
    this.#statements = prepareDocuments(database);
  }

  async put(runId: string, document: ExtractedDocument): Promise<StoredDocument> {
    if (document.text.length >= LONG_TEXT) await this.#turnOfLongText();
    const described = this.#described.get(document) ?? describeDocument(document);
    this.#described.set(document, described);
    const { contentHash, key, details } = described;
    const { useKnown, insertText, insertDetails, use } = this.#statements;
    const isFirstUse = await this.#queue.run(() => {
      if (useKnown.run(runId, key).changes > 0) return true;
      insertText.run(contentHash, document.text);
      insertDetails.run(key, contentHash, details);
      return use.run(runId, contentHash, key).changes > 0;
    });
    // If the run has read this text with other details, those stay.
    return isFirstUse ? this.#keep({ contentHash, key, details }, document.text.toWellFormed()) : this.get(runId, contentHash);
  }

  /** Long texts that arrive together are hashed and written one per turn of the event loop. */
  #turnOfLongText(): Promise<unknown> {
    this.#longTexts = this.#longTexts.then(() => nextTurn());
    return this.#longTexts;
  }

  async get(runId: string, contentHash: string): Promise<StoredDocument> {
    const key = this.#statements.key.get(runId, contentHash);
    if (key === undefined) throw new DossierError("not_found", `The run ${runId} uses no document ${contentHash}.`);
    const known = this.#known.get(`${contentHash} ${key}`);
    if (known !== undefined) return known;
    // Rows of earlier versions contain the details themselves.
    const details = key.startsWith("{") ? key : this.#statements.details.get(key);
    const text = this.#statements.text.get(contentHash);
    // SQLite does not notice a page of a long text that is overwritten.
    if (details !== undefined && parseJson(details) !== undefined && text !== undefined && contentHashOf(text) === contentHash)
      return this.#keep({ contentHash, key, details }, text);
    const what = `A part of the database is damaged: the document ${contentHash} is not as it was stored`;
    throw new DossierError("storage_damaged", `${what}. The rest can be used. Restore a backup.`);
  }

  /** `text` is the text as SQLite stores it, in UTF-8. */
  #keep({ contentHash, key, details }: DescribedDocument, text: string): StoredDocument {
    const known = this.#known.get(`${contentHash} ${key}`);
    if (known !== undefined) return known;
    const document: StoredDocument = { ...JSON.parse(details), text, contentHash };
    this.#known.set(`${contentHash} ${key}`, document, { size: text.length + details.length });
    return document;
  }
}

function prepareDocuments(database: Database.Database) {
  const text = (sql: string) => prepareColumn<string>(database, sql);
  return {
    useKnown: database.prepare(
      "insert or ignore into run_documents (run_id, content_hash, details) select ?, content_hash, key from document_details where key = ?",
    ),
    insertText: database.prepare("insert or ignore into documents (content_hash, text) values (?, ?)"),
    insertDetails: database.prepare("insert or ignore into document_details (key, content_hash, details) values (?, ?, ?)"),
    use: database.prepare("insert or ignore into run_documents (run_id, content_hash, details) values (?, ?, ?)"),
    key: text("select details from run_documents where run_id = ? and content_hash = ?"),
    details: text("select details from document_details where key = ?"),
    text: text("select text from documents where content_hash = ?"),
  };
}

function openAnalyses(database: Database.Database, queue: WriteQueue): AnalysisStore {
  const select = database.prepare("select data from analyses where key = ?").pluck();
  // A run that needs the text may have been deleted meanwhile.
  const insert = database.prepare(`insert or ignore into analyses (key, content_hash, data, version)
    select ?, content_hash, ?, ? from documents where content_hash = ?`);
  const deleteOlder = database.prepare("delete from analyses where rowid in (select rowid from analyses where version < ? limit ?)");
  return {
    get: (key) => (ifUndamaged(() => select.get(key), undefined) as Buffer | undefined) ?? null,
    async put(contentHash, key, data, version) {
      await queue.run(() => void insert.run(key, data, version, contentHash));
    },
    async deleteOlder(version, signal) {
      for (let deleted = 1; deleted > 0 && !signal.aborted; )
        deleted = await queue.run(() => deleteOlder.run(version, ANALYSES_AT_ONCE).changes);
    },
  };
}

export function createMemoryDocumentStore(documents: readonly StoredDocument[]): TextStore {
  const byHash = new Map(documents.map((document) => [document.contentHash, document]));
  return {
    async put() {
      throw new DossierError("internal", "A replay stores no documents.");
    },
    async get(_, contentHash) {
      const document = byHash.get(contentHash);
      if (document === undefined) throw new DossierError("not_found", `The recording holds no document ${contentHash}.`);
      return document;
    },
  };
}
