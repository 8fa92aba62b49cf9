import { mkdirSync, rmSync, utimesSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { LRUCache } from "lru-cache";
import { type ExtractedDocument, ExtractedDocumentSchema } from "../../domain/document.ts";
import type { CorpusContents } from "../../domain/ports/run-service.ts";
import { DossierError, type ErrorCode, isErrorCode } from "../../errors.ts";
import { primaryLanguage } from "../../ranking/language.ts";
import type { CollectionStatistics } from "../../ranking/rank-texts.ts";
import { type FileTerms, fileTerms } from "./file-terms.ts";
import { type IndexedSection, SectionCache, type SectionRow } from "./indexed-sections.ts";

/** Raise this when extraction, tokenizing or the schema changes, so that existing indexes are rebuilt. */
const INDEX_VERSION = "12";

/** Makes FTS5 split text only at spaces. `tokenize` has already split it into terms. */
const TOKENIZER = `"unicode61 remove_diacritics 0 categories 'L* N* M* S* P* Co'"`;

/** Titles have their own table: if each section repeated the title, a long document's title would count less. Lengths count terms. */
const SCHEMA = `
  create table meta (key text primary key, value text not null) strict;
  create table files (
    id integer primary key,
    path text not null unique,
    size integer not null,
    mtime_ms real not null,
    ctime_ms real not null,
    sha256 text not null,
    title text not null,
    title_words text not null,
    title_length integer not null,
    published_at text,
    language text,
    document text,
    failure_code text,
    failure_message text
  ) strict;
  create table sections (
    id integer primary key,
    file_id integer not null references files (id) on delete cascade,
    text text not null,
    words text not null,
    length integer not null
  ) strict;
  create index files_by_language on files (language);
  create index sections_by_file on sections (file_id);
  create virtual table section_terms using fts5 (words, content = '', contentless_delete = 1, tokenize = ${TOKENIZER});
  create virtual table title_terms using fts5 (title, content = '', contentless_delete = 1, tokenize = ${TOKENIZER});
  create virtual table section_vocabulary using fts5vocab (section_terms, row);
  create virtual table title_vocabulary using fts5vocab (title_terms, row);
`;

/** Scores a document by its best section plus its title. Texts are joined after sorting, because sorting long rows is slow. */
const MATCH = `
  with section_scores as materialized (
    select rowid as id, bm25(section_terms) as score from section_terms where section_terms match @query
  ), title_scores as materialized (
    select rowid as file_id, bm25(title_terms) as score from title_terms where title_terms match @query
  ), best as (
    select s.file_id, s.id, min(section_scores.score) as score
    from section_scores join sections s on s.id = section_scores.id group by s.file_id
  ), found as materialized (
    select f.id as file_id, best.id as section_id, coalesce(best.score, 0) + coalesce(t.score, 0) as score
    from best full join title_scores t on t.file_id = best.file_id join files f on f.id = coalesce(best.file_id, t.file_id)
    where f.published_at is null or substr(f.published_at, 1, 10) between @from and @to
    order by 3, f.path limit @limit
  )
  select shown.id from found join files f on f.id = found.file_id
  join sections shown on shown.id = coalesce(found.section_id, (select min(id) from sections where file_id = f.id))
  order by found.score, f.path`;

const MAX_QUERY_TERMS = 200;
const MAX_LANGUAGES = 20;
const OPENING_MS = 5_000;
/** In UTF-16 code units. */
const MAX_CACHED_LENGTH = 8_000_000;
const MAX_KNOWN_FREQUENCIES = 200_000;

/** `path` is relative to the corpus folder and separated by `/`. */
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

export interface IndexedFile {
  readonly file: ListedFile;
  readonly sha256: string;
  readonly document: ExtractedDocument | null;
  readonly failure: FileFailure | null;
}

/** Days as `2021-03-04`, both inclusive. */
export interface DayRange {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

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
    mkdirSync(dirname(file), { recursive: true });
    const database = openExisting(file, dir, openingMs);
    if (database === null && !create) throw new Database.SqliteError("The index was replaced.", "SQLITE_CORRUPT");
    this.#database = database ?? createEmpty(file, dir, openingMs);
    utimesSync(file, new Date(), new Date());
    try {
      this.#statements = prepare(this.#database);
    } catch (error) {
      this.#database.close();
      if (!isDamage(error) || !create) throw error;
      this.#database = createEmpty(file, dir, openingMs);
      this.#statements = prepare(this.#database);
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

  failures(): FileFailure[] {
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

  /** Returns the best section of each matching file, best first. Leaves out files that were published on other days. */
  match(terms: readonly string[], limit: number, { from = "", to = "9999" }: DayRange = {}): IndexedSection[] {
    // In quotes, FTS5 does not read a term as an operator.
    const quoted = terms.slice(0, MAX_QUERY_TERMS).map((term) => `"${term.replaceAll('"', '""')}"`);
    if (quoted.length === 0) return [];
    const { match, section } = this.#statements;
    const ids = match.all({ query: quoted.join(" OR "), limit, from, to }) as number[];
    const known = this.#sections.of(this.#version);
    return ids.map((id) => known.get(id, () => section.get(id) as SectionRow));
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

  document(path: string): ExtractedDocument | null {
    const hash = this.#statements.hash.get(path) as string | undefined;
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
    this.#statements = prepare(this.#database);
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

type Statements = ReturnType<typeof prepare>;

function prepare(database: Database.Database) {
  return {
    marks: database.prepare("select path, size, mtime_ms as mtimeMs, ctime_ms as ctimeMs, sha256 from files"),
    pageAfter: database.prepare(
      `select path, title, language, published_at as publishedAt from files where document is not null and path > ? order by path limit ?`,
    ),
    counted: database.prepare(
      `select count(document) as total, count(failure_code) as failed, min(published_at) as "from", max(published_at) as "to" from files`,
    ),
    languageCounts: database.prepare(
      "select language, count(*) as documents from files where document is not null group by language order by 2 desc, language limit ?",
    ),
    languages: database
      .prepare("select language from files where language is not null group by language order by count(*) desc, language limit ?")
      .pluck(),
    failures: database.prepare(
      "select path, failure_code as code, failure_message as message from files where failure_code is not null order by path",
    ),
    touch: database.prepare("update files set size = @size, mtime_ms = @mtimeMs, ctime_ms = @ctimeMs where path = @path"),
    countSections: database
      .prepare("select count(*) from (select 1 from sections s join files f on f.id = s.file_id where f.path = ? limit ?)")
      .pluck(),
    dropSections: database.prepare(
      "delete from section_terms where rowid in (select s.id from sections s join files f on f.id = s.file_id where f.path = ?)",
    ),
    dropTitle: database.prepare("delete from title_terms where rowid in (select id from files where path = ?)"),
    dropFile: database.prepare("delete from files where path = ?"),
    addFile: database.prepare(
      `insert into files (path, size, mtime_ms, ctime_ms, sha256, title, title_words, title_length, published_at, language, document, failure_code, failure_message)
       values (@path, @size, @mtimeMs, @ctimeMs, @sha256, @title, @titleWords, @titleLength, @publishedAt, @language, @document, @code, @message)`,
    ),
    addSection: database.prepare("insert into sections (file_id, text, words, length) values (?, ?, ?, ?)"),
    addSectionTerms: database.prepare("insert into section_terms (rowid, words) values (?, ?)"),
    addTitleTerms: database.prepare("insert into title_terms (rowid, title) values (?, ?)"),
    match: database.prepare(MATCH).pluck(),
    section: database.prepare(
      `select f.path, f.title as name, f.published_at as publishedAt, f.title_words as titleWords, s.text, s.words
       from sections s join files f on f.id = s.file_id where s.id = ?`,
    ),
    hash: database.prepare("select sha256 from files where path = ?").pluck(),
    document: database.prepare("select document from files where path = ?").pluck(),
    counts: database.prepare(
      `select count(*) as documents, coalesce(avg(s.length), 0) as meanBodyLength, coalesce(avg(f.title_length), 0) as meanTitleLength
       from sections s join files f on f.id = s.file_id`,
    ),
    frequency: database.prepare(
      "select max(coalesce((select doc from section_vocabulary where term = @term), 0), coalesce((select doc from title_vocabulary where term = @term), 0)) as documents",
    ),
  };
}

function putFile(statements: Statements, { file, sha256, document, failure }: IndexedFile, { title, sections }: FileTerms): void {
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
function removeFile(statements: Statements, path: string): void {
  statements.dropSections.run(path);
  statements.dropTitle.run(path);
  statements.dropFile.run(path);
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

function createEmpty(file: string, dir: string, timeout: number): Database.Database {
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(file + suffix, { force: true });
  const database = connect(file, timeout);
  database.transaction(() => {
    database.exec(SCHEMA);
    const put = database.prepare("insert into meta (key, value) values (?, ?)");
    put.run("version", INDEX_VERSION);
    put.run("dir", dir);
  })();
  return database;
}

function openExisting(file: string, dir: string, timeout: number): Database.Database | null {
  let database: Database.Database | undefined;
  try {
    database = connect(file, timeout);
    const rows = database.prepare("select key, value from meta").all() as { key: string; value: string }[];
    const meta = new Map(rows.map(({ key, value }) => [key, value]));
    if (meta.get("version") === INDEX_VERSION && meta.get("dir") === dir) return database;
  } catch (error) {
    // A damaged file is replaced. The operator has to solve a full disk, a missing permission or a lock.
    if (!isDatabaseError(error) || /^SQLITE_(?:CANTOPEN|BUSY|READONLY|PERM|FULL|IOERR)/.test(error.code)) throw error;
  }
  database?.close();
  return null;
}

function connect(file: string, timeout: number): Database.Database {
  const database = new Database(file, { timeout });
  try {
    database.pragma("journal_mode = WAL");
    database.pragma("synchronous = NORMAL");
    database.pragma("foreign_keys = ON");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

export function isDatabaseError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Database.SqliteError;
}

/** Whether another connection holds the lock, also if this is the cause of the error. */
export function isLocked(error: unknown): boolean {
  const origin = error instanceof DossierError ? error.cause : error;
  return isDatabaseError(origin) && origin.code.startsWith("SQLITE_BUSY");
}

export function databaseError({ message, code }: { readonly message: string; readonly code: string }): Error {
  return new Database.SqliteError(message, code);
}

export function isDamage(error: unknown): boolean {
  return isDatabaseError(error) && /^SQLITE_(?:CORRUPT|NOTADB)/.test(error.code);
}
