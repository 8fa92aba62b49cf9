import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { DocumentExtractor } from "../../domain/ports/sources.ts";
import { DossierError, toDossierError } from "../../errors.ts";
import { sha256Of } from "../../util/sha256.ts";
import type { FileMark } from "./corpus-index.ts";
import type { FileFailure, IndexedFile, ListedFile } from "./index-entry.ts";
import { mediaTypeOf, readBounded } from "./read-file.ts";

export interface SyncReport {
  readonly files: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly failed: readonly FileFailure[];
  /** Such as `3 files left out (.docx 2, symbolic link 1)`; null if no file was left out. */
  readonly leftOut: string | null;
}

/** `done` of the `total` files of the folder are in the index. */
export interface SyncProgress {
  readonly done: number;
  readonly total: number;
}

/** Calls wait for the lock of the index, unless `signal` is aborted. */
export interface SyncedIndex {
  marks(signal: AbortSignal): Promise<Map<string, FileMark>>;
  failures(signal: AbortSignal): Promise<FileFailure[]>;
  put(entry: IndexedFile, signal: AbortSignal): Promise<void>;
  touch(file: ListedFile, signal: AbortSignal): Promise<void>;
  remove(path: string, signal: AbortSignal): Promise<void>;
}

interface SyncOptions {
  readonly index: SyncedIndex;
  readonly dir: string;
  readonly extractor: DocumentExtractor;
  readonly maxFiles: number;
  readonly maxFileBytes: number;
  readonly onProgress: (progress: SyncProgress) => void;
  /** Called with whether the folder is empty although files of it are indexed. If it returns true, they stay, and the sync fails. */
  readonly keepsEmptied: (isEmptied: boolean) => boolean;
}

/** The extractor decides how many of them are read at the same time. */
const FILES_AT_A_TIME = 4;

/** Indexes new and changed files and removes deleted ones. If aborted, keeps what is indexed. @throws DossierError `unreachable` */
export async function syncCorpus(options: SyncOptions, signal: AbortSignal): Promise<SyncReport> {
  const { index, dir, maxFiles, onProgress, keepsEmptied } = options;
  const listing = await listFiles(dir, maxFiles, signal);
  const isEmpty = listing.files.length + listing.failed.length + listing.leftOut.length === 0;
  const known = await index.marks(signal);
  if (keepsEmptied(isEmpty && known.size > 0)) throw emptied(dir, known.size);
  const counts = { added: 0, changed: 0, removed: 0 };
  const present = new Set<string>();
  const total = listing.files.length;
  let done = listing.files.filter(({ path }) => known.has(path)).length;
  onProgress({ done, total });
  await inParallel(FILES_AT_A_TIME, listing.files, signal, async (file, either) => {
    const change = await syncFile(options, file, known.get(file.path), either);
    if (change !== "gone") present.add(file.path);
    if (change === "added" || change === "changed") counts[change]++;
    if (!known.has(file.path)) onProgress({ done: ++done, total });
  });
  for (const path of known.keys()) {
    if (present.has(path)) continue;
    await nextTurn();
    await index.remove(path, signal);
    counts.removed++;
  }
  const failures = await index.failures(signal);
  return { ...counts, files: present.size - failures.length, failed: [...failures, ...listing.failed], leftOut: leftOutOf(listing) };
}

/** If one fails, aborts the others and waits until they have ended. @throws what the first one threw */
async function inParallel<T>(count: number, items: T[], signal: AbortSignal, work: (item: T, signal: AbortSignal) => Promise<void>) {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const left = items.values();
  const workOff = async (): Promise<void> => {
    for (const item of left) {
      if (either.aborted) return;
      await work(item, either).catch((error: unknown) => failed.abort(error));
    }
  };
  await Promise.all(Array.from({ length: count }, workOff));
  either.throwIfAborted();
}

async function syncFile(
  { index, dir, extractor, maxFileBytes }: SyncOptions,
  file: ListedFile,
  before: FileMark | undefined,
  signal: AbortSignal,
): Promise<"added" | "changed" | "unchanged" | "gone"> {
  if (before && before.size === file.size && before.mtimeMs === file.mtimeMs && before.ctimeMs === file.ctimeMs) return "unchanged";
  await nextTurn();
  let bytes: Uint8Array;
  try {
    bytes = await readBounded(dir, file.path, maxFileBytes);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return "gone";
    // A system error, such as too many open files, may pass. The size -1 makes the next sync read the file again.
    const mark = error instanceof DossierError ? file : { ...file, size: -1 };
    await index.put({ file: mark, sha256: "", document: null, failure: failureOf(file.path, error) }, signal);
    return before ? "changed" : "added";
  }
  const sha256 = await sha256Of(bytes);
  if (before?.sha256 === sha256) {
    await index.touch(file, signal);
    return "unchanged";
  }
  const extracted = await extract(extractor, file, bytes, signal);
  await index.put({ file, sha256, ...extracted }, signal);
  return before ? "changed" : "added";
}

/** Returns a failure instead of throwing it, so that the file is not extracted again until it changes. */
async function extract(
  extractor: DocumentExtractor,
  { path, mediaType }: ListedFile,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<Pick<IndexedFile, "document" | "failure">> {
  try {
    return { document: await extractor.extract({ bytes, mediaType, url: corpusUrl(path) }, signal), failure: null };
  } catch (error) {
    // The file did not cause these errors, so they are not stored as its failure.
    if (error instanceof DossierError && (error.code === "cancelled" || error.code === "internal")) throw error;
    signal.throwIfAborted();
    return { document: null, failure: failureOf(path, error) };
  }
}

interface Listing {
  readonly files: ListedFile[];
  readonly failed: FileFailure[];
  readonly leftOut: string[];
}

function emptied(dir: string, files: number): DossierError {
  const what = `The corpus folder ${dir} is empty, but its index has files (${files}), so a share may not be mounted`;
  return new DossierError("unreachable", `${what}. If it stays empty for ten minutes, they are removed from the index.`);
}

const MAX_DEPTH = 64;

/** Lists at most `maxFiles` files, ordered by name. Does not follow symbolic links. @throws DossierError `unreachable` */
async function listFiles(dir: string, maxFiles: number, signal: AbortSignal): Promise<Listing> {
  const listing: Listing = { files: [], failed: [], leftOut: [] };
  const folders: string[] = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const found: string[] = [];
    for (const entry of await entriesOf(dir, folder, listing.failed)) {
      signal.throwIfAborted();
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      const mediaType = entry.isFile() ? mediaTypeOf(entry.name) : undefined;
      if (mediaType) await addFile(dir, { path, mediaType }, listing);
      else if (entry.isDirectory() && path.split("/").length < MAX_DEPTH) found.push(path);
      else listing.leftOut.push(kindOf(entry));
      if (listing.files.length > maxFiles) return cutOff(listing, maxFiles);
    }
    for (const path of found.reverse()) folders.push(path);
  }
  return listing;
}

async function entriesOf(dir: string, folder: string, failed: FileFailure[]): Promise<Dirent[]> {
  try {
    const entries = await readdir(join(dir, folder), { withFileTypes: true });
    const visible = entries.filter(({ name }) => !name.startsWith(".") && name !== "node_modules");
    return visible.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (folder === "")
      throw new DossierError("unreachable", `The corpus folder ${dir} cannot be read (${codeOf(error)}).`, { cause: error });
    failed.push(failureOf(folder, error));
    return [];
  }
}

async function addFile(dir: string, file: Pick<ListedFile, "path" | "mediaType">, listing: Listing): Promise<void> {
  try {
    const { size, mtimeMs, ctimeMs } = await stat(join(dir, file.path));
    listing.files.push({ ...file, size, mtimeMs, ctimeMs });
  } catch (error) {
    if (codeOf(error) !== "ENOENT") listing.failed.push(failureOf(file.path, error));
  }
}

const SHOWN_KINDS = 5;

function kindOf(entry: Dirent): string {
  if (entry.isSymbolicLink()) return "symbolic link";
  if (entry.isDirectory()) return "deep folder";
  const [extension] = /\.[\p{L}\p{N}]{1,10}$/u.exec(entry.name) ?? [];
  return entry.isFile() ? (extension?.toLowerCase() ?? "no extension") : "no regular file";
}

function leftOutOf({ leftOut }: Listing): string | null {
  if (leftOut.length === 0) return null;
  const kinds = [...Map.groupBy(leftOut, (kind) => kind)].sort((a, b) => b[1].length - a[1].length);
  const shown = kinds.slice(0, SHOWN_KINDS).map(([kind, { length }]) => `${kind} ${length}`);
  const others = kinds.length > SHOWN_KINDS ? [...shown, "others"] : shown;
  return `${leftOut.length} ${leftOut.length === 1 ? "file" : "files"} left out (${others.join(", ")})`;
}

function cutOff({ files, failed, leftOut }: Listing, maxFiles: number): Listing {
  const path = files[maxFiles]?.path ?? "";
  const message = `The folder contains more than ${maxFiles} files; this file and those after it are left out.`;
  return { files: files.slice(0, maxFiles), failed: [...failed, { path, code: "too_large", message }], leftOut };
}

function failureOf(path: string, error: unknown): FileFailure {
  const { code, message } = toDossierError(error, "unreadable");
  return { path, code, message };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown error";
}

const SCHEME = "corpus:";

export function corpusUrl(path: string): string {
  return SCHEME + path.split("/").map(encodeURIComponent).join("/");
}

export function corpusPath(url: string): string | null {
  if (!url.startsWith(SCHEME)) return null;
  try {
    return url.slice(SCHEME.length).split("/").map(decodeURIComponent).join("/");
  } catch {
    return null;
  }
}
