import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** Returns the bytes of the files in a folder, by name. Leaves out folders, and files that vanish meanwhile. */
export function fileSizes(folder: string): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const stats = entry.isFile() ? statSync(join(folder, entry.name), { throwIfNoEntry: false }) : undefined;
    if (stats !== undefined) sizes.set(entry.name, stats.size);
  }
  return sizes;
}
