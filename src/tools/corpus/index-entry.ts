import type { ExtractedDocument } from "../../domain/document.ts";
import type { LeftOutFile } from "../../domain/left-out.ts";
import { primaryLanguage } from "../../ranking/language.ts";
import { tokenize } from "../../ranking/tokenize.ts";
import type { Statements } from "./index-statements.ts";
import { splitSections } from "./sections.ts";

/** `path` is relative to the corpus folder and separated by `/`. */
export interface ListedFile {
  readonly path: string;
  readonly mediaType: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
}

export interface IndexedFile {
  readonly file: ListedFile;
  readonly sha256: string;
  readonly document: ExtractedDocument | null;
  readonly failure: LeftOutFile | null;
}

interface FileTerms {
  readonly title: readonly string[];
  readonly sections: readonly { readonly text: string; readonly terms: readonly string[] }[];
}

/** Call it before the transaction: a long text takes seconds, in which other writes would wait. */
export function fileTerms(document: ExtractedDocument | null): FileTerms {
  if (document === null) return { title: [], sections: [] };
  const sections = splitSections(document).map(({ start, end, headings }) => {
    const text = document.text.slice(start, end);
    return { text, terms: tokenize(withoutTitle(document.title, headings, text)) };
  });
  return { title: tokenize(document.title), sections };
}

function withoutTitle(title: string, headings: readonly string[], text: string): string {
  const body = text.startsWith(title) ? text.slice(title.length) : text;
  return [...headings.filter((heading) => heading !== title), body].join("\n");
}

export function putFile(statements: Statements, { file, sha256, document, failure }: IndexedFile, { title, sections }: FileTerms): void {
  removeFile(statements, file.path);
  const { lastInsertRowid } = statements.addFile.run({
    ...file,
    sha256,
    title: document?.title ?? "",
    titleWords: title.join(" "),
    titleLength: title.length,
    publishedAt: document?.publishedAt ?? null,
    language: document?.language ? primaryLanguage(document.language) : null,
    document: document && JSON.stringify(document),
    code: failure?.code ?? null,
    message: failure?.message ?? null,
  });
  if (!document) return;
  statements.addTitleTerms.run(lastInsertRowid, title.join(" "));
  for (const { text, terms } of sections) {
    const added = statements.addSection.run(lastInsertRowid, text, terms.join(" "), terms.length);
    statements.addSectionTerms.run(added.lastInsertRowid, terms.join(" "));
  }
}

/** FTS rows go first: the statements find them through the file's row. */
export function removeFile(statements: Statements, path: string): void {
  statements.dropSections.run(path);
  statements.dropTitle.run(path);
  statements.dropFile.run(path);
}
