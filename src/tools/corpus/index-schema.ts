import { mkdirSync, rmSync, utimesSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";

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
export function openIndexFile(file: string, dir: string): Database.Database {
  mkdirSync(dirname(file), { recursive: true });
  const database = openExisting(file, dir) ?? createIndexFile(file, dir);
  const now = new Date();
  utimesSync(file, now, now);
  return database;
}

/** Throws the index away and begins a new one. */
export function createIndexFile(file: string, dir: string): Database.Database {
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
