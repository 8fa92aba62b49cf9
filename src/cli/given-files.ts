import { existsSync, readdirSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Dossier } from "../compose.ts";
import type { Tenant } from "../domain/ports/run-service.ts";
import { MAX_THREAD_DOCUMENTS, MAX_UPLOAD_BYTES, UPLOADABLE } from "../domain/upload.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { plural } from "./terminal.ts";

/** A file to read. A file of a folder may fail; one that was named may not. */
interface GivenFile {
  readonly path: string;
  readonly isNamed: boolean;
}

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

/** Returns the files, and those below folders that can be read. @throws DossierError `too_many_documents` */
export function listFiles(paths: readonly string[]): GivenFile[] {
  const files: GivenFile[] = [];
  const add = (file: GivenFile): void => {
    files.push(file);
    if (files.length > MAX_THREAD_DOCUMENTS)
      throw new DossierError(
        "too_many_documents",
        `A thread takes at most ${MAX_THREAD_DOCUMENTS} files. For more, use --corpus DIR. Nothing was started.`,
      );
  };
  for (const path of paths) {
    if (statSync(path).isDirectory()) addFolder(path, add);
    else add({ path, isNamed: true });
  }
  return files;
}

/** Leaves out hidden entries, `node_modules` and symbolic links. */
function addFolder(folder: string, add: (file: GivenFile) => void): void {
  const open = [folder];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const entries = readdirSync(next, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const entry of entries.filter(({ name }) => !name.startsWith(".") && name !== "node_modules")) {
      const path = join(next, entry.name);
      if (entry.isDirectory()) open.push(path);
      else if (entry.isFile() && isUploadable(entry.name)) add({ path, isNamed: false });
    }
  }
}

interface Giving {
  readonly tenant: Tenant;
  readonly threadId: string;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/**
 * Keeps the files for the thread. Says which files of a folder could not be read. @throws DossierError if a named file, or none at all, can
 * be read; then the thread is as before
 */
export async function giveFiles(dossier: Pick<Dossier, "threads">, files: readonly GivenFile[], giving: Giving): Promise<void> {
  const { threads } = dossier;
  const { tenant, threadId } = giving;
  const hashes = () => threads.list(tenant, threadId).documents.map(({ contentHash }) => contentHash);
  const before = hashes();
  try {
    await readFiles(dossier, files, giving);
  } catch (error) {
    for (const hash of hashes()) if (!before.includes(hash)) await threads.deleteDocument(tenant, threadId, hash).catch(() => undefined);
    throw error;
  }
}

async function readFiles({ threads }: Pick<Dossier, "threads">, files: readonly GivenFile[], { tenant, threadId, signal, say }: Giving) {
  let read = 0;
  for (const { path, isNamed } of files) {
    signal.throwIfAborted();
    try {
      const { size } = statSync(path);
      if (size > MAX_UPLOAD_BYTES) throw new DossierError("document_too_large", `It has more than ${MAX_UPLOAD_BYTES} bytes.`);
      const file = { name: basename(path), mediaType: "", bytes: await readFile(path) };
      const { length: before } = threads.list(tenant, threadId).documents;
      const { documents } = await threads.add(tenant, threadId, { files: [file], urls: [] }, signal);
      if (documents.length === before)
        say(`${path} has the same text as a document that was given before; it is read once`.replaceAll(/\p{Cc}/gu, " "));
      read += 1;
    } catch (error) {
      const { code, message, faults } = toDossierError(error, "unreadable");
      // The message also says what was kept of the request to the thread, which is of one file.
      const said = `${path} could not be read (${code}): ${faults[0]?.message ?? message}`.replaceAll(/\p{Cc}/gu, " ");
      if (isNamed) throw new DossierError(code, said, { cause: error });
      say(said);
    }
  }
  if (files.length > 0 && read === 0) throw new DossierError("unreadable", `None of ${plural(files.length, "file")} could be read.`);
  if (files.length > 0) say(`given: ${plural(read, "document")}`);
}
