import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";

const STORAGE = new URL("../../src/storage/storage.ts", import.meta.url).href;
const SMALL_DISK = new URL("../helpers/small-disk-service.ts", import.meta.url).pathname;

async function makeFolder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "dossier-folder-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** Opens the storage in another process. Returns `open`, or the code of the refusal. */
async function openElsewhere(dir: string): Promise<{ child: ChildProcess; outcome: string }> {
  const program = `const { openStorage } = await import(${JSON.stringify(STORAGE)});
    const opened = await openStorage(process.argv[1]).catch((error) => error);
    console.log(opened.code ?? "open");
    // Garbage collection would close it.
    process.stdin.on("data", () => opened);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program, dir], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [chunk] = await once(child.stdout, "data");
  return { child, outcome: String(chunk).trim() };
}

it("lets no second process in if somebody deletes or replaces the lock of the first", async () => {
  const dir = await makeFolder();
  const lock = join(dir, "lock.sqlite");
  const first = await openElsewhere(dir);
  expect(first.outcome).toBe("open");
  await rm(lock);
  await writeFile(lock, "");
  expect((await openElsewhere(dir)).outcome).toBe("data_dir_in_use");
  first.child.kill("SIGKILL");
  await once(first.child, "exit");
  expect((await openElsewhere(dir)).outcome).toBe("open");
});

const canMount = ((): boolean => {
  try {
    execFileSync("unshare", ["-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

/** Needs the right to mount a small file system in a namespace of its own. */
it.skipIf(!canMount).each([
  ["full", 202],
  ["read-only", null],
])("starts on a %s disk, reads what is stored, and refuses new runs", async (kind, later) => {
  const script = `mount -t tmpfs -o size=12m tmpfs "$1" && exec "$2" "$3" "$1" "$4"`;
  const parameters = ["-rm", "sh", "-c", script, "sh", await makeFolder(), process.execPath, SMALL_DISK, kind];
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
    later,
  });
});
