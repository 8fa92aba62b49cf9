import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { pdfOf } from "../helpers/made-files.ts";
import { CORPUS, makeHome } from "../helpers/open-dossier.ts";
import { runCli } from "../helpers/run-cli.ts";

async function home() {
  const dir = await makeHome(CORPUS);
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const env = { SOURCES: "corpus", DATA_DIR: join(dir, "data"), CORPUS_DIR: join(dir, "corpus") };
  const given = join(dir, "given");
  await mkdir(given);
  await writeFile(join(given, "lamp.pdf"), pdfOf(["The lamp of Tolmere burns colza oil and was first lit in 1874."]));
  await writeFile(join(given, "人.csv"), "地点,守塔人\n托尔米尔,李明\n");
  await writeFile(join(given, "broken.pdf"), "%PDF-1.4\n");
  return { dir, env, given };
}

const QUESTION = "When was the lamp of Tolmere first lit?";
const BUILDER = "Who built the lighthouse of Aldermoor?";

it("answers from files and folders after the question, and says which file of a folder could not be read", async () => {
  const { env, given } = await home();
  const { code, stdout, stderr } = await runCli(["ask", QUESTION, given], env);
  expect(code).toBe(0);
  expect(stdout).toContain("was first lit in 1874");
  expect(stderr).toMatch(/broken\.pdf could not be read \(unreadable\)/);
  expect(stderr).not.toContain("Nothing");
  expect(stderr).toContain("given: 2 documents");
  const follow = await runCli(["ask", "托尔米尔的守塔人是谁？", join(given, "人.csv"), "--sources", "documents"], env);
  expect(follow.stdout).toContain("守塔人: 李明");
});

it("keeps files for the thread, so that a later question can use them", async () => {
  const { env, given } = await home();
  expect((await runCli(["ask", QUESTION, join(given, "lamp.pdf"), "--thread", "T"], env)).code).toBe(0);
  const { stdout } = await runCli(["ask", "What does the lamp of Tolmere burn?", "--thread", "T"], env);
  expect(stdout).toContain("colza oil");
});

it("starts nothing if a named file cannot be read, and keeps nothing of it", async () => {
  const { env, given } = await home();
  const files = [join(given, "lamp.pdf"), join(given, "broken.pdf")];
  const { code, stdout, stderr } = await runCli(["ask", QUESTION, ...files, "--thread", "T"], env);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/unreadable: .*broken\.pdf could not be read/);
  const later = await runCli(["ask", QUESTION, "--thread", "T", "--json"], env);
  expect(JSON.parse(later.stdout).report.ledger.map(({ source }: { source: string }) => source)).not.toContain("documents");
});

it.each([
  [["--depth", "deep", "--graph", "executor"], /^invalid_request: The graph executor has no depth deep/],
  [["--graph", "executor", "--approve-plan"], /^invalid_request: The graph executor makes no plan/],
])("options that contradict each other are a wrong command line: %j", async (options, said) => {
  const { env } = await home();
  const { code, stdout, stderr } = await runCli(["ask", QUESTION, ...options], env);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(said);
  expect(stderr).toContain("See `npm run ask -- --help`");
});

it("writes the report in each form", async () => {
  const { dir, env } = await home();
  const write = async (name: string, ...more: string[]) => {
    const file = join(dir, name);
    const { code, stdout, stderr } = await runCli(["ask", BUILDER, "--out", file, ...more], env);
    expect([code, stdout]).toEqual([0, more.includes("--json") ? expect.stringContaining('"status":"succeeded"') : ""]);
    expect(stderr).toContain(`report written to ${file}`);
    return readFile(file);
  };
  expect((await write("报告.md")).toString()).toContain("was built in 1874");
  expect((await write("r.html")).toString()).toMatch(/^<!doctype html>/i);
  expect(JSON.parse((await write("r.json", "--json")).toString()).citations[0].quote).toContain("1874");
  expect((await write("r.pdf")).subarray(0, 5).toString()).toBe("%PDF-");
  expect((await write("r.docx")).subarray(0, 2).toString()).toBe("PK");
  const { stdout } = await runCli(["ask", BUILDER, "--format", "html"], env);
  expect(stdout).toMatch(/^<!doctype html>/i);
  expect((await runCli(["ask", BUILDER, "--out", join(dir, "none", "r.md")], env)).stderr).toContain("cannot be written");
});
