import { setImmediate as nextTurn } from "node:timers/promises";
import type Database from "better-sqlite3";
import { LRUCache } from "lru-cache";
import { contentHashOf, type ExtractedDocument, type StoredDocument } from "../domain/document.ts";
import type { AnalysisStore, TextStore } from "../domain/ports/sources.ts";
import { DossierError } from "../errors.ts";
import { parseJson } from "../util/json-fields.ts";
import { damaged } from "./damage.ts";
import type { WriteQueue } from "./write-queue.ts";

/** `details` is a document without its text, as JSON. Equal documents have equal keys. */
interface DescribedDocument {
  readonly contentHash: string;
  readonly key: string;
  readonly details: string;
}

export function describeDocument({ text, ...rest }: ExtractedDocument): DescribedDocument {
  const contentHash = contentHashOf(text);
  const details = JSON.stringify(rest);
  return { contentHash, key: contentHashOf(`${contentHash} ${details}`), details };
}

/** Returns a function that stores a document, unless it is stored. Call it in a transaction that also stores what refers to the document. */
export function prepareInsert(database: Database.Database): (described: DescribedDocument, text: string) => void {
  const insertText = database.prepare("insert or ignore into documents (content_hash, text) values (?, ?)");
  const insertDetails = database.prepare("insert or ignore into document_details (key, content_hash, details) values (?, ?, ?)");
  return ({ contentHash, key, details }, text) => {
    insertText.run(contentHash, text);
    insertDetails.run(key, contentHash, details);
  };
}

/** In UTF-16 code units. */
const MAX_CACHED_LENGTH = 16_000_000;
/** Hashing and writing a text of this length takes about a millisecond. */
const LONG_TEXT = 100_000;

export function createDocumentStore(database: Database.Database, queue: WriteQueue): TextStore {
  const insert = prepareInsert(database);
  const useKnown = database.prepare(
    "insert or ignore into run_documents (run_id, content_hash, details) select ?, content_hash, key from document_details where key = ?",
  );
  const use = database.prepare("insert or ignore into run_documents (run_id, content_hash, details) values (?, ?, ?)");
  const used = queue.rows<{ details: string }>("select details from run_documents where run_id = ? and content_hash = ?");
  const detailsOf = queue.rows<{ details: string }>("select details from document_details where key = ?");
  const textOf = queue.rows<{ text: string }>("select text from documents where content_hash = ?");
  const described = new WeakMap<ExtractedDocument, DescribedDocument>();
  /** By the key of the details, which runs that read the same page share. */
  const known = new LRUCache<string, StoredDocument>({ maxSize: MAX_CACHED_LENGTH });
  let longTexts: Promise<unknown> = Promise.resolve();

  /** `text` is the text as SQLite stores it, in UTF-8. */
  function keep({ contentHash, key, details }: DescribedDocument, text: string): StoredDocument {
    const same = known.get(`${contentHash} ${key}`);
    if (same !== undefined) return same;
    const document: StoredDocument = { ...JSON.parse(details), text, contentHash };
    known.set(`${contentHash} ${key}`, document, { size: text.length + details.length });
    return document;
  }

  async function get(runId: string, contentHash: string): Promise<StoredDocument> {
    const key = used.get(runId, contentHash)?.details;
    if (key === undefined) throw new DossierError("not_found", `The run ${runId} uses no document ${contentHash}.`);
    const same = known.get(`${contentHash} ${key}`);
    if (same !== undefined) return same;
    // Rows of earlier versions contain the details themselves.
    const details = key.startsWith("{") ? key : detailsOf.get(key)?.details;
    const text = textOf.get(contentHash)?.text;
    // SQLite does not notice a page of a long text that is overwritten.
    if (details !== undefined && parseJson(details) !== undefined && text !== undefined && contentHashOf(text) === contentHash)
      return keep({ contentHash, key, details }, text);
    throw queue.explain(damaged(`the document ${contentHash} is not as it was stored`));
  }

  return {
    get,
    async put(runId, document) {
      if (document.text.length >= LONG_TEXT) {
        // Long texts that arrive together are hashed and written one per turn of the event loop.
        longTexts = longTexts.then(() => nextTurn());
        await longTexts;
      }
      const row = described.get(document) ?? describeDocument(document);
      described.set(document, row);
      const isFirstUse = await queue.run(() => {
        if (useKnown.run(runId, row.key).changes > 0) return true;
        insert(row, document.text);
        return use.run(runId, row.contentHash, row.key).changes > 0;
      });
      // If the run has read this text with other details, those stay.
      return isFirstUse ? keep(row, document.text.toWellFormed()) : get(runId, row.contentHash);
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

const ANALYSES_AT_ONCE = 2;

export function createAnalysisStore(database: Database.Database, queue: WriteQueue): AnalysisStore {
  const select = queue.rows<{ data: Buffer }>("select data from analyses where key = ?");
  // A run that needs the text may have been deleted meanwhile.
  const insert = database.prepare(`insert or ignore into analyses (key, content_hash, data, version)
    select ?, content_hash, ?, ? from documents where content_hash = ?`);
  const deleteOlder = database.prepare("delete from analyses where rowid in (select rowid from analyses where version < ? limit ?)");
  return {
    get: (key) => select.get(key)?.data ?? null,
    async put(contentHash, key, data, version) {
      await queue.run(() => void insert.run(key, data, version, contentHash));
    },
    async deleteOlder(version, signal) {
      for (let deleted = 1; deleted > 0 && !signal.aborted; )
        deleted = await queue.run(() => deleteOlder.run(version, ANALYSES_AT_ONCE).changes);
    },
  };
}
