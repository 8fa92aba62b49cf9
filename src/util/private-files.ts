import { chmodSync, closeSync, openSync, readdirSync, statSync } from "node:fs";

const STICKY = 0o1000;

/**
 * Lets only the owner into a data folder, which is empty or has a database. What else is named by a slip, such as `/etc`, stays as it is,
 * and so do a folder of all users, such as `/tmp`, and one of another owner.
 */
export function makeFolderPrivate(folder: string): void {
  attempt(() => {
    const files = readdirSync(folder);
    const isData = files.length === 0 || files.includes("dossier.sqlite");
    if (isData && (statSync(folder).mode & STICKY) === 0) chmodSync(folder, 0o700);
  });
}

/** Creates the file of a SQLite database, unless it is there, so that only its owner can read it. SQLite gives its log the same rights. */
export function makeDatabasePrivate(file: string): void {
  // A file that is there must not be opened: closing it would end all locks that this process has on it.
  attempt(() => closeSync(openSync(file, "wx", 0o600)));
  for (const suffix of ["", "-wal", "-shm", "-journal"]) attempt(() => chmodSync(file + suffix, 0o600));
}

function attempt(work: () => unknown): void {
  try {
    work();
  } catch {
    // The file is there or missing, the disk is read-only, or the file system knows no owners.
  }
}
