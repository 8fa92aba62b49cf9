import { setImmediate as nextTurn } from "node:timers/promises";
import type Database from "better-sqlite3";
import type { StoredDocument } from "../domain/document.ts";
import { sourceIdOf } from "../domain/hit.ts";
import type { NewThreadDocument, ThreadDocument, ThreadMaterial, ThreadMaterialStore, ThreadPlace } from "../domain/ports/material.ts";
import type { OriginalFile } from "../domain/ports/originals.ts";
import { prepareRows } from "./damage.ts";
import { describeDocument, prepareInsert } from "./document-store.ts";
import type { WriteQueue } from "./write-queue.ts";

interface DocumentRow {
  readonly content_hash: string;
  readonly name: string;
  readonly bytes: number;
  readonly characters: number;
  readonly details: string;
  readonly added_at: number;
}

/** Of a file. */
const PART_BYTES = 1_000_000;
/** Freeing a part, or an analysis, takes about as long as writing it. */
const FREED_AT_ONCE = 2;
/** Of one text. */
const MAX_OTHER_NAMES = 20;

/** Keeps the documents and addresses that users give to threads. Their texts are those of the document store. */
export class SqliteThreadMaterial implements ThreadMaterialStore {
  readonly #queue: WriteQueue;
  readonly #sql: ReturnType<typeof prepareMaterial>;
  /** An earlier process may have left some. */
  #mayHaveOrphans = true;

  constructor(database: Database.Database, queue: WriteQueue) {
    this.#queue = queue;
    this.#sql = prepareMaterial(database);
  }

  list({ tenant, threadId }: ThreadPlace): ThreadMaterial {
    const urls = this.#sql.urls
      .all(tenant, threadId)
      .map(({ url, added_at }) => ({ sourceId: sourceIdOf(url), url, addedAt: instant(added_at) }));
    const rows = this.#sql.documents.all(tenant, threadId);
    if (rows.length === 0) return { documents: [], urls };
    const names = Map.groupBy(this.#sql.otherNames.all(tenant, threadId), (row) => row.content_hash);
    const otherNamesOf = (hash: string): string[] => (names.get(hash) ?? []).map(({ name }) => name);
    return { documents: rows.map((row) => ({ ...toThreadDocument(row), otherNames: otherNamesOf(row.content_hash) })), urls };
  }

  async addDocument(place: ThreadPlace, { name, bytes, document, original }: NewThreadDocument, at: number): Promise<string | null> {
    const { tenant, threadId } = place;
    // Hashing and writing a long text takes milliseconds.
    await nextTurn();
    const described = describeDocument(document);
    const { contentHash, key } = described;
    const { insertText, insertDocument, insertName } = this.#sql;
    const added = await this.#queue.run(() => {
      insertText(described, document.text);
      if (insertDocument.run(tenant, threadId, contentHash, key, name, bytes, document.text.length, at).changes > 0) return contentHash;
      const known = [tenant, threadId, contentHash];
      insertName.run(...known, name, ...known, name, ...known, MAX_OTHER_NAMES);
      return null;
    });
    // An earlier request may have failed before the whole file was kept.
    const isWhole = added === null && (this.#sql.missesOriginal.get(tenant, threadId, contentHash, bytes)?.misses ?? 0) === 0;
    if (isWhole) return added;
    await this.#addOriginal(place, contentHash, original).catch(async (error: unknown) => {
      // If the database refuses this too, the next request with the file completes it.
      if (added !== null) await this.deleteDocument(place, added).catch(() => undefined);
      throw error;
    });
    return added;
  }

  /** Until the last part is there, the thread has the text but no file. */
  async #addOriginal(place: ThreadPlace, contentHash: string, { bytes, mediaType }: NewThreadDocument["original"]): Promise<void> {
    for (let start = 0; start < bytes.byteLength; start += PART_BYTES) {
      const part = bytes.subarray(start, start + PART_BYTES);
      await this.#queue.run(() => {
        this.#sql.insertOriginal.run(start / PART_BYTES, mediaType, part, place.tenant, place.threadId, contentHash);
      });
    }
  }

  original({ tenant, threadId }: ThreadPlace, contentHash: string): OriginalFile | null {
    const [file] = this.#sql.originalOf.all(tenant, threadId, contentHash);
    if (file === undefined) return null;
    const parts = this.#sql.originalParts.all(tenant, threadId, contentHash, Math.ceil(file.bytes / PART_BYTES));
    const bytes = Buffer.concat(parts.map(({ body }) => body));
    return bytes.byteLength === file.bytes ? { bytes, mediaType: file.media_type, name: file.name } : null;
  }

  async addUrls({ tenant, threadId }: ThreadPlace, urls: readonly string[], at: number): Promise<void> {
    await this.#queue.run(() => {
      for (const url of urls) this.#sql.insertUrl.run(tenant, threadId, sourceIdOf(url), url, at);
    });
  }

  document({ tenant, threadId }: ThreadPlace, contentHash: string): StoredDocument | null {
    const row = this.#sql.document.get(tenant, threadId, contentHash);
    return row === undefined ? null : { ...JSON.parse(row.details), text: row.text, contentHash };
  }

  deleteDocument({ tenant, threadId }: ThreadPlace, contentHash: string): Promise<boolean> {
    return this.#queue.run(() => {
      const deleted = this.#sql.deleteDocument.run(tenant, threadId, contentHash).changes > 0;
      if (deleted) this.#free(contentHash);
      this.#mayHaveOrphans ||= deleted;
      return deleted;
    });
  }

  deleteUrl({ tenant, threadId }: ThreadPlace, sourceId: string): Promise<boolean> {
    return this.#queue.run(() => this.#sql.deleteUrl.run(tenant, threadId, sourceId).changes > 0);
  }

  placeOf(runId: string): ThreadPlace | null {
    const row = this.#sql.place.get(runId);
    return row === undefined ? null : { tenant: row.tenant, threadId: row.thread_id };
  }

  deleteUnused(before: number, limit: number): Promise<number> {
    return this.#queue.run(() => {
      const unused = this.#sql.unused.all(before, before, limit);
      for (const { tenant, thread_id: threadId } of unused) this.deleteThread({ tenant, threadId });
      return unused.length;
    });
  }

  unusedBytes(): number {
    return this.#sql.unusedBytes.get()?.bytes ?? 0;
  }

  /** Call it inside of a transaction. */
  deleteThread({ tenant, threadId }: ThreadPlace): void {
    for (const { content_hash: contentHash } of this.#sql.documents.all(tenant, threadId)) {
      this.#sql.deleteDocument.run(tenant, threadId, contentHash);
      this.#free(contentHash);
    }
    this.#sql.deleteUrls.run(tenant, threadId);
    this.#mayHaveOrphans = true;
  }

  async freeOriginals(signal: AbortSignal): Promise<void> {
    while (this.#mayHaveOrphans && !signal.aborted)
      await this.#queue.run(() => {
        this.#mayHaveOrphans = this.#sql.freeOriginals.run(FREED_AT_ONCE).changes > 0;
      });
  }

  #free(contentHash: string): void {
    this.#sql.freeText.run(contentHash);
    this.#sql.freeDetails.run(contentHash);
  }
}

function toThreadDocument({ content_hash: contentHash, ...row }: DocumentRow): Omit<ThreadDocument, "otherNames"> {
  const { name, bytes, characters } = row;
  const { title, url, language, publishedAt, incomplete = null } = JSON.parse(row.details);
  const known = { contentHash, sourceId: sourceIdOf(url), name, title, language, publishedAt };
  return { ...known, characters, bytes, incomplete, addedAt: instant(row.added_at) };
}

function instant(ms: number): string {
  return new Date(ms).toISOString();
}

const UNUSED = "not exists (select 1 from runs where runs.tenant = given.tenant and runs.thread_id = given.thread_id)";

const SAME_DOCUMENT = "kept.tenant = given.tenant and kept.thread_id = given.thread_id and kept.content_hash = given.content_hash";

function prepareMaterial(database: Database.Database) {
  const rows = <Row>(text: string) => prepareRows<Row>(database, text);
  return {
    documents:
      rows<DocumentRow>(`select thread_documents.content_hash, name, bytes, characters, document_details.details, added_at from thread_documents
      join document_details on document_details.key = thread_documents.details where tenant = ? and thread_id = ? order by added_at, thread_documents.rowid`),
    urls: rows<{ url: string; added_at: number }>(
      "select url, added_at from thread_urls where tenant = ? and thread_id = ? order by added_at, rowid",
    ),
    document: rows<{ text: string; details: string }>(`select text, document_details.details from thread_documents
      join documents on documents.content_hash = thread_documents.content_hash join document_details on document_details.key = thread_documents.details
      where tenant = ? and thread_id = ? and thread_documents.content_hash = ?`),
    place: rows<{ tenant: string; thread_id: string }>("select tenant, thread_id from runs where id = ?"),
    unused: rows<{ tenant: string; thread_id: string }>(`select tenant, thread_id from
      (select tenant, thread_id, added_at from thread_documents where added_at < ? union all
       select tenant, thread_id, added_at from thread_urls where added_at < ?) given
      where ${UNUSED} group by tenant, thread_id order by min(added_at) limit ?`),
    unusedBytes: rows<{ bytes: number }>(`select
      (select coalesce(sum(octet_length(text)), 0) from documents where content_hash in (select content_hash from thread_documents given where ${UNUSED})) +
      (select coalesce(sum(octet_length(body)), 0) from thread_originals given where ${UNUSED}
        and exists (select 1 from thread_documents kept where ${SAME_DOCUMENT})) as bytes`),
    originalOf: rows<{ name: string; bytes: number; media_type: string }>(`select name, bytes, media_type from thread_documents
      join thread_originals using (tenant, thread_id, content_hash) where tenant = ? and thread_id = ? and content_hash = ? and part = 0`),
    originalParts: rows<{ body: Buffer }>(
      "select body from thread_originals where tenant = ? and thread_id = ? and content_hash = ? and part < ? order by part",
    ),
    /** Whether a document of this file has no whole original. Its parts may be longer: they may be left from an earlier file. */
    missesOriginal: rows<{ misses: number }>(`select (select coalesce(sum(octet_length(body)), 0) from thread_originals given
      where ${SAME_DOCUMENT}) < bytes as misses from thread_documents kept where tenant = ? and thread_id = ? and content_hash = ? and bytes = ?`),
    freeOriginals: database.prepare(`delete from thread_originals where rowid in (select rowid from thread_originals given
      where not exists (select 1 from thread_documents kept where ${SAME_DOCUMENT}) limit ?)`),
    // Only for a document that is still in the thread.
    insertOriginal: database.prepare(`insert or replace into thread_originals (part, media_type, body, tenant, thread_id, content_hash)
      select ?, ?, ?, tenant, thread_id, content_hash from thread_documents where tenant = ? and thread_id = ? and content_hash = ?`),
    insertText: prepareInsert(database),
    insertDocument:
      database.prepare(`insert or ignore into thread_documents (tenant, thread_id, content_hash, details, name, bytes, characters, added_at)
      values (?, ?, ?, ?, ?, ?, ?, ?)`),
    otherNames: rows<{ content_hash: string; name: string }>(
      "select content_hash, name from thread_document_names where tenant = ? and thread_id = ? order by content_hash, name",
    ),
    // The name under which the text is kept is no other name of it.
    insertName: database.prepare(`insert or ignore into thread_document_names (tenant, thread_id, content_hash, name) select ?, ?, ?, ?
      where not exists (select 1 from thread_documents where tenant = ? and thread_id = ? and content_hash = ? and name = ?)
      and (select count(*) from thread_document_names where tenant = ? and thread_id = ? and content_hash = ?) < ?`),
    insertUrl: database.prepare("insert or ignore into thread_urls (tenant, thread_id, source_id, url, added_at) values (?, ?, ?, ?, ?)"),
    deleteDocument: database.prepare("delete from thread_documents where tenant = ? and thread_id = ? and content_hash = ?"),
    deleteUrl: database.prepare("delete from thread_urls where tenant = ? and thread_id = ? and source_id = ?"),
    deleteUrls: database.prepare("delete from thread_urls where tenant = ? and thread_id = ?"),
    freeText: database.prepare(`delete from documents where content_hash = ?
      and not exists (select 1 from run_documents used where used.content_hash = documents.content_hash)
      and not exists (select 1 from thread_documents used where used.content_hash = documents.content_hash)`),
    freeDetails: database.prepare(`delete from document_details where content_hash = ?
      and not exists (select 1 from run_documents used where used.details = document_details.key)
      and not exists (select 1 from thread_documents used where used.details = document_details.key)`),
  };
}
