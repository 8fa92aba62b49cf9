import { type Dirent, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { DossierError } from "../errors.ts";

/** Returns the bytes of the files in a folder, by name. Leaves out folders, and files that vanish meanwhile. @throws DossierError `storage_unavailable` */
export function fileSizes(folder: string): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const entry of entriesOf(folder)) {
    const stats = entry.isFile() ? statSync(join(folder, entry.name), { throwIfNoEntry: false }) : undefined;
    if (stats !== undefined) sizes.set(entry.name, stats.size);
  }
  return sizes;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (cause) {
    throw new DossierError("storage_unavailable", `The data folder ${folder} cannot be read. Bring it back, or restart the server.`, {
      cause,
    });
  }
}
