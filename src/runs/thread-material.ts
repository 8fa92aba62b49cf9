import type { ExtractedDocument } from "../domain/document.ts";
import { type LeftOutFile, nothingRead } from "../domain/left-out.ts";
import type { NewThreadDocument, ThreadMaterialService, ThreadMaterialStore, ThreadPlace } from "../domain/ports/material.ts";
import type { OriginalFile } from "../domain/ports/originals.ts";
import {
  MAX_DOCUMENTS_AT_ONCE,
  MAX_THREAD_BYTES,
  MAX_THREAD_DOCUMENTS,
  MAX_THREAD_URLS,
  MAX_UPLOAD_BYTES,
  type UploadedFile,
  uploadTypeOf,
} from "../domain/upload.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { sha256Of } from "../util/sha256.ts";
import type { UrlRefusal } from "./policy.ts";
import { checkUrls, refuseUrls } from "./resolve-scope.ts";

interface ThreadMaterialDeps {
  readonly store: ThreadMaterialStore;
  readonly read: (file: UploadedFile, signal: AbortSignal) => Promise<ExtractedDocument>;
  readonly clock: () => number;
  /** If false, the addresses that users give are refused, as with a run. */
  readonly readsUrls: boolean;
  readonly refusalOf?: UrlRefusal | undefined;
  /** Called with a new document, so that the first search need not analyze it. */
  readonly onAdded: (place: ThreadPlace, contentHash: string) => void;
  readonly onDeleted: () => void;
}

export interface MaterialService extends ThreadMaterialService {
  /** Checks and reads files for a thread. Keeps nothing. @throws DossierError as `add` does */
  read(
    place: ThreadPlace,
    files: readonly UploadedFile[],
    signal: AbortSignal,
  ): Promise<{ readonly documents: readonly NewThreadDocument[]; readonly leftOut: readonly LeftOutFile[] }>;
  /** Keeps what was read. Returns a function that removes what is new. */
  keep(place: ThreadPlace, read: readonly NewThreadDocument[]): Promise<() => Promise<void>>;
  /** Returns a file of a run's thread. @throws DossierError `not_found` if it is not kept */
  original(runId: string, contentHash: string): Promise<OriginalFile>;
}

/** Of text in one request and in a thread, in UTF-16 code units. A search reads all documents of the thread. */
const MAX_CHARACTERS = 20_000_000;
const MAX_THREAD_CHARACTERS = 50_000_000;

export function createThreadMaterial(deps: ThreadMaterialDeps): MaterialService {
  const { store, read, clock, readsUrls, refusalOf, onAdded, onDeleted } = deps;
  const readAll: MaterialService["read"] = async (place, files, signal) => {
    const known = files.length === 0 ? [] : (await store.list(place)).documents;
    checkCounts(known.length, files);
    const room = Math.min(MAX_CHARACTERS, MAX_THREAD_CHARACTERS - known.reduce((sum, { characters }) => sum + characters, 0));
    const left = { bytes: MAX_THREAD_BYTES - known.reduce((sum, { bytes }) => sum + bytes, 0), characters: room };
    const documents: NewThreadDocument[] = [];
    const leftOut: LeftOutFile[] = [];
    for (const file of files) {
      const { name, bytes } = file;
      try {
        checkBytes(bytes.byteLength, left.bytes);
        const document = await read(file, signal);
        if (document.text.length > left.characters) throw tooLarge(`The documents have more than ${room} characters together.`);
        left.bytes -= bytes.byteLength;
        left.characters -= document.text.length;
        const type = { mediaType: uploadTypeOf(file) ?? "application/octet-stream" };
        const original = { bytes, ...type, sha256: await sha256Of(bytes) };
        documents.push({ name, bytes: bytes.byteLength, document, original });
      } catch (error) {
        const { code, message } = toDossierError(error);
        if (code === "cancelled" || code === "internal") throw error;
        signal.throwIfAborted();
        leftOut.push({ path: name, code, message });
      }
    }
    if (documents.length === 0 && files.length > 0) throw nothingRead(leftOut, "Nothing of the request was kept.");
    return { documents, leftOut };
  };

  const keep: MaterialService["keep"] = async (place, documents) => {
    const added: string[] = [];
    const undo = async (): Promise<void> => {
      for (const contentHash of added) await store.deleteDocument(place, contentHash);
    };
    try {
      for (const one of documents) {
        const contentHash = await store.addDocument(place, one, clock());
        if (contentHash === null) continue;
        added.push(contentHash);
        onAdded(place, contentHash);
      }
    } catch (error) {
      // If the database refuses this too, the documents stay in the thread, and can be deleted there.
      await undo().catch(() => undefined);
      throw error;
    }
    return undo;
  };

  return {
    read: readAll,
    keep,
    async original(runId, contentHash) {
      const place = await store.placeOf(runId);
      const file = place === null ? null : await store.original(place, contentHash);
      if (file === null) return notInThread(place?.threadId ?? "", "file", contentHash);
      const { sha256, ...original } = file;
      const isSame = sha256 === "" || (await sha256Of(file.bytes)) === sha256;
      return isSame ? original : notInThread(place?.threadId ?? "", "file", contentHash);
    },
    list: (tenant, threadId) => store.list({ tenant, threadId }),
    async add(place, { files, urls }, signal) {
      if (urls.length > 0 && !readsUrls) refuseUrls();
      checkUrls(urls, refusalOf);
      checkUrlCount((await store.list(place)).urls.length, urls);
      const { documents, leftOut } = await readAll(place, files, signal);
      const undo = await keep(place, documents);
      if (urls.length > 0)
        await store.addUrls(place, urls, clock()).catch(async (error: unknown) => {
          await undo().catch(() => undefined);
          throw error;
        });
      return { ...(await store.list(place)), ...(leftOut.length > 0 && { leftOut: [...leftOut] }) };
    },
    async document(tenant, threadId, contentHash) {
      return (await store.document({ tenant, threadId }, contentHash)) ?? notInThread(threadId, "document", contentHash);
    },
    async deleteDocument(tenant, threadId, contentHash) {
      if (!(await store.deleteDocument({ tenant, threadId }, contentHash))) notInThread(threadId, "document", contentHash);
      onDeleted();
    },
    async deleteUrl(tenant, threadId, sourceId) {
      if (!(await store.deleteUrl({ tenant, threadId }, sourceId))) notInThread(threadId, "address", sourceId);
    },
  };
}

function notInThread(threadId: string, what: string, name: string): never {
  throw new DossierError("not_found", `The thread ${threadId} has no ${what} ${name}.`);
}

function checkCounts(known: number, files: readonly UploadedFile[]): void {
  if (files.length > MAX_DOCUMENTS_AT_ONCE)
    throw tooMany(`${files.length} documents were sent; at most ${MAX_DOCUMENTS_AT_ONCE} are taken at once`);
  if (known + files.length > MAX_THREAD_DOCUMENTS)
    throw tooMany(`the thread would have ${known + files.length} documents; it can have ${MAX_THREAD_DOCUMENTS}`);
}

function checkBytes(bytes: number, left: number): void {
  if (bytes > MAX_UPLOAD_BYTES) throw tooLarge(`It has more than ${MAX_UPLOAD_BYTES} bytes.`);
  if (bytes > left) throw tooLarge(`The files of a thread can have ${MAX_THREAD_BYTES} bytes together. Delete some of the thread.`);
}

function tooLarge(message: string): DossierError {
  return new DossierError("document_too_large", message);
}

function checkUrlCount(known: number, urls: readonly string[]): void {
  if (known + urls.length > MAX_THREAD_URLS)
    throw tooMany(`the thread would have ${known + urls.length} addresses; it can have ${MAX_THREAD_URLS}`);
}

function tooMany(what: string): DossierError {
  return new DossierError("too_many_documents", `Nothing was kept: ${what}. Send fewer, or delete some of the thread.`);
}
