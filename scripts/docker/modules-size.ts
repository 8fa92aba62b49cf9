import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

const MAX_MEGABYTES = 250;

/** Returns how large the layer of modules is: the blocks on the disk, which are more than the bytes in the files. @throws Error above the limit */
export function checkModulesSize(modules: string, maxMegabytes = MAX_MEGABYTES): string {
  const blocks = readdirSync(modules, { recursive: true, encoding: "utf8" }).map((path) => lstatSync(join(modules, path)).blocks);
  const megabytes = Math.ceil((blocks.reduce((sum, count) => sum + count, 0) * 512) / 1_000_000);
  const size = `The layer of modules has ${megabytes} MB, and may have ${maxMegabytes} MB`;
  if (megabytes > maxMegabytes) throw new Error(size);
  return size;
}
