import { execFile } from "node:child_process";
import { chmod, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { openStorage } from "../../src/storage/storage.ts";
import { CORPUS, makeHome, openDossier, TENANT } from "../helpers/open-dossier.ts";

const CLI = new URL("../../src/cli.ts", import.meta.url).pathname;

async function rightsIn(dir: string): Promise<Record<string, string>> {
  const names = await readdir(dir, { recursive: true });
  const rights = [".", ...names].map(async (name) => [name, ((await stat(join(dir, name))).mode & 0o777).toString(8)]);
  return Object.fromEntries(await Promise.all(rights));
}

it("lets only its user read the data folder and all files in it, also the log of the database, uploads and the corpus index", async () => {
  const dossier = await openDossier();
  await dossier.threads.add(
    { tenant: TENANT, threadId: "A" },
    { files: [{ name: "租约.txt", mediaType: "text/plain", bytes: Buffer.from("租约") }], urls: [] },
    new AbortController().signal,
  );
  const { id } = await dossier.start({ question: "灯里烧什么？" });
  await dossier.finish(id);
  const rights = await rightsIn(join(dossier.dir, "data"));
  expect(Object.keys(rights)).toEqual(expect.arrayContaining(["dossier.sqlite-wal", "dossier.sqlite-shm", "lock.sqlite"]));
  expect(Object.keys(rights).some((name) => /^corpus-.*\.sqlite$/.test(name))).toBe(true);
  const { ".": folder, ...files } = rights;
  expect([folder, ...new Set(Object.values(files))]).toEqual(["700", "600"]);
});

it("tightens a folder of an earlier version, and leaves files that are not its own", async () => {
  const first = await openDossier();
  const data = join(first.dir, "data");
  await first.close(0);
  await chmod(data, 0o755);
  await chmod(join(data, "dossier.sqlite"), 0o644);
  await writeFile(join(data, "备份.sh"), "", { mode: 0o755 });
  await openDossier({ dir: first.dir });
  expect(await rightsIn(data)).toMatchObject({ ".": "700", "dossier.sqlite": "600", "备份.sh": "755" });
});

it("leaves a folder with other files as it is, which was named by a slip", async () => {
  const dir = await makeHome(CORPUS);
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await chmod(dir, 0o755);
  const storage = await openStorage(dir);
  await storage.close();
  expect(await rightsIn(dir)).toMatchObject({ ".": "755", "dossier.sqlite": "600" });
});

it("does so without a umask too", async () => {
  const dir = await makeHome(CORPUS);
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const env = { SOURCES: "corpus", DATA_DIR: join(dir, "数据"), CORPUS_DIR: join(dir, "corpus") };
  await promisify(execFile)("/bin/sh", ["-c", 'umask 000; exec "$@"', "sh", process.execPath, CLI, "ask", "灯里烧什么？"], { env });
  const { ".": folder, ...files } = await rightsIn(join(dir, "数据", "ask"));
  expect([folder, ...new Set(Object.values(files))]).toEqual(["700", "600"]);
});
