import { randomUUID } from "node:crypto";
import type Database from "better-sqlite3";
import { type ExtractedDocument, ExtractedDocumentSchema } from "../../domain/document.ts";
import type { LeftOutFile } from "../../domain/left-out.ts";
import type { CorpusContents } from "../../domain/ports/run-service.ts";
import { isErrorCode } from "../../errors.ts";
import { primaryLanguage } from "../../ranking/language.ts";
import { queryTerms } from "../../ranking/query-terms.ts";
import { type CollectionStatistics, type RankingStages, rankTexts } from "../../ranking/rank-texts.ts";
import { countTerms } from "../../ranking/scoring.ts";
import { Vocabulary } from "../../ranking/term-vectors.ts";
import { tokenize } from "../../ranking/tokenize.ts";
import { openDatabase } from "./index-schema.ts";
import { prepareStatements, type Statements } from "./index-statements.ts";
import { bestSnippet, splitSections, splitText } from "./sections.ts";
import type { FileMark, IndexedFile, ListedFile } from "./sync-corpus.ts";

const MAX_QUERY_TERMS = 200;
const CANDIDATES = 200;
const MAX_LANGUAGES = 20;

export interface FileQuery {
  readonly text: string;
  readonly limit: number;
  readonly stages: RankingStages;
  /** Days as `2021-03-04`, both inclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** A section of a file. `name` is the title of the file; `titleWords` and `words` are terms, joined by spaces. */
type SectionRow = Readonly<Record<"path" | "name" | "text" | "titleWords" | "words", string>> & { readonly publishedAt: string | null };
export type FoundFile = Pick<SectionRow, "path" | "name" | "publishedAt"> & { readonly snippet: string };

/** `id` differs for each opened corpus, so that a thread does not go on with the file of an earlier one. */
export type IndexPlace = Readonly<Record<"id" | "file" | "dir", string>>;

/** Methods throw errors of better-sqlite3. */
export class CorpusIndex {
  readonly place: IndexPlace;
  readonly #database: Database.Database;
  readonly #statements: Statements;

  constructor(file: string, dir: string) {
    this.place = { id: randomUUID(), file, dir };
    this.#database = openDatabase(file, dir);
    this.#statements = prepareStatements(this.#database);
  }

  marks(): Map<string, FileMark> {
    const rows = this.#statements.marks.all() as (FileMark & { path: string })[];
    return new Map(rows.map(({ path, ...mark }) => [path, mark]));
  }

  failures(): LeftOutFile[] {
    const rows = this.#statements.failures.all() as { path: string; code: string; message: string }[];
    return rows.map(({ path, code, message }) => ({ path, code: isErrorCode(code) ? code : "unreadable", message }));
  }

  /** Returns the primary BCP 47 tags of the texts, at most 20, most frequent first. */
  languages(): string[] {
    return this.#statements.languages.all(MAX_LANGUAGES) as string[];
  }

  /** Returns at most `limit` documents whose paths come after `after`, and counts of all. */
  contents(limit: number, after: string): CorpusContents {
    const { pageAfter, counted, languageCounts } = this.#statements;
    const rows = pageAfter.all(after, limit + 1) as CorpusContents["documents"];
    const documents = rows.slice(0, limit);
    return {
      documents,
      nextCursor: rows.length > limit ? (documents.at(-1)?.path ?? null) : null,
      ...(counted.get() as Pick<CorpusContents, "total" | "failed" | "from" | "to">),
      languages: languageCounts.all(MAX_LANGUAGES) as CorpusContents["languages"],
    };
  }

  /** The SHA-256 of the file that was read; undefined if there is none. */
  hash(path: string): string | undefined {
    return this.#statements.hash.get(path) as string | undefined;
  }

  document(path: string): ExtractedDocument | null {
    const json = this.#statements.document.get(path) as string | null | undefined;
    return json == null ? null : ExtractedDocumentSchema.parse(JSON.parse(json));
  }

  put({ file, sha256, document, failure }: IndexedFile): void {
    const title = tokenize(document?.title ?? "");
    // Before the transaction: a long text takes seconds, in which other writes would wait.
    const sections = document === null ? [] : sectionsOf(document);
    const { addFile, addTitleTerms, addSection, addSectionTerms } = this.#statements;
    const write = this.#database.transaction(() => {
      this.#drop(file.path);
      const { lastInsertRowid } = addFile.run({
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
      if (document !== null) addTitleTerms.run(lastInsertRowid, title.join(" "));
      for (const { text, terms } of sections) {
        const added = addSection.run(lastInsertRowid, text, terms.join(" "), terms.length);
        addSectionTerms.run(added.lastInsertRowid, terms.join(" "));
      }
    });
    write.immediate();
  }

  touch(file: ListedFile): void {
    this.#statements.touch.run(file);
  }

  remove(path: string): void {
    this.#database.transaction(() => this.#drop(path)).immediate();
  }

  /** FTS rows go first: the statements find them through the file's row. */
  #drop(path: string): void {
    this.#statements.dropSections.run(path);
    this.#statements.dropTitle.run(path);
    this.#statements.dropFile.run(path);
  }

  /** Returns at most `limit` files, best first. Leaves out files that were published on other days. */
  find({ text, limit, stages, from = "", to = "9999" }: FileQuery): FoundFile[] {
    const terms = queryTerms(text);
    const query = matchQuery(terms);
    const rows = query === "" ? [] : this.#statements.match.all({ query, limit: Math.max(limit, CANDIDATES), from, to });
    const vocabulary = new Vocabulary();
    const found = (rows as SectionRow[]).map((row) => {
      const [title, body] = [row.titleWords.split(" "), row.words.split(" ")];
      return { row, title: countTerms(title), body: countTerms(body), vector: vocabulary.vectorOf([...title, ...body]) };
    });
    const ranked = rankTexts(text, found, this.#statistics(), stages).slice(0, limit);
    return ranked.map(({ row: { path, name, publishedAt, text: whole } }) => {
      return { path, name, publishedAt, snippet: bestSnippet(splitText(whole), terms) };
    });
  }

  #statistics(): CollectionStatistics {
    const counts = this.#statements.counts.get() as Omit<CollectionStatistics, "frequency">;
    return { ...counts, frequency: (term) => this.#statements.frequency.get({ term }) as number };
  }

  close(): void {
    this.#database.close();
  }
}

/** In quotes, FTS5 does not read a term as an operator. */
function matchQuery(terms: readonly string[]): string {
  const quoted = terms.slice(0, MAX_QUERY_TERMS).map((term) => `"${term.replaceAll('"', '""')}"`);
  return quoted.join(" OR ");
}

function sectionsOf(document: ExtractedDocument): { readonly text: string; readonly terms: readonly string[] }[] {
  return splitSections(document).map(({ start, end, headings }) => {
    const text = document.text.slice(start, end);
    return { text, terms: tokenize(withoutTitle(document.title, headings, text)) };
  });
}

function withoutTitle(title: string, headings: readonly string[], text: string): string {
  const body = text.startsWith(title) ? text.slice(title.length) : text;
  return [...headings.filter((heading) => heading !== title), body].join("\n");
}
