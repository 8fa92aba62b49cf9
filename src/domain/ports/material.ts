import { z } from "zod";
import type { ExtractedDocument, StoredDocument } from "../document.ts";
import { LeftOutFileSchema } from "../left-out.ts";
import type { Tenant, Tenants } from "../owners.ts";
import type { UploadedFile } from "../upload.ts";
import type { OriginalFile } from "./originals.ts";

export const ThreadDocumentSchema = z.object({
  contentHash: z.string().describe("The SHA-256 of the extracted text's UTF-8 bytes, lower-case hex."),
  sourceId: z.string().describe("The id of the document among the sources of a report."),
  name: z.string().describe("The name of the file."),
  title: z.string(),
  language: z.string().nullable(),
  publishedAt: z.string().nullable(),
  characters: z.int().nonnegative().describe("The length of the text in UTF-16 code units."),
  bytes: z.int().nonnegative().describe("The size of the file."),
  incomplete: z.string().nullable().describe("What of the file could not be read."),
  addedAt: z.string(),
  otherNames: z.array(z.string()).default([]).describe("The names of other files with the same text. It is kept and read once."),
});
export type ThreadDocument = z.infer<typeof ThreadDocumentSchema>;

export const ThreadUrlSchema = z.object({
  sourceId: z.string().describe("The id of the address among the sources of a report."),
  url: z.string(),
  addedAt: z.string(),
});

/** What the user has given to a thread, in the order in which it was added. */
export const ThreadMaterialSchema = z.object({ documents: z.array(ThreadDocumentSchema), urls: z.array(ThreadUrlSchema) });
export type ThreadMaterial = z.infer<typeof ThreadMaterialSchema>;

export const AddedMaterialSchema = ThreadMaterialSchema.extend({
  leftOut: z.array(LeftOutFileSchema).optional().describe("The files that were not read. Absent if there are none."),
});
export type AddedMaterial = z.infer<typeof AddedMaterialSchema>;

export interface ThreadMaterialService {
  list(tenant: Tenant, threadId: string): Promise<ThreadMaterial>;
  /**
   * Reads the files, and keeps them and the addresses for the thread. Files that cannot be read are left out. Equal documents are kept once.
   * @throws DossierError if no file can be read `document_too_large`, `unsupported_document`, `encrypted_document`, `unreadable`, `empty`,
   * `timeout`, as the first one; the faults name the files; `too_many_documents`; `unknown_source` for addresses on a server that reads none
   */
  add(
    place: ThreadPlace,
    given: { readonly files: readonly UploadedFile[]; readonly urls: readonly string[] },
    signal: AbortSignal,
  ): Promise<AddedMaterial>;
  /** @throws DossierError `not_found` */
  document(tenant: Tenant, threadId: string, contentHash: string): Promise<StoredDocument>;
  /** The text stays as long as a run uses it. @throws DossierError `not_found` */
  deleteDocument(tenant: Tenant, threadId: string, contentHash: string): Promise<void>;
  /** @throws DossierError `not_found` */
  deleteUrl(tenant: Tenant, threadId: string, sourceId: string): Promise<void>;
}

/** Names a thread of a tenant. */
export interface ThreadPlace {
  readonly tenant: Tenant;
  readonly threadId: string;
  /** Who owns the thread if nobody has used it: the name of a key. */
  readonly owner?: string | null;
}

export interface NewThreadDocument {
  readonly name: string;
  readonly bytes: number;
  readonly document: ExtractedDocument;
  /** The file as it came, with its SHA-256. */
  readonly original: Omit<OriginalFile, "name"> & { readonly sha256: string };
}

/** Where the material of threads is kept. A refused write throws `storage_unavailable` and changes nothing. */
export interface ThreadMaterialStore {
  list(place: ThreadPlace): Promise<ThreadMaterial>;
  /**
   * Returns the hash of the document; null if the thread already had it. Then a new name of it is kept, and the file if it is missing. If
   * the file cannot be kept, the document is not.
   */
  addDocument(place: ThreadPlace, added: NewThreadDocument, at: number): Promise<string | null>;
  addUrls(place: ThreadPlace, urls: readonly string[], at: number): Promise<void>;
  document(place: ThreadPlace, contentHash: string): Promise<StoredDocument | null>;
  /**
   * Returns the file that a document was read from; null if it was given to a version that kept none, or is not in the thread any more.
   * The caller compares the bytes with `sha256`, which is empty for files of earlier versions.
   */
  original(place: ThreadPlace, contentHash: string): Promise<(OriginalFile & { readonly sha256: string }) | null>;
  /** Deletes the file, and the text unless a run or another thread uses it. Returns false if the thread does not have the document. */
  deleteDocument(place: ThreadPlace, contentHash: string): Promise<boolean>;
  deleteUrl(place: ThreadPlace, sourceId: string): Promise<boolean>;
  /** The thread of a run; null if there is no such run. */
  placeOf(runId: string): Promise<ThreadPlace | null>;
  /** Deletes what was added before `before` to at most `limit` threads of these tenants without runs. Returns the number of threads. */
  deleteUnused(before: number, limit: number, whose: Tenants): Promise<number>;
  /** Frees the files of deleted documents, in steps between which others write. */
  freeOriginals(signal: AbortSignal): Promise<void>;
}
