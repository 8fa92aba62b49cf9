import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { LeftOutFile } from "../../domain/left-out.ts";
import { DossierError, toDossierError } from "../../errors.ts";

/** Reads a regular file below `dir`. @throws DossierError `unreadable` or `document_too_large`, and errors of the system */
export async function readBounded(dir: string, path: string, maxBytes: number): Promise<Uint8Array> {
  // The file may have become a link or a pipe. O_NOFOLLOW refuses a link, and O_NONBLOCK does not wait for a pipe's writer.
  const handle = await open(join(dir, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new DossierError("unreadable", "It is not a regular file.");
    if (stats.size > maxBytes) throw new DossierError("document_too_large", `It has ${stats.size} bytes; the limit is ${maxBytes}.`);
    // The file may grow during the read, so one byte more than the limit is read.
    const bytes = Buffer.concat(await Array.fromAsync(handle.createReadStream({ end: maxBytes, autoClose: false })));
    if (bytes.length <= maxBytes) return bytes;
    throw new DossierError("document_too_large", `It has more than ${maxBytes} bytes, which is the limit.`);
  } finally {
    await handle.close();
  }
}

export function failureOf(path: string, error: unknown): LeftOutFile {
  const { code, message } = toDossierError(error, "unreadable");
  return { path, code, message };
}

export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "unknown error";
}
