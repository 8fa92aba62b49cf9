import { stat } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ExtractedDocument } from "../../domain/document.ts";
import type { LeftOutFile } from "../../domain/left-out.ts";
import type { DocumentExtractor } from "../../domain/ports/sources.ts";
import { DossierError } from "../../errors.ts";
import { sha256Of } from "../../util/sha256.ts";
import { codeOf, failureOf, readBounded } from "./read-file.ts";
import { walkFolder } from "./walk-folder.ts";

export interface SyncReport {
  readonly files: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly failed: readonly LeftOutFile[];
  /** Files of types that are not read, and links. */
  readonly leftOut: readonly LeftOutFile[];
  /** The number of files and folders that a `.gitignore` names. */
  readonly ignored: number;
}

/** `done` of the `total` files of the folder are in the index. */
export interface SyncProgress {
  readonly done: number;
  readonly total: number;
}

/** `path` is relative to the corpus folder and separated by `/`. */
export interface ListedFile {
  readonly path: string;
  readonly mediaType: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

export type FileMark = Pick<ListedFile, "size" | "mtimeMs" | "ctimeMs"> & { readonly sha256: string };

export interface IndexedFile {
  readonly file: ListedFile;
  readonly sha256: string;
  readonly document: ExtractedDocument | null;
  readonly failure: LeftOutFile | null;
}

interface SyncedIndex {
  marks(): Map<string, FileMark>;
  failures(): LeftOutFile[];
  put(entry: IndexedFile): Promise<void>;
  touch(file: ListedFile): Promise<void>;
  remove(path: string): Promise<void>;
}

interface SyncOptions {
  readonly index: SyncedIndex;
  readonly dir: string;
  readonly extractor: DocumentExtractor;
  readonly maxFiles: number;
  readonly maxFileBytes: number;
  readonly onProgress: (progress: SyncProgress) => void;
}

/** The extractor decides how many of them are read at the same time. */
const FILES_AT_A_TIME = 4;

/** Indexes new and changed files and removes deleted ones. If aborted, keeps what is indexed. @throws DossierError `unreachable` */
export async function syncCorpus(options: SyncOptions, signal: AbortSignal): Promise<SyncReport> {
  const { index, dir, maxFiles, onProgress } = options;
  const listing = await listFiles(dir, maxFiles, signal);
  const { leftOut, ignored } = listing;
  const known = index.marks();
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
    await index.remove(path);
    counts.removed++;
  }
  const failures = index.failures();
  return { ...counts, files: present.size - failures.length, failed: [...failures, ...listing.failed], leftOut, ignored };
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
    await index.put({ file: mark, sha256: "", document: null, failure: failureOf(file.path, error) });
    return before ? "changed" : "added";
  }
  const sha256 = await sha256Of(bytes);
  if (before?.sha256 === sha256) {
    await index.touch(file);
    return "unchanged";
  }
  const extracted = await extract(extractor, file, bytes, signal);
  await index.put({ file, sha256, ...extracted });
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
  readonly failed: LeftOutFile[];
  readonly leftOut: LeftOutFile[];
  ignored: number;
}

/** Lists at most `maxFiles` files, ordered by name. @throws DossierError `unreachable` */
async function listFiles(dir: string, maxFiles: number, signal: AbortSignal): Promise<Listing> {
  const listing: Listing = { files: [], failed: [], leftOut: [], ignored: 0 };
  for await (const entry of walkFolder(dir, signal)) {
    if (entry.kind === "file") await addFile(dir, entry, listing);
    else if (entry.kind === "ignored") listing.ignored++;
    else listing[entry.kind].push(entry);
    if (listing.files.length > maxFiles) return cutOff(listing, maxFiles);
  }
  return listing;
}

async function addFile(dir: string, { path, mediaType }: Pick<ListedFile, "path" | "mediaType">, listing: Listing): Promise<void> {
  try {
    const { size, mtimeMs, ctimeMs } = await stat(join(dir, path));
    listing.files.push({ path, mediaType, size, mtimeMs, ctimeMs });
  } catch (error) {
    if (codeOf(error) !== "ENOENT") listing.failed.push(failureOf(path, error));
  }
}

function cutOff({ files, failed, ...others }: Listing, maxFiles: number): Listing {
  const path = files[maxFiles]?.path ?? "";
  const message = `The folder contains more than ${maxFiles} files; this file and those after it are left out.`;
  return { files: files.slice(0, maxFiles), failed: [...failed, { path, code: "too_large", message }], ...others };
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
