const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^(?:EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM)/, "Give this user permission to read and write there"],
  [/^(?:ENOSPC|EDQUOT|SQLITE_FULL|SQLITE_IOERR_(?:SHM|WRITE))/, "Free some space on this disk"],
  [/^(?:ENOTDIR|EEXIST)/, "Move away the file that is in the place of a folder"],
];

/** Returns advice for an error of the file system or of SQLite, or null if its code has no advice. */
export function adviceFor(error: unknown): string | null {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return ADVICE.find(([codes]) => codes.test(code))?.[1] ?? null;
}
