import { mkdirSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { makeDatabasePrivate } from "../../util/private-files.ts";

/** Raise this when extraction, tokenizing or the schema changes, so that existing indexes are rebuilt. */
const INDEX_VERSION = "15";
/** How long a statement waits for the lock of another connection, in milliseconds. */
const LOCKED_MS = 5_000;
const MAX_LOG_BYTES = 4_000_000;

/** Makes FTS5 split text only at spaces. `tokenize` has already split it into terms. */
const TOKENIZER = `"unicode61 remove_diacritics 0 categories 'L* N* M* S* P* Co'"`;

/** Titles have their own table: if each section repeated the title, a long document's title would count less. Lengths count terms. */
const SCHEMA = `
  create table meta (version text not null, dir text not null) strict;
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

/** Opens the index of the folder `dir`. Replaces a file that is damaged, or of another version or folder. @throws errors of better-sqlite3 */
export function openDatabase(file: string, dir: string): Database.Database {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const database = openExisting(file, dir);
  if (database !== null) return database;
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(file + suffix, { force: true });
  const empty = connect(file);
  empty.transaction(() => {
    empty.exec(SCHEMA);
    empty.prepare("insert into meta (version, dir) values (?, ?)").run(INDEX_VERSION, dir);
  })();
  return empty;
}

/** @throws what the operator has to solve, such as a full disk */
function openExisting(file: string, dir: string): Database.Database | null {
  let database: Database.Database | undefined;
  try {
    database = connect(file);
    if (database.prepare("select 1 from meta where version = ? and dir = ?").get(INDEX_VERSION, dir)) return database;
  } catch (error) {
    if (!isDatabaseError(error) || /^SQLITE_(?:CANTOPEN|BUSY|READONLY|PERM|FULL|IOERR)/.test(error.code)) throw error;
  }
  database?.close();
  return null;
}

function connect(file: string): Database.Database {
  makeDatabasePrivate(file);
  const database = new Database(file, { timeout: LOCKED_MS });
  try {
    for (const setting of ["journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON", `journal_size_limit = ${MAX_LOG_BYTES}`])
      database.pragma(setting);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

export function isDatabaseError(error: unknown): error is Error & { readonly code: string } {
  return error instanceof Database.SqliteError;
}
