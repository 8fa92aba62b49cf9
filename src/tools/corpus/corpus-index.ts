import { mkdirSync, utimesSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { LRUCache } from "lru-cache";
import { type ExtractedDocument, ExtractedDocumentSchema } from "../../domain/document.ts";
import type { LeftOutFile } from "../../domain/left-out.ts";
import type { CorpusContents } from "../../domain/ports/run-service.ts";
import { isErrorCode } from "../../errors.ts";
import { queryTerms } from "../../ranking/query-terms.ts";
import { type CollectionStatistics, type RankingStages, rankTexts } from "../../ranking/rank-texts.ts";
import { fileTerms, type IndexedFile, type ListedFile, putFile, removeFile } from "./index-entry.ts";
import { createEmpty, isDamage, openExisting } from "./index-file.ts";
import { prepareStatements, type Statements } from "./index-statements.ts";
import { SectionCache, type SectionRow } from "./indexed-sections.ts";
import { bestSnippet } from "./sections.ts";

const MAX_QUERY_TERMS = 200;
const CANDIDATES = 200;
const MAX_LANGUAGES = 20;
const OPENING_MS = 5_000;
/** In UTF-16 code units. */
const MAX_CACHED_LENGTH = 8_000_000;
const MAX_KNOWN_FREQUENCIES = 200_000;

export interface FileQuery {
  readonly text: string;
  readonly limit: number;
  readonly stages: RankingStages;
  /** Days as `2021-03-04`, both inclusive. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export type FoundFile = Pick<SectionRow, "path" | "name" | "publishedAt"> & { readonly snippet: string };

export type FileMark = Pick<ListedFile, "size" | "mtimeMs" | "ctimeMs"> & { readonly sha256: string };

export interface IndexOptions {
  /** Without it, a file that would be replaced is an error of damage. */
  readonly create?: boolean;
  /** How long opening the file blocks the thread while another connection holds the lock, in milliseconds. */
  readonly openingMs?: number;
  /** How long a later statement does so. By default not at all. */
  readonly busyMs?: number;
}

/** The index is a cache. A damaged file, or one of another version or folder, is replaced. Methods throw errors of better-sqlite3. */
export class CorpusIndex {
  readonly #file: string;
  readonly #dir: string;
  #database: Database.Database;
  #statements: Statements;
  #statistics: (CollectionStatistics & { readonly version: number }) | null = null;
  readonly #sections = new SectionCache();
  readonly #documents = new LRUCache<string, ExtractedDocument>({ maxSize: MAX_CACHED_LENGTH });
  #generation = 0;

  constructor(file: string, dir: string, { create = true, openingMs = OPENING_MS, busyMs = 0 }: IndexOptions = {}) {
    this.#file = file;
    this.#dir = dir;
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    const database = openExisting(file, dir, openingMs);
    if (database === null && !create) throw new Database.SqliteError("The index was replaced.", "SQLITE_CORRUPT");
    this.#database = database ?? createEmpty(file, dir, openingMs);
    utimesSync(file, new Date(), new Date());
    try {
      this.#statements = prepareStatements(this.#database);
    } catch (error) {
      this.#database.close();
      if (!isDamage(error) || !create) throw error;
      this.#database = createEmpty(file, dir, openingMs);
      this.#statements = prepareStatements(this.#database);
    }
    this.#database.pragma(`busy_timeout = ${busyMs}`);
  }

  get generation(): number {
    return this.#generation;
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

  put(entry: IndexedFile): void {
    const terms = fileTerms(entry.document);
    this.#change((statements) => putFile(statements, entry, terms));
  }

  touch(file: ListedFile): void {
    this.#statements.touch.run(file);
  }

  remove(path: string): void {
    this.#change((statements) => removeFile(statements, path));
  }

  /** Whether the index has more than this number of sections of the file. */
  hasSections(path: string, moreThan: number): boolean {
    return (this.#statements.countSections.get(path, moreThan + 1) as number) > moreThan;
  }

  /** Returns at most `limit` files, best first. Leaves out files that were published on other days. */
  find({ text, limit, stages, from = "", to = "9999" }: FileQuery): FoundFile[] {
    const terms = queryTerms(text);
    const { match, section } = this.#statements;
    const query = matchQuery(terms);
    const ids = query === "" ? [] : (match.all({ query, limit: Math.max(limit, CANDIDATES), from, to }) as number[]);
    const known = this.#sections.of(this.#version);
    const found = ids.map((id) => known.get(id, () => section.get(id) as SectionRow));
    const ranked = rankTexts(text, found, this.statistics(), stages).slice(0, limit);
    return ranked.map(({ path, name, publishedAt, split }) => ({ path, name, publishedAt, snippet: bestSnippet(split(), terms) }));
  }

  /** Differs after another connection has changed the database. */
  get #version(): number {
    return Number(this.#database.pragma("data_version", { simple: true }));
  }

  statistics(): CollectionStatistics {
    const version = this.#version;
    if (this.#statistics?.version === version) return this.#statistics;
    this.#statistics = { ...readStatistics(this.#statements), version };
    return this.#statistics;
  }

  /** The SHA-256 of the file that was read; undefined if there is none. */
  hash(path: string): string | undefined {
    return this.#statements.hash.get(path) as string | undefined;
  }

  document(path: string): ExtractedDocument | null {
    const hash = this.hash(path);
    if (hash === undefined) return null;
    const key = `${hash} ${path}`;
    const known = this.#documents.get(key);
    if (known !== undefined) return known;
    const json = this.#statements.document.get(path) as string | null;
    const document = json === null ? null : ExtractedDocumentSchema.parse(JSON.parse(json));
    if (document !== null) this.#documents.set(key, document, { size: json?.length ?? 1 });
    return document;
  }

  /** Copies the write-ahead log into the database, and shortens it to nothing if no other connection uses it. */
  emptyLog(): void {
    this.#database.pragma("wal_checkpoint(TRUNCATE)");
  }

  reset(): void {
    this.#database.close();
    this.#database = createEmpty(this.#file, this.#dir, 0);
    this.#statements = prepareStatements(this.#database);
    this.#statistics = null;
    this.#sections.clear();
    this.#generation++;
  }

  close(): void {
    this.#database.close();
  }

  #change(change: (statements: Statements) => void): void {
    this.#statistics = null;
    this.#sections.clear();
    this.#database.transaction(() => change(this.#statements)).immediate();
  }
}

/** In quotes, FTS5 does not read a term as an operator. */
function matchQuery(terms: readonly string[]): string {
  const quoted = terms.slice(0, MAX_QUERY_TERMS).map((term) => `"${term.replaceAll('"', '""')}"`);
  return quoted.join(" OR ");
}

function readStatistics(statements: Statements): CollectionStatistics {
  const counts = statements.counts.get() as Omit<CollectionStatistics, "frequency">;
  const known = new Map<string, number>();
  return {
    ...counts,
    frequency: (term) => {
      const found = known.get(term) ?? (statements.frequency.get({ term }) as { documents: number }).documents;
      if (known.size < MAX_KNOWN_FREQUENCIES) known.set(term, found);
      return found;
    },
  };
}
