import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { DossierError, type ErrorCode, toDossierError } from "../../errors.ts";
import { throwIfAborted } from "./aborted.ts";

/** A file that belongs to the corpus. `path` is relative to the folder, with `/` between its segments. */
export interface ListedFile {
  readonly path: string;
  readonly mediaType: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

export interface FileFailure {
  readonly path: string;
  readonly code: ErrorCode;
  readonly message: string;
}

export interface Listing {
  readonly files: ListedFile[];
  readonly failed: FileFailure[];
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  md: "text/markdown",
  markdown: "text/markdown",
  txt: "text/plain",
  text: "text/plain",
  html: "text/html",
  htm: "text/html",
  xhtml: "application/xhtml+xml",
  pdf: "application/pdf",
};
const MAX_DEPTH = 64;

/**
 * The PDF, Markdown, text and HTML files below `dir`, in an order that only their names decide, at most `maxFiles`. Hidden entries,
 * `node_modules` and symbolic links are passed over: what a link within the folder points to is listed anyway, and what
 * lies outside is none of ours. What cannot be looked at is reported in `failed`.
 * @throws DossierError `unreachable` when the folder itself cannot be read; `cancelled`, `timeout`
 */
export async function listFiles(dir: string, maxFiles: number, signal: AbortSignal): Promise<Listing> {
  const listing: Listing = { files: [], failed: [] };
  const folders: string[] = [""];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const found: string[] = [];
    for (const entry of await entriesOf(dir, folder, listing.failed)) {
      throwIfAborted(signal);
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && path.split("/").length < MAX_DEPTH) found.push(path);
      const mediaType = entry.isFile() ? mediaTypeOf(entry.name) : undefined;
      if (mediaType) await addFile(dir, { path, mediaType }, listing);
      if (listing.files.length > maxFiles) return cutOff(listing, maxFiles);
    }
    folders.push(...found.reverse());
  }
  return listing;
}

async function entriesOf(dir: string, folder: string, failed: FileFailure[]): Promise<Dirent[]> {
  try {
    const entries = await readdir(join(dir, folder), { withFileTypes: true });
    const visible = entries.filter(({ name }) => !name.startsWith(".") && name !== "node_modules");
    return visible.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (folder !== "") failed.push(failureOf(folder, error));
    else throw new DossierError("unreachable", `The corpus folder ${dir} cannot be read (${codeOf(error)}).`, { cause: error });
    return [];
  }
}

async function addFile(dir: string, file: Pick<ListedFile, "path" | "mediaType">, listing: Listing): Promise<void> {
  try {
    const { size, mtimeMs, ctimeMs } = await stat(join(dir, file.path));
    listing.files.push({ ...file, size, mtimeMs, ctimeMs });
  } catch (error) {
    // Gone since the folder was read: then it is not in the corpus, and that is no failure.
    if (codeOf(error) !== "ENOENT") listing.failed.push(failureOf(file.path, error));
  }
}

function cutOff({ files, failed }: Listing, maxFiles: number): Listing {
  const path = files[maxFiles]?.path ?? "";
  const message = `The folder holds more than ${maxFiles} files; this one and those after it are left out.`;
  return { files: files.slice(0, maxFiles), failed: [...failed, { path, code: "too_large", message }] };
}

function mediaTypeOf(name: string): string | undefined {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? MEDIA_TYPES[name.slice(dot + 1).toLowerCase()] : undefined;
}

/** What kept a file from being read; anything that is not ours is `unreadable`. */
export function failureOf(path: string, error: unknown): FileFailure {
  const { code, message } = toDossierError(error, "unreadable");
  return { path, code, message };
}

export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown error";
}
