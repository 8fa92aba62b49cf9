import { mkdir, rm, writeFile } from "node:fs/promises";
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
  return { env, given };
}

const QUESTION = "When was the lamp of Tolmere first lit?";

it("answers from files and folders after the question alone, and names in the answer which file could not be read", async () => {
  const { env, given } = await home();
  const { code, stdout, stderr } = await runCli(["ask", QUESTION, given], env);
  expect(code).toBe(0);
  expect(stdout).toContain("was first lit in 1874");
  expect(stdout).toMatch(/These files were not read:\n\n- .*broken\\?\.pdf: The PDF is damaged/);
  expect(stderr).toContain("given: 2 documents");
  const follow = await runCli(["ask", "托尔米尔的守塔人是谁？", join(given, "人.csv"), "--sources", "documents"], env);
  expect(follow.stdout).toContain("| 李明 |");
});

it("keeps files for the thread, so that a later question can use them", async () => {
  const { env, given } = await home();
  expect((await runCli(["ask", QUESTION, join(given, "lamp.pdf"), "--thread", "T"], env)).code).toBe(0);
  const { stdout } = await runCli(["ask", "What does the lamp of Tolmere burn?", "--thread", "T"], env);
  expect(stdout).toContain("colza oil");
});

it("starts nothing if no file can be read, names them, and keeps nothing of it", async () => {
  const { env, given } = await home();
  await writeFile(join(given, "空.txt"), "");
  const files = [join(given, "空.txt"), join(given, "broken.pdf")];
  const { code, stdout, stderr } = await runCli(["ask", QUESTION, ...files, "--thread", "T"], env);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(
    /empty: .*空\.txt: It has no bytes\. .*broken\.pdf: The PDF is damaged.* No file could be read\. Nothing was started\./,
  );
  const later = await runCli(["ask", QUESTION, "--thread", "T", "--json"], env);
  expect(JSON.parse(later.stdout).report.ledger.map(({ source }: { source: string }) => source)).not.toContain("documents");
});

it("reads the other files if a named one cannot be read", async () => {
  const { env, given } = await home();
  const { code, stdout } = await runCli(["ask", QUESTION, join(given, "lamp.pdf"), join(given, "broken.pdf")], env);
  expect([code, stdout]).toEqual([0, expect.stringContaining("was first lit in 1874")]);
  expect(stdout).toMatch(/broken\\?\.pdf: The PDF is damaged/);
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
