import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import ignore, { type Ignore } from "ignore";
import type { LeftOutFile } from "../../domain/left-out.ts";
import { NOT_A_READ_TYPE, uploadTypeOf } from "../../domain/upload.ts";
import { DossierError, type ErrorCode } from "../../errors.ts";
import { createTurns } from "../../util/turns.ts";
import { codeOf, failureOf, readBounded } from "./read-file.ts";

/** `path` is relative to the folder and separated by `/`. It is not tried to read what is `leftOut`. */
export type FolderEntry =
  | { readonly kind: "file"; readonly path: string; readonly mediaType: string }
  | ({ readonly kind: "leftOut" | "failed" } & LeftOutFile)
  | { readonly kind: "ignored"; readonly path: string };

const MAX_DEPTH = 64;
const IGNORE_FILE = ".gitignore";
const MAX_IGNORE_BYTES = 100_000;

/** The rules of one `.gitignore`, for paths that begin with `base`. */
interface IgnoreRules {
  readonly base: string;
  readonly ignore: Ignore;
}

/**
 * Lists what stands below a folder, by name and folder by folder, as `.gitignore` files in it say. Passes over hidden entries and
 * `node_modules`, and follows no links. @throws DossierError `unreachable` if the folder cannot be read
 */
export async function* walkFolder(dir: string, signal: AbortSignal): AsyncGenerator<FolderEntry> {
  const turn = createTurns(signal);
  const folders: { readonly path: string; readonly rules: readonly IgnoreRules[] }[] = [{ path: "", rules: [] }];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const base = folder.path === "" ? "" : `${folder.path}/`;
    let entries: Dirent[];
    let rules: readonly IgnoreRules[] = folder.rules;
    try {
      entries = await readdir(join(dir, folder.path), { withFileTypes: true });
    } catch (cause) {
      if (base === "") throw new DossierError("unreachable", `The folder ${dir} cannot be read (${codeOf(cause)}).`, { cause });
      yield failed(folder.path, cause);
      continue;
    }
    try {
      if (entries.some(({ name }) => name === IGNORE_FILE)) rules = [...rules, await readRules(dir, base)];
    } catch (error) {
      yield failed(`${base}${IGNORE_FILE}`, error);
    }
    const inner: string[] = [];
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      await turn();
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      const path = `${base}${entry.name}`;
      if (isIgnored(entry.isDirectory() ? `${path}/` : path, rules)) yield { kind: "ignored", path };
      else if (entry.isDirectory() && path.split("/").length < MAX_DEPTH) inner.push(path);
      else yield entryOf(entry, path);
    }
    for (const path of inner.reverse()) folders.push({ path, rules });
  }
}

function entryOf(entry: Dirent, path: string): FolderEntry {
  const mediaType = entry.isFile() ? uploadTypeOf({ name: entry.name, mediaType: "" }) : null;
  if (mediaType !== null) return { kind: "file", path, mediaType };
  const not = (code: ErrorCode, message: string): FolderEntry => ({ kind: "leftOut", path, code, message });
  if (entry.isFile()) return not("unsupported_document", NOT_A_READ_TYPE);
  if (entry.isSymbolicLink())
    return not("out_of_scope", "It is a symbolic link, which is not followed. Put the file itself into the folder.");
  if (entry.isDirectory()) return not("out_of_scope", `It lies ${MAX_DEPTH} folders deep. Put its files into a folder above.`);
  return not("out_of_scope", "It is no regular file.");
}

/** As git does, the rules of an inner folder come before those of the folders around it. */
function isIgnored(path: string, rules: readonly IgnoreRules[]): boolean {
  for (const { base, ignore: own } of rules.toReversed()) {
    const { ignored, unignored } = own.test(path.slice(base.length));
    if (ignored || unignored) return ignored;
  }
  return false;
}

async function readRules(dir: string, base: string): Promise<IgnoreRules> {
  const bytes = await readBounded(dir, `${base}${IGNORE_FILE}`, MAX_IGNORE_BYTES);
  return { base, ignore: ignore({ ignorecase: false }).add(new TextDecoder().decode(bytes)) };
}

const failed = (path: string, error: unknown): FolderEntry => ({ kind: "failed", ...failureOf(path, error) });
