import { expect, it } from "vitest";
import { adviceFor } from "../../src/util/file-advice.ts";

const failure = (code: string) => Object.assign(new Error("操作失败"), { code });

it.each([
  ["EPERM", "Give this user permission to read and write there"],
  ["SQLITE_READONLY_DIRECTORY", "Give this user permission to read and write there"],
  ["ENOSPC", "Free some space on this disk"],
  ["SQLITE_FULL", "Free some space on this disk"],
  ["ENOTDIR", "Move away the file that is in the place of a folder"],
])("advises by the code of the error: %s", (code, advice) => {
  expect(adviceFor(failure(code))).toBe(advice);
});

it.each([failure("SQLITE_CORRUPT"), failure("SQLITE_NOTADB"), new Error("EACCES"), "EACCES", null])("has no advice for %s", (error) => {
  expect(adviceFor(error)).toBeNull();
});
