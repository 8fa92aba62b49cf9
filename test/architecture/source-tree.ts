import { globSync, readFileSync } from "node:fs";
import { join, posix, sep } from "node:path";
import { type ModuleFacts, moduleFacts } from "./module-facts.ts";

/** Returns the facts of every TypeScript file below a folder of the project. */
export function readTree(root: string, folder: string): ModuleFacts[] {
  return globSync("**/*.ts", { cwd: join(root, folder) })
    .map((file) => posix.join(folder, file.replaceAll(sep, "/")))
    .sort()
    .map((path) => moduleFacts(path, readFileSync(join(root, path), "utf8")));
}
