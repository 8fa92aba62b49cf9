import { existsSync, mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";

/**
 * Prepares the temporary folder of this run, the TMPDIR of its workers and their processes, which is deleted at the end. The browser is
 * unpacked into it once: a worker could not start a file that another worker still writes. `chromium.executablePath()` then returns its path.
 */
export async function setup(): Promise<void> {
  const folder = mkdtempSync(join(roomyFolder(), "dossier-tests-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  // biome-ignore lint/style/noProcessEnv: the workers start later and inherit it
  process.env["TMPDIR"] = folder;
  await chromium.executablePath();
}

/** Returns a folder in memory if it has two free gigabytes: tests open thousands of databases, and a disk would slow them down. */
function roomyFolder(): string {
  if (!existsSync("/dev/shm")) return tmpdir();
  const { bavail, bsize } = statfsSync("/dev/shm");
  return bavail * bsize > 2 ** 31 ? "/dev/shm" : tmpdir();
}
