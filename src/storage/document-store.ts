import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import { contentHashOf, type ExtractedDocument, type StoredDocument } from "../domain/document.ts";
import type { AnalysisStore, TextStore } from "../domain/ports/sources.ts";
import { DossierError } from "../errors.ts";
import { change, type Database, firstRow, storable, type Transaction } from "./database.ts";

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

/** Stores a document, unless it is stored, in a transaction that also stores what refers to it. */
export async function insertDocument(tx: Transaction, { contentHash, key, details }: DescribedDocument, text: string): Promise<void> {
  await change(tx, sql`insert into documents (content_hash, text) values (${contentHash}, ${text}) on conflict (content_hash) do nothing`);
  await change(
    tx,
    sql`insert into document_details (key, content_hash, details) values (${key}, ${contentHash}, ${details}) on conflict (key) do nothing`,
  );
}

/** In UTF-16 code units. */
const MAX_CACHED_LENGTH = 16_000_000;
/** Hashing and writing a text of this length takes about a millisecond. */
const LONG_TEXT = 100_000;

export function createDocumentStore(database: Database): TextStore {
  /** By the key of the details, which runs that read the same page share. */
  const known = new LRUCache<string, StoredDocument>({ maxSize: MAX_CACHED_LENGTH });
  let longTexts: Promise<unknown> = Promise.resolve();

  /** `text` is the text as it is stored. */
  function keep({ contentHash, key, details }: DescribedDocument, text: string): StoredDocument {
    const same = known.get(`${contentHash} ${key}`);
    if (same !== undefined) return same;
    const document: StoredDocument = { ...JSON.parse(details), text, contentHash };
    known.set(`${contentHash} ${key}`, document, { size: text.length + details.length });
    return document;
  }

  async function get(runId: string, contentHash: string): Promise<StoredDocument> {
    const used = sql<{ key: string }>`select details as key from run_documents where run_id = ${runId} and content_hash = ${contentHash}`;
    const key = (await firstRow(database, used))?.key;
    if (key === undefined) throw new DossierError("not_found", `The run ${runId} uses no document ${contentHash}.`);
    const same = known.get(`${contentHash} ${key}`);
    if (same !== undefined) return same;
    const row = await firstRow(
      database,
      sql<{ text: string; details: string }>`select text, details from document_details
        join documents on documents.content_hash = document_details.content_hash where key = ${key}`,
    );
    // SQLite does not notice a page of a long text that is overwritten.
    if (row !== undefined && contentHashOf(row.text) === contentHash) return keep({ contentHash, key, details: row.details }, row.text);
    throw database.damaged(`the document ${contentHash} is not as it was stored`);
  }

  return {
    get,
    async put(runId, document) {
      if (document.text.length >= LONG_TEXT) {
        // Long texts that arrive together are hashed and written one per turn of the event loop.
        longTexts = longTexts.then(() => nextTurn());
        await longTexts;
      }
      const text = storable(document.text);
      const row = describeDocument({ ...document, text });
      const { contentHash, key } = row;
      const isFirstUse = await database.write(async (tx) => {
        const use = sql`insert into run_documents (run_id, content_hash, details)
          select ${runId}, content_hash, key from document_details where key = ${key} on conflict (run_id, content_hash) do nothing`;
        if ((await change(tx, use)) > 0) return true;
        await insertDocument(tx, row, text);
        return (await change(tx, use)) > 0;
      });
      // If the run has read this text with other details, those stay.
      return isFirstUse ? keep(row, text) : get(runId, contentHash);
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

export function createAnalysisStore(database: Database): AnalysisStore {
  return {
    async get(key) {
      return (await firstRow(database, sql<{ data: Buffer }>`select data from analyses where key = ${key}`))?.data ?? null;
    },
    async put(contentHash, key, data, version) {
      // A run that needs the text may have been deleted meanwhile.
      const statement = sql`insert into analyses (key, content_hash, data, version)
        select ${key}, content_hash, ${Buffer.from(data.buffer, data.byteOffset, data.byteLength)}, cast(${version} as bigint)
        from documents where content_hash = ${contentHash} on conflict (key) do nothing`;
      await database.write((tx) => change(tx, statement));
    },
    async deleteOlder(version, signal) {
      const statement = sql`delete from analyses where position in
        (select position from analyses where version < ${version} limit ${ANALYSES_AT_ONCE})`;
      for (let deleted = 1; deleted > 0 && !signal.aborted; ) deleted = await database.write((tx) => change(tx, statement));
    },
  };
}
