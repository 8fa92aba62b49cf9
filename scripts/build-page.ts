// `npm start`, `npm run dev` and the tests run this file before anything else.
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

/** What the page is made of. `test/architecture/page-imports.test.ts` says which folders of `src` it may import. */
const SOURCES = [
  "web/src",
  "web/public",
  "web/index.html",
  "web/package.json",
  "web/vite.config.ts",
  "src/util",
  "src/words",
  "package-lock.json",
];
const BUILT = "web/dist/index.html";
/** Only developers' installations have it. */
const PACKAGE = "node_modules/@vitejs/plugin-react";

const TIMEOUT_MS = 300_000;

export type PageBuild = "built" | "up to date" | "packages missing";

/** Builds the page of a checkout if it is missing or older than its sources. @throws Error if Vite fails */
export function buildPage(root: string): PageBuild {
  const built = statSync(join(root, BUILT), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (SOURCES.every((path) => lastChange(join(root, path)) <= built)) return "up to date";
  if (!existsSync(join(root, PACKAGE))) return "packages missing";
  const { status, stdout, stderr, error } = spawnSync("npm", ["run", "build:web"], { cwd: root, timeout: TIMEOUT_MS, encoding: "utf8" });
  if (status !== 0) throw new Error(`The page could not be built: ${error?.message ?? `${stdout}${stderr}`.trim()}`);
  return "built";
}

/** Returns when a file, or anything in a folder, changed last, in milliseconds. A folder changes when an entry is deleted. */
function lastChange(path: string): number {
  const entry = statSync(path, { throwIfNoEntry: false });
  if (!entry?.isDirectory()) return entry?.mtimeMs ?? 0;
  return Math.max(entry.mtimeMs, ...readdirSync(path).map((name) => lastChange(join(path, name))));
}

if (import.meta.main && buildPage(resolve(import.meta.dirname, "..")) === "packages missing")
  console.error(
    "The page is missing or old, and the packages that build it are not installed: npm ci --include=dev. The service starts as it is.",
  );
