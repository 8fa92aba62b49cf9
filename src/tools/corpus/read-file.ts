import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { DossierError } from "../../errors.ts";

/**
 * The bytes of a regular file below `dir`.
 * @throws DossierError `document_too_large` above `maxBytes`, `unreadable` for what is no regular file (any more)
 */
export async function readBounded(dir: string, path: string, maxBytes: number): Promise<Uint8Array> {
  // The file may have become a link or a pipe since it was listed: follow no link, wait for no writer.
  const handle = await open(join(dir, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw new DossierError("unreadable", "It is not a regular file.");
    if (stats.size > maxBytes) {
      throw new DossierError("document_too_large", `The file has ${stats.size} bytes; at most ${maxBytes} are read.`);
    }
    return await handle.readFile();
  } finally {
    await handle.close();
  }
}
