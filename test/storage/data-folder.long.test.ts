import { execFile, execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";

const SMALL_DISK = new URL("../helpers/small-disk-service.ts", import.meta.url).pathname;

async function makeFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "dossier-folder-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

const canMount = ((): boolean => {
  try {
    execFileSync("unshare", ["-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

/** Needs the right to mount a small file system in a namespace of its own. */
it.skipIf(!canMount)("starts on a full disk, reads what is stored, and refuses new runs until there is room", async () => {
  const script = `mount -t tmpfs -o size=12m tmpfs "$1" && exec "$2" "$3" "$1"`;
  const parameters = ["-rm", "sh", "-c", script, "sh", await makeFolder(), process.execPath, SMALL_DISK];
  const { stdout } = await promisify(execFile)("unshare", parameters, { timeout: 120_000 });
  expect(JSON.parse(stdout)).toEqual({
    unfinished: 1,
    run: "succeeded",
    reads: {
      document: 200,
      "/research": 200,
      "/healthz": 200,
      "/readyz": 503,
      "/research/id/events": 200,
      "/research/id/report": 200,
      "/research/id/recording": 200,
      "/research/id/bundle": 200,
    },
    refused: { status: 503, code: "storage_unavailable" },
    later: 202,
  });
});
