import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ExtractedDocument } from "../../domain/document.ts";
import type { DocumentExtractor } from "../../domain/ports/document-reader.ts";
import { DossierError } from "../../errors.ts";
import { throwIfAborted } from "./aborted.ts";
import { corpusUrl } from "./corpus-address.ts";
import type { CorpusIndex, FileMark } from "./corpus-index.ts";
import { codeOf, type FileFailure, failureOf, type ListedFile, listFiles } from "./list-files.ts";

/** What a sync found and did. `files` counts those that can be searched; `failed` are those that cannot, then and now. */
export interface SyncReport {
  readonly files: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly failed: readonly FileFailure[];
}

export interface SyncProgress {
  readonly done: number;
  readonly total: number;
  readonly path: string;
}

export interface SyncParts {
  readonly index: CorpusIndex;
  readonly dir: string;
  readonly extractor: DocumentExtractor;
  readonly maxFiles: number;
  readonly maxFileBytes: number;
  readonly onProgress: (progress: SyncProgress) => void;
}

type Change = "added" | "changed" | "none" | "gone";

/**
 * Brings the index in line with the folder. A file with the clocks and size it had is not opened; one with the bytes it
 * had is not extracted. Gives way to other work between files that it opens. What is done when it is aborted stays done.
 * @throws DossierError `unreachable`, `cancelled`, `timeout`; errors of better-sqlite3
 */
export async function syncCorpus(parts: SyncParts, signal: AbortSignal): Promise<SyncReport> {
  const listing = await listFiles(parts.dir, parts.maxFiles, signal);
  const known = parts.index.marks();
  const counts = { added: 0, changed: 0, removed: 0 };
  const present = new Set<string>();
  for (const [i, file] of listing.files.entries()) {
    throwIfAborted(signal);
    const change = await syncFile(parts, file, known.get(file.path), signal);
    if (change !== "gone") present.add(file.path);
    if (change === "added" || change === "changed") counts[change]++;
    parts.onProgress({ done: i + 1, total: listing.files.length, path: file.path });
  }
  for (const path of known.keys()) {
    if (present.has(path)) continue;
    parts.index.remove(path);
    counts.removed++;
  }
  const failed = [...parts.index.failures(), ...listing.failed];
  return { ...counts, files: present.size - parts.index.failures().length, failed };
}

async function syncFile(parts: SyncParts, file: ListedFile, before: FileMark | undefined, signal: AbortSignal): Promise<Change> {
  if (before && before.size === file.size && before.mtimeMs === file.mtimeMs && before.ctimeMs === file.ctimeMs) return "none";
  await nextTurn();
  let bytes: Uint8Array;
  try {
    bytes = await readBounded(parts.dir, file.path, parts.maxFileBytes);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return "gone";
    parts.index.put({ file, sha256: "", document: null, failure: failureOf(file.path, error) });
    return before ? "changed" : "added";
  }
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  if (before?.sha256 === sha256) {
    parts.index.touch(file);
    return "none";
  }
  parts.index.put({ file, sha256, ...(await extracted(parts.extractor, file, bytes, signal)) });
  return before ? "changed" : "added";
}

/** A failure is kept like a document, so that a file that cannot be read is not tried again until it changes. */
async function extracted(
  extractor: DocumentExtractor,
  { path, mediaType }: ListedFile,
  bytes: Uint8Array,
  signal: AbortSignal,
): Promise<{ document: ExtractedDocument | null; failure: FileFailure | null }> {
  try {
    return { document: await extractor.extract({ bytes, mediaType, url: corpusUrl(path) }, signal), failure: null };
  } catch (error) {
    // What was stopped, and a fault of ours, is none of the file's.
    if (error instanceof DossierError && (error.code === "cancelled" || error.code === "internal")) throw error;
    throwIfAborted(signal);
    return { document: null, failure: failureOf(path, error) };
  }
}

/**
 * The bytes of a regular file below `dir`.
 * @throws DossierError `document_too_large` above `maxBytes`, `unreadable` for what is no regular file (any more)
 */
async function readBounded(dir: string, path: string, maxBytes: number): Promise<Uint8Array> {
  // The file may have become a link or a pipe since it was listed: follow no link, wait for no writer.
  const handle = await open(join(dir, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new DossierError("unreadable", "It is not a regular file.");
    if (stats.size > maxBytes) {
      throw new DossierError("document_too_large", `The file has ${stats.size} bytes; at most ${maxBytes} are read.`);
    }
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
