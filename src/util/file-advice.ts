const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^(?:EACCES|EPERM|EROFS|SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM)/, "Give this user permission to read and write there"],
  [/^(?:ENOSPC|EDQUOT|SQLITE_FULL)/, "Free some space on this disk"],
  [/^(?:ENOTDIR|EEXIST)/, "Move away the file that is in the place of a folder"],
];

/** Returns what to do about an error of the file system or of SQLite by its code, or null if the place is not the cause. */
export function adviceFor(error: unknown): string | null {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return ADVICE.find(([codes]) => codes.test(code))?.[1] ?? null;
}
