// npm runs this file after each install, and the Dockerfile with `--image`.
import { type Dirent, existsSync, readdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

/** The only weights that src/reports/fonts.ts names; the package has nine, with 10 MB each. */
const USED_WEIGHTS: ReadonlySet<string> = new Set(["400Regular", "700Bold"]);
const WEIGHT = /^[1-9]00[A-Z]\w+$/;

const UNUSED_FILE = /\.(?:map|tsx?|[mc]ts|md|markdown|cc?|cpp|hh?|hpp)$/i;
const LEGAL_FILE = /licen[cs]e|notice|copying|copyright|patents/i;
/** Below the root of a package. */
const UNUSED_FOLDERS: ReadonlySet<string> = new Set([
  "test",
  "tests",
  "__tests__",
  "docs",
  "example",
  "examples",
  "benchmark",
  "benchmarks",
]);

/** The image has its own Node. */
const NODE = /^node-linux-\w+$/;

/** Deletes the fonts that no report uses. With `image` also deletes Node and what only developers of packages read, but no license or notice. */
export function trimModules(modules: string, { image }: { readonly image: boolean }): void {
  const fonts = join(modules, "@expo-google-fonts", "noto-sans-sc");
  for (const { name } of entriesOf(fonts)) if (WEIGHT.test(name) && !USED_WEIGHTS.has(name)) remove(join(fonts, name));
  if (!image) return;
  for (const { name } of entriesOf(modules)) if (NODE.test(name)) remove(join(modules, name));
  remove(join(modules, ".bin", "node"));
  trimFolder(modules);
}

function trimFolder(folder: string): void {
  const entries = entriesOf(folder);
  const isPackage = entries.some(({ name }) => name === "package.json");
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.isFile() && UNUSED_FILE.test(entry.name) && !LEGAL_FILE.test(entry.name)) remove(path);
    else if (entry.isDirectory() && isPackage && UNUSED_FOLDERS.has(entry.name)) remove(path);
    else if (entry.isDirectory()) trimFolder(path);
  }
}

function entriesOf(folder: string): Dirent[] {
  return existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

if (import.meta.main) trimModules(resolve(import.meta.dirname, "../node_modules"), { image: process.argv.includes("--image") });
