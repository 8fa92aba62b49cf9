import { setImmediate as nextTurn } from "node:timers/promises";
import { type RawBuilder, sql } from "kysely";
import { sourceIdOf } from "../domain/hit.ts";
import type { NewThreadDocument, ThreadDocument, ThreadMaterialStore, ThreadPlace } from "../domain/ports/material.ts";
import { allRows, change, type Database, firstRow, storable, type Transaction } from "./database.ts";
import { describeDocument, insertDocument } from "./document-store.ts";
import { ofTenants, ownThread } from "./thread-owners.ts";

interface DocumentRow {
  readonly content_hash: string;
  readonly name: string;
  readonly bytes: number;
  readonly characters: number;
  readonly details: string;
  readonly added_at: number;
}

interface OriginalRow {
  readonly name: string;
  readonly bytes: number;
  readonly media_type: string;
  readonly sha256: string;
}

/** Of a file. */
const PART_BYTES = 1_000_000;
/** Freeing a part, or an analysis, takes about as long as writing it. */
const FREED_AT_ONCE = 2;
/** Of one text. */
const MAX_OTHER_NAMES = 20;

export interface ThreadTables extends ThreadMaterialStore {
  deleteThread(tx: Transaction, place: ThreadPlace): Promise<void>;
}

/** Keeps the documents and addresses that users give to threads. Their texts are those of the document store. */
export function createThreadMaterialStore(database: Database): ThreadTables {
  /** An earlier process may have left some. */
  let mayHaveOrphans = true;

  /** Until the last part is there, the thread has the text but no file. */
  async function addOriginal(place: ThreadPlace, contentHash: string, original: NewThreadDocument["original"]): Promise<void> {
    const { bytes, mediaType, sha256 } = original;
    const which = placed(place, contentHash);
    // An earlier file of the same text and size, which was not kept as a whole, may have had other bytes.
    await database.write((tx) => change(tx, sql`update thread_documents set sha256 = ${sha256} where ${which}`));
    for (let start = 0; start < bytes.byteLength; start += PART_BYTES) {
      const part = sql.join([
        sql`cast(${start / PART_BYTES} as bigint)`,
        mediaType,
        Buffer.from(bytes.subarray(start, start + PART_BYTES)),
      ]);
      // Only for a document that is still in the thread.
      const insert = sql`insert into thread_originals (tenant, thread_id, content_hash, part, media_type, body)
        select tenant, thread_id, content_hash, ${part} from thread_documents where ${which}
        on conflict (tenant, thread_id, content_hash, part) do update set media_type = excluded.media_type, body = excluded.body`;
      await database.write((tx) => change(tx, insert));
    }
  }

  /** Whether a document of this file has no whole original. Its parts may be longer: they may be left from an earlier file. */
  async function missesOriginal(place: ThreadPlace, contentHash: string, bytes: number): Promise<boolean> {
    const row = await firstRow(
      database,
      sql<{ kept: number }>`select (select coalesce(sum(octet_length(body)), 0) from thread_originals given where ${SAME_DOCUMENT}) as kept
        from thread_documents kept where ${placed(place, contentHash)} and bytes = ${bytes}`,
    );
    return row !== undefined && Number(row.kept) < bytes;
  }

  async function removeDocument(tx: Transaction, place: ThreadPlace, contentHash: string): Promise<boolean> {
    const deleted = await change(tx, sql`delete from thread_documents where ${placed(place, contentHash)}`);
    if (deleted === 0) return false;
    mayHaveOrphans = true;
    await change(
      tx,
      sql`delete from documents where content_hash = ${contentHash}
        and not exists (select 1 from run_documents used where used.content_hash = documents.content_hash)
        and not exists (select 1 from thread_documents used where used.content_hash = documents.content_hash)`,
    );
    await change(
      tx,
      sql`delete from document_details where content_hash = ${contentHash}
        and not exists (select 1 from run_documents used where used.details = document_details.key)
        and not exists (select 1 from thread_documents used where used.details = document_details.key)`,
    );
    return true;
  }

  async function deleteThread(tx: Transaction, place: ThreadPlace): Promise<void> {
    const kept = sql<DocumentRow>`select content_hash from thread_documents where ${inThread(place)}`;
    for (const { content_hash: contentHash } of await allRows(tx, kept)) await removeDocument(tx, place, contentHash);
    for (const table of ["thread_urls", "thread_owners"]) await change(tx, sql`delete from ${sql.table(table)} where ${inThread(place)}`);
  }

  const deleteDocument = (place: ThreadPlace, contentHash: string): Promise<boolean> =>
    database.write((tx) => removeDocument(tx, place, contentHash));

  async function keepText(place: ThreadPlace, { name, bytes, document }: NewThreadDocument, at: number) {
    const text = storable(document.text);
    const described = describeDocument({ ...document, text });
    const { contentHash, key } = described;
    const isNew = await database.write(async (tx) => {
      await ownThread(tx, place);
      await insertDocument(tx, described, text);
      const values = [place.tenant, place.threadId, contentHash, key, storable(name), bytes, text.length, at];
      const added = await change(
        tx,
        sql`insert into thread_documents (tenant, thread_id, content_hash, details, name, bytes, characters, added_at)
          values (${sql.join(values)}) on conflict (tenant, thread_id, content_hash) do nothing`,
      );
      if (added === 0) await addName(tx, place, contentHash, storable(name));
      return added > 0;
    });
    return { contentHash, isNew };
  }

  return {
    deleteDocument,
    deleteThread,

    async list(place) {
      const urls = await allRows(
        database,
        sql<{ url: string; added_at: number }>`select url, added_at from thread_urls where ${inThread(place)} order by added_at, position`,
      );
      const rows = await allRows(
        database,
        sql<DocumentRow>`select kept.content_hash, name, bytes, characters, document_details.details, added_at from thread_documents kept
          join document_details on document_details.key = kept.details where ${inThread(place)} order by added_at, kept.position`,
      );
      const names = await allRows(
        database,
        sql<Pick<DocumentRow, "content_hash" | "name">>`select content_hash, name from thread_document_names
          where ${inThread(place)} order by content_hash, name`,
      );
      const otherNamesOf = (hash: string): string[] => names.filter((one) => one.content_hash === hash).map(({ name }) => name);
      return {
        documents: rows.map((row) => ({ ...toThreadDocument(row), otherNames: otherNamesOf(row.content_hash) })),
        urls: urls.map(({ url, added_at }) => ({ sourceId: sourceIdOf(url), url, addedAt: instant(added_at) })),
      };
    },

    async addDocument(place, added, at) {
      // Hashing and writing a long text takes milliseconds.
      await nextTurn();
      const { contentHash, isNew } = await keepText(place, added, at);
      // An earlier request may have failed before the whole file was kept.
      if (!isNew && !(await missesOriginal(place, contentHash, added.bytes))) return null;
      await addOriginal(place, contentHash, added.original).catch(async (error: unknown) => {
        // If the database refuses this too, the next request with the file completes it.
        if (isNew) await deleteDocument(place, contentHash).catch(() => undefined);
        throw error;
      });
      return isNew ? contentHash : null;
    },

    async original(place, contentHash) {
      const file = await firstRow(
        database,
        sql<OriginalRow>`select name, bytes, media_type, sha256 from thread_documents kept
          join thread_originals given on ${SAME_DOCUMENT} and part = 0
          where kept.tenant = ${place.tenant} and kept.thread_id = ${place.threadId} and kept.content_hash = ${contentHash}`,
      );
      if (file === undefined) return null;
      const parts = await allRows(
        database,
        sql<{ body: Buffer }>`select body from thread_originals where ${placed(place, contentHash)}
          and part < ${Math.ceil(file.bytes / PART_BYTES)} order by part`,
      );
      const bytes = Buffer.concat(parts.map(({ body }) => body));
      return bytes.byteLength === file.bytes ? { bytes, mediaType: file.media_type, name: file.name, sha256: file.sha256 } : null;
    },

    async addUrls(place, urls, at) {
      const { tenant, threadId } = place;
      await database.write(async (tx) => {
        await ownThread(tx, place);
        for (const url of urls)
          await change(
            tx,
            sql`insert into thread_urls (tenant, thread_id, source_id, url, added_at)
              values (${sql.join([tenant, threadId, sourceIdOf(url), storable(url), at])}) on conflict (tenant, thread_id, source_id) do nothing`,
          );
      });
    },

    async document({ tenant, threadId }, contentHash) {
      const row = await firstRow(
        database,
        sql<{ text: string; details: string }>`select text, document_details.details from thread_documents kept
          join documents on documents.content_hash = kept.content_hash join document_details on document_details.key = kept.details
          where tenant = ${tenant} and thread_id = ${threadId} and kept.content_hash = ${contentHash}`,
      );
      return row === undefined ? null : { ...JSON.parse(row.details), text: row.text, contentHash };
    },

    async deleteUrl(place, sourceId) {
      const statement = sql`delete from thread_urls where ${inThread(place)} and source_id = ${sourceId}`;
      return (await database.write((tx) => change(tx, statement))) > 0;
    },

    async placeOf(runId) {
      const found = sql<{ tenant: string; thread_id: string }>`select tenant, thread_id from runs where id = ${runId}`;
      const row = await firstRow(database, found);
      return row === undefined ? null : { tenant: row.tenant, threadId: row.thread_id };
    },

    deleteUnused(before, limit, whose) {
      return database.write(async (tx) => {
        const unused = await allRows(
          tx,
          sql<{ tenant: string; thread_id: string }>`select tenant, thread_id from
            (select tenant, thread_id, added_at from thread_documents where added_at < ${before} union all
             select tenant, thread_id, added_at from thread_urls where added_at < ${before}) given
            where ${UNUSED} and ${ofTenants(whose)} group by tenant, thread_id order by min(added_at) limit ${limit}`,
        );
        for (const { tenant, thread_id: threadId } of unused) await deleteThread(tx, { tenant, threadId });
        return unused.length;
      });
    },

    async freeOriginals(signal) {
      const statement = sql`delete from thread_originals where position in (select position from thread_originals given
        where not exists (select 1 from thread_documents kept where ${SAME_DOCUMENT}) limit ${FREED_AT_ONCE})`;
      while (mayHaveOrphans && !signal.aborted) mayHaveOrphans = (await database.write((tx) => change(tx, statement))) > 0;
    },
  };
}

const inThread = ({ tenant, threadId }: ThreadPlace): RawBuilder<unknown> => sql`tenant = ${tenant} and thread_id = ${threadId}`;

const placed = (place: ThreadPlace, contentHash: string): RawBuilder<unknown> => sql`${inThread(place)} and content_hash = ${contentHash}`;

const UNUSED = sql`not exists (select 1 from runs where runs.tenant = given.tenant and runs.thread_id = given.thread_id)`;

const SAME_DOCUMENT = sql`kept.tenant = given.tenant and kept.thread_id = given.thread_id and kept.content_hash = given.content_hash`;

/** The name under which the text is kept is no other name of it. */
async function addName(tx: Transaction, { tenant, threadId }: ThreadPlace, contentHash: string, name: string): Promise<void> {
  const which = placed({ tenant, threadId }, contentHash);
  await change(
    tx,
    sql`insert into thread_document_names (tenant, thread_id, content_hash, name)
      select tenant, thread_id, content_hash, ${name} from thread_documents where ${which} and name <> ${name}
      and (select count(*) from thread_document_names where ${which}) < ${MAX_OTHER_NAMES}
      on conflict (tenant, thread_id, content_hash, name) do nothing`,
  );
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
