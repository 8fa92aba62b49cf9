import { setImmediate as nextTurn } from "node:timers/promises";
import type Database from "better-sqlite3";
import { sourceIdOf } from "../domain/hit.ts";
import type { NewThreadDocument, ThreadDocument, ThreadMaterialStore, ThreadPlace } from "../domain/ports/material.ts";
import { describeDocument, prepareInsert } from "./document-store.ts";
import type { Rows, WriteQueue } from "./write-queue.ts";

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

export interface SqliteThreadMaterial extends ThreadMaterialStore {
  /** Call it inside of a transaction. */
  deleteThread(place: ThreadPlace): void;
}

/** Keeps the documents and addresses that users give to threads. Their texts are those of the document store. */
export function createThreadMaterialStore(database: Database.Database, queue: WriteQueue): SqliteThreadMaterial {
  const sql = prepareMaterial(database, queue);
  /** An earlier process may have left some. */
  let mayHaveOrphans = true;

  /** Until the last part is there, the thread has the text but no file. */
  async function addOriginal(
    place: ThreadPlace,
    contentHash: string,
    { bytes, mediaType, sha256 }: NewThreadDocument["original"],
  ): Promise<void> {
    // An earlier file of the same text and size, which was not kept as a whole, may have had other bytes.
    await queue.run(() => void sql.hashOriginal.run(sha256, place.tenant, place.threadId, contentHash));
    for (let start = 0; start < bytes.byteLength; start += PART_BYTES) {
      const part = bytes.subarray(start, start + PART_BYTES);
      await queue.run(() => {
        sql.insertOriginal.run(start / PART_BYTES, mediaType, part, place.tenant, place.threadId, contentHash);
      });
    }
  }

  function free(contentHash: string): void {
    sql.freeText.run(contentHash);
    sql.freeDetails.run(contentHash);
  }

  function deleteDocument({ tenant, threadId }: ThreadPlace, contentHash: string): Promise<boolean> {
    return queue.run(() => {
      const deleted = sql.deleteDocument.run(tenant, threadId, contentHash).changes > 0;
      if (deleted) free(contentHash);
      mayHaveOrphans ||= deleted;
      return deleted;
    });
  }

  function deleteThread({ tenant, threadId }: ThreadPlace): void {
    for (const { content_hash: contentHash } of sql.documents.all(tenant, threadId)) {
      sql.deleteDocument.run(tenant, threadId, contentHash);
      free(contentHash);
    }
    sql.deleteUrls.run(tenant, threadId);
    mayHaveOrphans = true;
  }

  return {
    deleteDocument,
    deleteThread,
    list({ tenant, threadId }) {
      const urls = sql.urls
        .all(tenant, threadId)
        .map(({ url, added_at }) => ({ sourceId: sourceIdOf(url), url, addedAt: instant(added_at) }));
      const rows = sql.documents.all(tenant, threadId);
      if (rows.length === 0) return { documents: [], urls };
      const names = Map.groupBy(sql.otherNames.all(tenant, threadId), (row) => row.content_hash);
      const otherNamesOf = (hash: string): string[] => (names.get(hash) ?? []).map(({ name }) => name);
      return { documents: rows.map((row) => ({ ...toThreadDocument(row), otherNames: otherNamesOf(row.content_hash) })), urls };
    },

    async addDocument(place, { name, bytes, document, original }, at) {
      const { tenant, threadId } = place;
      // Hashing and writing a long text takes milliseconds.
      await nextTurn();
      const described = describeDocument(document);
      const { contentHash, key } = described;
      const added = await queue.run(() => {
        sql.insertText(described, document.text);
        const values = [tenant, threadId, contentHash, key, name, bytes, document.text.length, at];
        if (sql.insertDocument.run(values).changes > 0) return contentHash;
        sql.insertName.run({ tenant, threadId, contentHash, name, most: MAX_OTHER_NAMES });
        return null;
      });
      // An earlier request may have failed before the whole file was kept.
      const isWhole = added === null && (sql.missesOriginal.get(tenant, threadId, contentHash, bytes)?.misses ?? 0) === 0;
      if (isWhole) return added;
      await addOriginal(place, contentHash, original).catch(async (error: unknown) => {
        // If the database refuses this too, the next request with the file completes it.
        if (added !== null) await deleteDocument(place, added).catch(() => undefined);
        throw error;
      });
      return added;
    },

    original({ tenant, threadId }, contentHash) {
      const [file] = sql.originalOf.all(tenant, threadId, contentHash);
      if (file === undefined) return null;
      const parts = sql.originalParts.all(tenant, threadId, contentHash, Math.ceil(file.bytes / PART_BYTES));
      const bytes = Buffer.concat(parts.map(({ body }) => body));
      return bytes.byteLength === file.bytes ? { bytes, mediaType: file.media_type, name: file.name, sha256: file.sha256 } : null;
    },

    async addUrls({ tenant, threadId }, urls, at) {
      await queue.run(() => {
        for (const url of urls) sql.insertUrl.run(tenant, threadId, sourceIdOf(url), url, at);
      });
    },

    document({ tenant, threadId }, contentHash) {
      const row = sql.document.get(tenant, threadId, contentHash);
      return row === undefined ? null : { ...JSON.parse(row.details), text: row.text, contentHash };
    },

    deleteUrl: ({ tenant, threadId }, sourceId) => queue.run(() => sql.deleteUrl.run(tenant, threadId, sourceId).changes > 0),

    placeOf(runId) {
      const row = sql.place.get(runId);
      return row === undefined ? null : { tenant: row.tenant, threadId: row.thread_id };
    },

    deleteUnused(before, limit) {
      return queue.run(() => {
        const unused = sql.unused.all(before, before, limit);
        for (const { tenant, thread_id: threadId } of unused) deleteThread({ tenant, threadId });
        return unused.length;
      });
    },

    unusedBytes: () => sql.unusedBytes.get()?.bytes ?? 0,

    async freeOriginals(signal) {
      while (mayHaveOrphans && !signal.aborted)
        await queue.run(() => {
          mayHaveOrphans = sql.freeOriginals.run(FREED_AT_ONCE).changes > 0;
        });
    },
  };
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

function prepareMaterial(database: Database.Database, queue: WriteQueue) {
  const rows = <Row>(text: string): Rows<Row> => queue.rows(text);
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
    originalOf: rows<{
      name: string;
      bytes: number;
      media_type: string;
      sha256: string;
    }>(`select name, bytes, media_type, sha256 from thread_documents
      join thread_originals using (tenant, thread_id, content_hash) where tenant = ? and thread_id = ? and content_hash = ? and part = 0`),
    originalParts: rows<{ body: Buffer }>(
      "select body from thread_originals where tenant = ? and thread_id = ? and content_hash = ? and part < ? order by part",
    ),
    /** Whether a document of this file has no whole original. Its parts may be longer: they may be left from an earlier file. */
    missesOriginal: rows<{ misses: number }>(`select (select coalesce(sum(octet_length(body)), 0) from thread_originals given
      where ${SAME_DOCUMENT}) < bytes as misses from thread_documents kept where tenant = ? and thread_id = ? and content_hash = ? and bytes = ?`),
    freeOriginals: database.prepare(`delete from thread_originals where rowid in (select rowid from thread_originals given
      where not exists (select 1 from thread_documents kept where ${SAME_DOCUMENT}) limit ?)`),
    hashOriginal: database.prepare("update thread_documents set sha256 = ? where tenant = ? and thread_id = ? and content_hash = ?"),
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
    insertName: database.prepare(`insert or ignore into thread_document_names (tenant, thread_id, content_hash, name)
      select @tenant, @threadId, @contentHash, @name where not exists (select 1 from thread_documents
        where tenant = @tenant and thread_id = @threadId and content_hash = @contentHash and name = @name)
      and (select count(*) from thread_document_names
        where tenant = @tenant and thread_id = @threadId and content_hash = @contentHash) < @most`),
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
