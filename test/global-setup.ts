import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import chromium from "@sparticuz/chromium";
import { buildPage } from "../scripts/build-page.ts";
import { SERVER } from "./helpers/postgres.ts";
import { startPostgres } from "./helpers/postgres-server.ts";

/**
 * Builds the page, and prepares the temporary folder of this run, the TMPDIR of its workers and their processes, which is deleted at the end. The browser is
 * unpacked into it once, and PostgreSQL started once: a worker could not start a file that another worker still writes. `chromium.executablePath()` then returns its path.
 */
export async function setup(): Promise<() => Promise<void>> {
  buildPage(resolve(import.meta.dirname, ".."));
  const roomy = roomyFolder();
  const folder = mkdtempSync(join(roomy, "dossier-tests-"));
  // Where root starts the tests, PostgreSQL runs as another user.
  const postgres = mkdtempSync(join([roomy, "/tmp", "/var/tmp"].find(isOpenToAll) ?? roomy, "dossier-tests-"));
  chmodSync(postgres, 0o755);
  process.once("exit", () => {
    for (const one of [folder, postgres]) rmSync(one, { recursive: true, force: true });
  });
  const { url, stop } = await startPostgres(postgres);
  // biome-ignore lint/style/noProcessEnv: the workers start later and inherit it
  Object.assign(process.env, { TMPDIR: folder, [SERVER.address]: url, [SERVER.folder]: postgres });
  await chromium.executablePath();
  return stop;
}

/** Whether other users may enter a folder and all folders above it. */
function isOpenToAll(folder: string): boolean {
  const mode = statSync(folder, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & 0o001) !== 0 && (folder === "/" || isOpenToAll(dirname(folder)));
}

/** Returns a folder in memory if it has two free gigabytes: tests open thousands of databases, and a disk would slow them down. */
function roomyFolder(): string {
  if (!existsSync("/dev/shm")) return tmpdir();
  const { bavail, bsize } = statfsSync("/dev/shm");
  return bavail * bsize > 2 ** 31 ? "/dev/shm" : tmpdir();
}
