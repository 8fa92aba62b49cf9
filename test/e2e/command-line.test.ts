import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { openDatabase } from "../../src/storage/sqlite/open-database.ts";
import { CORPUS, makeHome } from "../helpers/open-dossier.ts";

const CLI = new URL("../../src/cli.ts", import.meta.url).pathname;
const run = promisify(execFile);

async function cli(args: string[], environment: Record<string, string> = {}): Promise<{ code: number; stdout: string; stderr: string }> {
  return run(process.execPath, [CLI, ...args], { env: { SOURCES: "corpus", ...environment } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error) => ({ code: error.code, stdout: error.stdout, stderr: error.stderr }),
  );
}

async function home(): Promise<string> {
  const dir = await makeHome(CORPUS);
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

it("asks a folder, shows progress, and prints the report with numbered quotes", async () => {
  const dir = await home();
  const { code, stdout, stderr } = await cli(["ask", "Who built the lighthouse?", "--corpus", join(dir, "corpus")], {
    DATA_DIR: join(dir, "data"),
  });
  expect(code).toBe(0);
  expect(stdout).toContain("was built in 1874 by Ada Penrose. [1]");
  expect(stdout).toContain("1. “The lighthouse of Aldermoor was built in 1874 by Ada Penrose.”");
  expect(stderr.split("\n").filter((line) => line.endsWith("…") && !line.startsWith("indexing"))).toEqual([
    "llm_decision …",
    "search …",
    "rerank …",
    "download …",
    "summarize …",
  ]);
});

it("prints the run as JSON and nothing else, and replays its recording", async () => {
  const dir = await home();
  const { code, stdout } = await cli(["ask", "--json", "灯塔是谁设计的？", "--corpus", join(dir, "corpus")], {
    DATA_DIR: join(dir, "data"),
  });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ status: "succeeded", question: "灯塔是谁设计的？" });
});

it("replays a file to `identical`, and tells the place of a difference with exit 1", async () => {
  const file = new URL("../replays/chinese.ndjson", import.meta.url).pathname;
  expect(await cli(["replay", file])).toMatchObject({ code: 0, stdout: "identical\n" });
  const dir = await home();
  const changed = join(dir, "changed.ndjson");
  await writeFile(changed, (await readFile(file, "utf8")).replace("1874", "1875"));
  expect(await cli(["replay", changed])).toMatchObject({ code: 1, stderr: expect.stringContaining("does not match its digest") });
  expect(await cli(["replay", join(dir, "missing.ndjson")])).toMatchObject({ code: 1, stderr: expect.stringContaining("missing.ndjson") });
});

it("explains what it does not understand", { timeout: 60_000 }, async () => {
  for (const args of [[], ["nonsense"], ["ask"], ["ask", "   "], ["ask", "x", "--bogus"], ["ask", "x", "--sources", "moon"], ["replay"]]) {
    const dir = await home();
    const { code, stdout, stderr } = await cli(args, { DATA_DIR: join(dir, "data") });
    expect(code).toBe(1);
    expect(stdout).toBe("");
    // A slow machine says before it how far the indexing is.
    expect(stderr.replace(/^(?:indexing .*\n)*/, "")).toMatch(/^[a-z_]+: /);
    expect(stderr).not.toContain("    at ");
  }
});

it("works beside another one that has the folder", async () => {
  const dir = await home();
  const held = await openDatabase(join(dir, "data", "ask"));
  onTestFinished(() => held.close());
  const { code, stderr } = await cli(["ask", "Who built the lighthouse?", "--corpus", join(dir, "corpus")], {
    DATA_DIR: join(dir, "data"),
  });
  expect(code).toBe(0);
  expect(stderr).toContain("is in use by another process; this run is not kept");
});
