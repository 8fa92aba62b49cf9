import { existsSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Dossier } from "../compose.ts";
import { type LeftOutFile, nothingRead } from "../domain/left-out.ts";
import type { Tenant } from "../domain/owners.ts";
import { MAX_THREAD_DOCUMENTS, MAX_UPLOAD_BYTES, UPLOADABLE } from "../domain/upload.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { walkFolder } from "../tools/corpus/walk-folder.ts";
import { plural } from "./terminal.ts";

const PATH = /^\.{0,2}\/|^~\//;

/**
 * Splits the arguments after the options into the words of the question and the files and folders after them. After a whole question, all
 * are paths. Otherwise a word after the first is a path if it looks like one or, after a word that is not ASCII, exists.
 */
export function splitPaths(words: readonly string[]): { readonly question: string; readonly paths: string[] } {
  const [first = "", ...others] = words;
  if (isWholeQuestion(first)) return { question: first, paths: others };
  const isQuoted = /\P{ASCII}/u.test(first);
  const isPath = (word: string): boolean => PATH.test(word) || isUploadable(word) || (isQuoted && existsSync(word));
  const at = words.findIndex((word, index) => index > 0 && isPath(word));
  const end = at < 0 ? words.length : at;
  return { question: words.slice(0, end).join(" "), paths: words.slice(end) };
}

/** Whether it was in quotes, or is a sentence of a script without spaces. A file or folder is none, whatever its name. */
function isWholeQuestion(word: string): boolean {
  return (/\s/u.test(word.trim()) || /^\P{ASCII}.*[?？。]$/su.test(word)) && !existsSync(word);
}

/** Returns the arguments before a whole question, which are files and folders in the wrong place. */
export function wordsBeforeQuestion(words: readonly string[]): string[] {
  const [first = ""] = words;
  const isQuoted = (word: string): boolean => /\s/u.test(word.trim()) && !existsSync(word);
  const isQuestion = PATH.test(first) || isUploadable(first) ? isWholeQuestion : isQuoted;
  return words.slice(0, Math.max(0, words.findIndex(isQuestion)));
}

/** Whether the question begins with a file or folder, which is then not read. */
export function beginsWithPath(words: readonly string[]): boolean {
  const [first = "", ...others] = words;
  const isFolder = (): boolean => statSync(first, { throwIfNoEntry: false })?.isDirectory() === true;
  return others.length > 0 && (((PATH.test(first) || isUploadable(first)) && existsSync(first)) || isFolder());
}

function isUploadable(name: string): boolean {
  return UPLOADABLE.has(/\.([^.\s]+)$/.exec(name)?.[1]?.toLowerCase() ?? "");
}

/** Returns the paths of the files and of those below folders. @throws DossierError `too_many_documents`, and if there is nothing to read */
export async function listFiles(paths: readonly string[], signal: AbortSignal) {
  const files: string[] = [];
  const leftOut: LeftOutFile[] = [];
  for (const given of paths) {
    if (!statSync(given).isDirectory()) files.push(given);
    else
      for await (const entry of walkFolder(given, signal)) {
        const path = join(given, entry.path);
        if (entry.kind === "file") files.push(path);
        else if (entry.kind !== "ignored") leftOut.push({ path, code: entry.code, message: entry.message });
        if (files.length > MAX_THREAD_DOCUMENTS) break;
      }
    if (files.length > MAX_THREAD_DOCUMENTS)
      throw new DossierError(
        "too_many_documents",
        `A thread takes at most ${MAX_THREAD_DOCUMENTS} files. For more, use --corpus DIR. Nothing was started.`,
      );
  }
  if (paths.length > 0 && files.length === 0) throw nothingRead(leftOut, "Nothing was started.");
  return { files, leftOut };
}

interface Giving {
  readonly tenant: Tenant;
  readonly threadId: string;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/**
 * Keeps the files for the thread. Returns those that could not be read. @throws DossierError if none at all can be read; then the thread is
 * as before
 */
export async function giveFiles(dossier: Pick<Dossier, "threads">, files: readonly string[], giving: Giving): Promise<LeftOutFile[]> {
  const { threads } = dossier;
  const { tenant, threadId } = giving;
  const hashes = async () => (await threads.list(tenant, threadId)).documents.map(({ contentHash }) => contentHash);
  const before = await hashes();
  try {
    return await readFiles(dossier, files, giving);
  } catch (error) {
    for (const hash of await hashes())
      if (!before.includes(hash)) await threads.deleteDocument(tenant, threadId, hash).catch(() => undefined);
    throw error;
  }
}

async function readFiles({ threads }: Pick<Dossier, "threads">, files: readonly string[], { tenant, threadId, signal, say }: Giving) {
  const leftOut: LeftOutFile[] = [];
  for (const path of files) {
    signal.throwIfAborted();
    try {
      const { size } = statSync(path);
      if (size > MAX_UPLOAD_BYTES) throw new DossierError("document_too_large", `It has more than ${MAX_UPLOAD_BYTES} bytes.`);
      const file = { name: basename(path), mediaType: "", bytes: await readFile(path) };
      await threads.add({ tenant, threadId }, { files: [file], urls: [] }, signal);
    } catch (error) {
      signal.throwIfAborted();
      const { code, message, faults } = toDossierError(error, "unreadable");
      leftOut.push({ path, code, message: faults[0]?.message ?? message });
    }
  }
  const read = files.length - leftOut.length;
  if (leftOut.length > 0 && read === 0) throw nothingRead(leftOut, "Nothing was started.");
  if (files.length > 0) say(`given: ${plural(read, "document")}`);
  return leftOut;
}
