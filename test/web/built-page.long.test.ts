import { execFile } from "node:child_process";
import { cp, mkdtemp, readdir, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const run = promisify(execFile);

/** The files of a folder by path, in base64. */
async function contentsOf(folder: string): Promise<Record<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const read = files.sort().map(async (path) => [path.slice(folder.length), await readFile(path, "base64")] as const);
  return Object.fromEntries(await Promise.all(read));
}

it("web/dist is what its sources make, type-checked, in another folder too", async () => {
  const copy = await mkdtemp(join(tmpdir(), "dossier-web-"));
  onTestFinished(() => rm(copy, { recursive: true, force: true }));
  const filter = (path: string): boolean => !/\/(?:node_modules|dist)(?:\/|$)/.test(path.slice(ROOT.length));
  await cp(join(ROOT, "web"), join(copy, "web"), { recursive: true, filter });
  await cp(join(ROOT, "src"), join(copy, "src"), { recursive: true });
  for (const name of ["package.json", ".npmrc"]) await cp(join(ROOT, name), join(copy, name));
  await symlink(join(ROOT, "node_modules"), join(copy, "node_modules"));
  await run("npm", ["run", "build:web"], { cwd: copy });
  const [made, committed] = [await contentsOf(join(copy, "web/dist")), await contentsOf(join(ROOT, "web/dist"))];
  expect(Object.keys(made)).toEqual(Object.keys(committed));
  for (const [path, content] of Object.entries(made)) expect(content === committed[path], path).toBe(true);
});
