import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openDataFolder } from "../../src/storage/sqlite/data-folder.ts";
import { openDossier } from "../helpers/open-dossier.ts";
import { askCorpus as cli, corpusHome as home } from "../helpers/run-cli.ts";

const CLI = new URL("../../src/cli.ts", import.meta.url).pathname;

it("names in the answer files that could not be indexed, up to a limit", async () => {
  const dir = await home();
  for (let at = 10; at < 35; at++) await writeFile(join(dir, "corpus", `空${at}.txt`), "");
  const { stdout } = await cli(["ask", "Who built the lighthouse?", "--corpus", join(dir, "corpus")], { DATA_DIR: join(dir, "data") });
  const lines = stdout.split("\n").filter((line) => /^- (?:空\d|\d+ more)/.test(line));
  expect(lines).toHaveLength(21);
  expect(lines[0]).toBe("- 空10.txt: It has no bytes. Give a copy that has text.");
  expect(lines[20]).toBe("- 5 more files: .txt 5");
});

it("leaves no temporary folder when a signal comes before there is a run", async () => {
  const dir = await home();
  await mkdir(join(dir, "tmp"));
  const files = Array.from({ length: 1_000 }, (_, index) => join(dir, "corpus", `${index}.md`));
  for (const [index, file] of files.entries()) await writeFile(file, `# 第${index}章\n\n${"灯塔。".repeat(400)}\n`);
  const held = await openDataFolder(join(dir, "data", "ask"), async () => undefined);
  onTestFinished(() => held.close());
  const env = { DATA_DIR: join(dir, "data"), TMPDIR: join(dir, "tmp") };
  const child = spawn(process.execPath, [CLI, "ask", "灯塔是谁设计的？", "--corpus", join(dir, "corpus")], { env });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  // The folder is made right before the indexing, which takes seconds for a thousand files.
  await expect.poll(() => readdir(join(dir, "tmp"))).toHaveLength(1);
  child.kill("SIGINT");
  const [code] = await once(child, "exit");
  expect(code).toBe(1);
  expect(stderr).toContain("cancelling …\ncancelled: Stopped before the run began; no run was stored.");
  expect(await readdir(join(dir, "tmp"))).toEqual([]);
});

it("keeps the most recent runs and indexes, ends unfinished runs, and touches nothing else", async () => {
  const dir = await home();
  const ask = join(dir, "data", "ask");
  const earlier = await openDossier({ dir, environment: { DATA_DIR: ask } });
  for (let count = 0; count < 105; count++) await earlier.start({ question: `${count}` });
  await earlier.close(0);
  const foreign = ["corpus-notes.sqlite", "corpus-0123456789ab.sqlite.bak", "灯塔.txt"];
  const indexes = Array.from({ length: 8 }, (_, index) => `corpus-${String(index).padStart(12, "0")}.sqlite`);
  for (const [index, name] of [...indexes, ...foreign].entries()) {
    await writeFile(join(ask, name), "");
    await utimes(join(ask, name), 1_000 + index, 1_000 + index);
  }
  await writeFile(join(ask, `${indexes[0]}-wal`), "");
  const { code } = await cli(["ask", "Who built the lighthouse?", "--corpus", join(dir, "corpus")], { DATA_DIR: join(dir, "data") });
  expect(code).toBe(0);
  const names = await readdir(ask);
  expect(names).toEqual(expect.arrayContaining(foreign));
  // The four most recent of the old runs, and the index of the corpus that was just used.
  const kept = names.filter((name) => indexes.some((index) => name.startsWith(index)));
  expect(kept.toSorted()).toEqual(indexes.slice(-4));
  const later = await openDossier({ dir, environment: { DATA_DIR: ask } });
  const statuses = [];
  for (let cursor: string | undefined, more = true; more; ) {
    const page = await later.runs.list("default", { limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    statuses.push(...page.runs.map(({ status }) => status));
    cursor = page.nextCursor ?? undefined;
    more = cursor !== undefined;
  }
  expect(statuses).toHaveLength(101);
  expect(statuses.filter((status) => status === "queued" || status === "running")).toEqual([]);
});

it("works beside another process that uses the folder, and prints the run as JSON and nothing else", async () => {
  const dir = await home();
  const held = await openDataFolder(join(dir, "data", "ask"), async () => undefined);
  onTestFinished(() => held.close());
  const { code, stdout, stderr } = await cli(["ask", "--json", "灯塔是谁设计的？", "--corpus", join(dir, "corpus")], {
    DATA_DIR: join(dir, "data"),
  });
  expect(code).toBe(0);
  expect(stderr).toContain("is in use by another process, so this run is deleted at exit");
  expect(JSON.parse(stdout)).toMatchObject({ status: "succeeded", question: "灯塔是谁设计的？" });
});
