import { rmSync } from "node:fs";
import Database from "better-sqlite3";
import { DossierError } from "../../errors.ts";
import { makeDatabasePrivate } from "../../util/private-files.ts";

/** Raise this when extraction, tokenizing or the schema changes, so that existing indexes are rebuilt. */
const INDEX_VERSION = "14";

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

/** Replaces what is there by an empty index of the folder `dir`. `timeout`: how long a lock is waited for, in milliseconds. */
export function createEmpty(file: string, dir: string, timeout: number): Database.Database {
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

/** Returns null if the file is damaged, or is of another version or folder. @throws what the operator has to solve, such as a full disk */
export function openExisting(file: string, dir: string, timeout: number): Database.Database | null {
  let database: Database.Database | undefined;
  try {
    database = connect(file, timeout);
    const rows = database.prepare("select key, value from meta").all() as { key: string; value: string }[];
    const meta = new Map(rows.map(({ key, value }) => [key, value]));
    if (meta.get("version") === INDEX_VERSION && meta.get("dir") === dir) return database;
  } catch (error) {
    if (!isDatabaseError(error) || /^SQLITE_(?:CANTOPEN|BUSY|READONLY|PERM|FULL|IOERR)/.test(error.code)) throw error;
  }
  database?.close();
  return null;
}

function connect(file: string, timeout: number): Database.Database {
  makeDatabasePrivate(file);
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
