import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import { startPostgres } from "./helpers/postgres.ts";

/**
 * Prepares the temporary folder of this run, the TMPDIR of its workers and their processes, which is deleted at the end. The browser is
 * unpacked into it once, and PostgreSQL started once: a worker could not start a file that another worker still writes. `chromium.executablePath()` then returns its path.
 */
export async function setup(): Promise<() => Promise<void>> {
  const roomy = roomyFolder();
  const folder = mkdtempSync(join(roomy, "dossier-tests-"));
  const postgres = mkdtempSync(join(roomy, "dossier-tests-"));
  // PostgreSQL may run as another user.
  chmodSync(postgres, 0o755);
  process.once("exit", () => {
    for (const one of [folder, postgres]) rmSync(one, { recursive: true, force: true });
  });
  const stopPostgres = await startPostgres(postgres);
  // biome-ignore lint/style/noProcessEnv: the workers start later and inherit it
  process.env["TMPDIR"] = folder;
  await chromium.executablePath();
  return stopPostgres;
}

/** Returns a folder in memory if it has two free gigabytes: tests open thousands of databases, and a disk would slow them down. */
function roomyFolder(): string {
  if (!existsSync("/dev/shm")) return tmpdir();
  const { bavail, bsize } = statfsSync("/dev/shm");
  return bavail * bsize > 2 ** 31 ? "/dev/shm" : tmpdir();
}
