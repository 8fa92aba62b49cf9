import { mkdirSync, rmSync, utimesSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { type ExtractedDocument, ExtractedDocumentSchema } from "../../domain/document.ts";
import { type ErrorCode, isErrorCode } from "../../errors.ts";
import type { CollectionStatistics } from "../../ranking/rank-texts.ts";
import { tokenize } from "../../ranking/tokenize.ts";
import { splitSections } from "./sections.ts";

/** SQLite looks up every term of a query in turn; more of them cost time and change little. */
const MAX_QUERY_TERMS = 200;
/** Bounds what is remembered of the vocabulary. */
const MAX_KNOWN_FREQUENCIES = 200_000;

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

/** A file as the index knows it. `failure` is set instead of a document. */
interface IndexedFile {
  readonly file: ListedFile;
  readonly sha256: string;
  readonly document: ExtractedDocument | null;
  readonly failure: FileFailure | null;
}

export type FileMark = Pick<ListedFile, "size" | "mtimeMs" | "ctimeMs"> & { readonly sha256: string };

/** The best section of a document that matches. */
export interface Match {
  readonly path: string;
  readonly title: string;
  readonly publishedAt: string | null;
  readonly sectionText: string;
  /** The terms of the title, and of the section's headings and body, with spaces between them. */
  readonly titleWords: string;
  readonly words: string;
}

/** The index on disk: synchronous, every change a transaction. Throws the errors of better-sqlite3. */
export interface CorpusIndex {
  /** Counts the times the index was begun anew. */
  readonly generation: number;
  marks(): Map<string, FileMark>;
  failures(): FileFailure[];
  put(entry: IndexedFile): void;
  /** Notes the new clocks of a file whose bytes are as they were. */
  touch(file: ListedFile): void;
  remove(path: string): void;
  /** One match per document, by a first ranking that only tells what is worth a closer look. */
  match(terms: readonly string[], limit: number): Match[];
  /** Of all sections, as they are now. */
  statistics(): CollectionStatistics;
  document(path: string): ExtractedDocument | null;
  /** Throws everything away. */
  reset(): void;
  close(): void;
}

/** The index of the corpus at `dir` in `file`. */
export function openCorpusIndex(file: string, dir: string): CorpusIndex {
  let { database, statements } = openPrepared(file, dir);
  let generation = 0;
  let statistics: CollectionStatistics | null = null;
  const changing = (change: () => void): void => {
    statistics = null;
    database.transaction(change)();
  };
  return {
    get generation() {
      return generation;
    },
    marks: () => new Map((statements.marks.all() as (FileMark & { path: string })[]).map(({ path, ...mark }) => [path, mark])),
    failures: () => (statements.failures.all() as { path: string; code: string; message: string }[]).map(toFailure),
    put: (entry) => changing(() => putFile(statements, entry)),
    touch: (listed) => void statements.touch.run(listed),
    remove: (path) => changing(() => removeFile(statements, path)),
    match: (terms, limit) => (terms.length === 0 ? [] : (statements.match.all({ query: matchExpression(terms), limit }) as Match[])),
    statistics: () => {
      statistics ??= readStatistics(statements);
      return statistics;
    },
    document: (path) => {
      const row = statements.document.get(path) as { document: string | null } | undefined;
      return row?.document ? ExtractedDocumentSchema.parse(JSON.parse(row.document)) : null;
    },
    reset: () => {
      database.close();
      database = createIndexFile(file, dir);
      statements = prepare(database);
      statistics = null;
      generation++;
    },
    close: () => void database.close(),
  };
}

/**
 * The best section of a document and its title make its score. bm25 is the smaller the better; with min(), SQLite takes
 * the other columns from the row of the minimum. A document that only its title matches shows its first section. Texts are
 * fetched for what is left alone: carried through the sorting they would take most of the time.
 */
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
    order by 3, f.path limit @limit
  )
  select f.path, f.title, f.published_at as publishedAt, shown.text as sectionText,
    f.title_words as titleWords, shown.words
  from found join files f on f.id = found.file_id
  join sections shown on shown.id = coalesce(found.section_id, (select min(id) from sections where file_id = f.id))
  order by found.score, f.path`;

function openPrepared(file: string, dir: string): { database: Database.Database; statements: Statements } {
  let database = openIndexFile(file, dir);
  try {
    return { database, statements: prepare(database) };
  } catch (error) {
    database.close();
    if (!isDamage(error)) throw error;
    database = createIndexFile(file, dir);
    return { database, statements: prepare(database) };
  }
}

type Statements = ReturnType<typeof prepare>;

function prepare(database: Database.Database) {
  return {
    marks: database.prepare("select path, size, mtime_ms as mtimeMs, ctime_ms as ctimeMs, sha256 from files"),
    failures: database.prepare(
      "select path, failure_code as code, failure_message as message from files where failure_code is not null order by path",
    ),
    touch: database.prepare("update files set size = @size, mtime_ms = @mtimeMs, ctime_ms = @ctimeMs where path = @path"),
    dropSections: database.prepare(
      "delete from section_terms where rowid in (select s.id from sections s join files f on f.id = s.file_id where f.path = ?)",
    ),
    dropTitle: database.prepare("delete from title_terms where rowid in (select id from files where path = ?)"),
    dropFile: database.prepare("delete from files where path = ?"),
    addFile: database.prepare(
      `insert into files (path, size, mtime_ms, ctime_ms, sha256, title, title_words, title_length, published_at, document, failure_code, failure_message)
       values (@path, @size, @mtimeMs, @ctimeMs, @sha256, @title, @titleWords, @titleLength, @publishedAt, @document, @code, @message)`,
    ),
    addSection: database.prepare("insert into sections (file_id, text, words, length) values (?, ?, ?, ?)"),
    addSectionTerms: database.prepare("insert into section_terms (rowid, words) values (?, ?)"),
    addTitleTerms: database.prepare("insert into title_terms (rowid, title) values (?, ?)"),
    match: database.prepare(MATCH),
    document: database.prepare("select document from files where path = ?"),
    counts: database.prepare(
      `select count(*) as documents, coalesce(avg(s.length), 0) as meanBodyLength, coalesce(avg(f.title_length), 0) as meanTitleLength
       from sections s join files f on f.id = s.file_id`,
    ),
    frequency: database.prepare(
      "select max(coalesce((select doc from section_vocabulary where term = @term), 0), coalesce((select doc from title_vocabulary where term = @term), 0)) as documents",
    ),
  };
}

function putFile(statements: Statements, { file, sha256, document, failure }: IndexedFile): void {
  removeFile(statements, file.path);
  const title = tokenize(document?.title ?? "");
  const { lastInsertRowid } = statements.addFile.run({
    ...file,
    sha256,
    title: document?.title ?? "",
    titleWords: title.join(" "),
    titleLength: title.length,
    publishedAt: document?.publishedAt ?? null,
    document: document && JSON.stringify(document),
    code: failure?.code ?? null,
    message: failure?.message ?? null,
  });
  if (!document) return;
  statements.addTitleTerms.run(lastInsertRowid, title.join(" "));
  putSections(statements, lastInsertRowid, document);
}

function putSections(statements: Statements, fileId: number | bigint, document: ExtractedDocument): void {
  for (const section of splitSections(document)) {
    const text = document.text.slice(section.start, section.end);
    // What counts as the title counts for nothing else.
    const body = text.startsWith(document.title) ? text.slice(document.title.length) : text;
    const headings = section.headings.filter((heading) => heading !== document.title);
    const terms = tokenize([...headings, body].join("\n"));
    const { lastInsertRowid } = statements.addSection.run(fileId, text, terms.join(" "), terms.length);
    statements.addSectionTerms.run(lastInsertRowid, terms.join(" "));
  }
}

/** Frequencies are looked up when they are first asked for. */
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

/** FTS rows first: they are found by the ids of the file and its sections, which go with it. */
function removeFile(statements: Statements, path: string): void {
  statements.dropSections.run(path);
  statements.dropTitle.run(path);
  statements.dropFile.run(path);
}

/** Any of the terms; each quoted, so that nothing of a question is taken for the syntax of FTS5. */
function matchExpression(terms: readonly string[]): string {
  return terms
    .slice(0, MAX_QUERY_TERMS)
    .map((term) => `"${term.replaceAll('"', '""')}"`)
    .join(" OR ");
}

function toFailure({ path, code, message }: { path: string; code: string; message: string }): FileFailure {
  return { path, code: isErrorCode(code) ? code : "unreadable", message };
}

/** Raise it whenever extraction, tokenising or this schema changes what is stored: older indexes are then built anew. */
const INDEX_VERSION = "10";

/** Terms are cut by `tokenize`; FTS5 only splits them at the spaces between: marks and punctuation belong to their term. */
const TOKENIZER = `"unicode61 remove_diacritics 0 categories 'L* N* M* S* P* Co'"`;

/**
 * Titles are scored apart from sections, document by document: a title repeated in each of its sections would be the
 * less telling, the longer its document. `sections` and `files` keep the text beside its terms (with spaces between them), by which
 * what matches is ranked. The words of a section are those of its headings and its body; lengths are in terms.
 */
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
  create index sections_by_file on sections (file_id);
  create virtual table section_terms using fts5 (words, content = '', contentless_delete = 1, tokenize = ${TOKENIZER});
  create virtual table title_terms using fts5 (title, content = '', contentless_delete = 1, tokenize = ${TOKENIZER});
  create virtual table section_vocabulary using fts5vocab (section_terms, row);
  create virtual table title_vocabulary using fts5vocab (title_terms, row);
`;

/**
 * Opens the index of the corpus at `dir`; the time of its file says when it was last used. A file that is damaged, of another version or of another folder is replaced by
 * an empty index: it is only a cache.
 */
function openIndexFile(file: string, dir: string): Database.Database {
  mkdirSync(dirname(file), { recursive: true });
  const database = openExisting(file, dir) ?? createIndexFile(file, dir);
  const now = new Date();
  utimesSync(file, now, now);
  return database;
}

/** Throws the index away and begins a new one. */
function createIndexFile(file: string, dir: string): Database.Database {
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(file + suffix, { force: true });
  const database = connect(file);
  database.transaction(() => {
    database.exec(SCHEMA);
    const put = database.prepare("insert into meta (key, value) values (?, ?)");
    put.run("version", INDEX_VERSION);
    put.run("dir", dir);
  })();
  return database;
}

function openExisting(file: string, dir: string): Database.Database | null {
  let database: Database.Database | undefined;
  try {
    database = connect(file);
    const rows = database.prepare("select key, value from meta").all() as { key: string; value: string }[];
    const meta = new Map(rows.map(({ key, value }) => [key, value]));
    if (meta.get("version") === INDEX_VERSION && meta.get("dir") === dir) return database;
  } catch (error) {
    // A new file has no table "meta" yet. Whatever else SQLite refuses to read as an index is not one.
    if (!isDatabaseError(error) || /^SQLITE_(?:CANTOPEN|BUSY|READONLY|PERM|FULL|IOERR)/.test(error.code)) throw error;
  }
  database?.close();
  return null;
}

function connect(file: string): Database.Database {
  const database = new Database(file);
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

/** Whether SQLite found the file damaged. */
export function isDamage(error: unknown): boolean {
  return isDatabaseError(error) && /^SQLITE_(?:CORRUPT|NOTADB)/.test(error.code);
}
