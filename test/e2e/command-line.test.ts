import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import Database from "better-sqlite3";
import { expect, it, onTestFinished } from "vitest";
import { ASK_OPTIONS } from "../../src/cli/arguments.ts";
import { startSearchServices } from "../fakes/search-services.ts";
import { type CliEnd, askCorpus as cli, corpusHome as home } from "../helpers/run-cli.ts";

const CLI = new URL("../../src/cli.ts", import.meta.url).pathname;
const run = promisify(execFile);

/** Runs the same command in its own process. */
function cliProcess(args: string[], environment: Record<string, string> = {}): Promise<CliEnd> {
  return run(process.execPath, [CLI, ...args], { env: { SOURCES: "corpus", ...environment } }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error) => ({ code: error.code, stdout: error.stdout, stderr: error.stderr }),
  );
}

it("searches a folder, shows progress, and prints the report with numbered quotes", async () => {
  const dir = await home();
  const { code, stdout, stderr } = await cliProcess(["ask", "Who built the lighthouse?", "--corpus", join(dir, "corpus")], {
    DATA_DIR: join(dir, "data"),
  });
  expect(code).toBe(0);
  expect(stdout).toMatch(/was built in 1874 by Ada Penrose\..*\[1\]/);
  expect(stdout).toMatch(/1\. Word for word — The lighthouse of Aldermoor, lighthouse\.md/);
  // On a slow machine, progress lines about indexing appear too.
  expect(stderr.split("\n").filter((line) => line.endsWith("…") && !line.startsWith("indexing"))).toEqual([
    "llm_decision …",
    "search …",
    "rerank …",
    "download …",
    "summarize …",
  ]);
});

it("tells without a model which words go out, and sends those of --search in their place", async () => {
  const services = await startSearchServices(() => []);
  const [dir, question] = [await home(), "请用三句话比较鲸油灯和煤气灯"];
  const settings = { ...services.environment, SOURCES: "searxng", DATA_DIR: join(dir, "data") };
  const asked = await cli(["ask", question], settings);
  expect(asked.stderr).toContain(`searching searxng for: ${services.asked.web[0]}\n`);
  expect(asked.stderr).toContain("add --search WORDS");
  const changed = await cli(["ask", question, "--search", "鲸油灯 煤气灯"], settings);
  expect(services.asked.web.slice(1)).toEqual(["鲸油灯 煤气灯"]);
  expect(changed.stderr).not.toContain("add --search WORDS");
  const refused = await cli(["ask", question, "--search", "鲸油灯", "--depth", "deep"], settings);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toContain("takes no queries");
});

it("replays a file as `identical`, and prints the place of a difference and exits with 1", async () => {
  const file = new URL("../replays/chinese.ndjson", import.meta.url).pathname;
  const dir = await home();
  const changed = join(dir, "changed.ndjson");
  await writeFile(changed, (await readFile(file, "utf8")).replace("1874", "1875"));
  const replays = [file, changed, join(dir, "missing.ndjson")].map((one) => cli(["replay", one]));
  expect(await Promise.all(replays)).toMatchObject([
    { code: 0, stdout: "identical\n" },
    { code: 1, stderr: expect.stringContaining("does not match its digest") },
    { code: 1, stderr: expect.stringContaining("missing.ndjson") },
  ]);
});

it("prints its usage for --help", async () => {
  const usageOf = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await cli(args);
    expect([code, stderr]).toEqual([0, ""]);
    return stdout;
  };
  const asking = await usageOf("ask", "灯塔", "--bogus", "--help");
  expect(asking).toMatch(/^usage:\n {2}npm run ask -- "question".*\n\n/);
  for (const option of Object.keys(ASK_OPTIONS)) expect(asking).toMatch(new RegExp(`^  --${option}\\b`, "m"));
  expect(await usageOf("replay", "-h")).toMatch(/^usage:\n {2}npm run replay -- FILE .*\n\n--version/);
  expect(await usageOf("--help")).toMatch(/npm run backup[\s\S]*npm start[\s\S]*--approve-plan/);
  expect(await usageOf("verify", "--version")).toMatch(/^\d+\.\d+\.\d+\n$/);
});

it("explains arguments that it does not understand, and exits with 2", async () => {
  expect(await cliProcess(["replay"])).toMatchObject({ code: 2, stdout: "", stderr: expect.stringContaining("invalid_request: ") });
  const misuses: [string[], string][] = [
    [[], "command is missing"],
    [["nonsense"], "nonsense"],
    [["ask"], "question"],
    [["replay", "a.ndjson", "b.ndjson"], "b.ndjson"],
  ];
  for (const [args, named] of misuses) {
    const { code, stdout, stderr } = await cli(args);
    expect([args, code, stdout]).toEqual([args, 2, ""]);
    expect(stderr).toMatch(new RegExp(`^invalid_request: .*\nSee \`npm run ${args[0] === "replay" ? "replay" : "ask"} -- --help\``));
    expect(stderr.split("\n")[0]).toContain(named);
  }
});

it("refuses wrong arguments before it indexes anything", async () => {
  const dir = await home();
  const refusals = [
    [["--sources", "corpus,月亮"], "unknown_source"],
    [["--graph", "unicorn"], "unknown_graph"],
  ] as const;
  const ask = ([args, code]: (typeof refusals)[number]) =>
    cli(["ask", "x", ...args, "--corpus", join(dir, "corpus")], { DATA_DIR: join(dir, code) });
  for (const [at, refused] of (await Promise.all(refusals.map(ask))).entries()) {
    expect([refused.code, refused.stdout]).toEqual([1, ""]);
    expect(refused.stderr).toMatch(new RegExp(`^${refusals[at]?.[1]}: `));
    expect(refused.stderr.trim().split("\n")).toHaveLength(1);
  }
  const [index] = (await readdir(join(dir, "unknown_source", "ask"))).filter((name) => /^corpus-.*\.sqlite$/.test(name));
  const database = new Database(join(dir, "unknown_source", "ask", index ?? ""), { readonly: true });
  onTestFinished(() => void database.close());
  expect(database.prepare("select count(*) as files from files").get()).toEqual({ files: 0 });
});

it("keeps the files of an earlier run if a run is refused, and names the file that cannot be written at once", async () => {
  const dir = await home();
  const [recording, data] = [join(dir, "run.ndjson"), { DATA_DIR: join(dir, "data") }];
  await writeFile(recording, "of an earlier run");
  expect((await cli(["ask", "x", "--graph", "unicorn", "--recording", recording], data)).code).toBe(1);
  expect(await readFile(recording, "utf8")).toBe("of an earlier run");
  const { code, stderr } = await cli(["ask", "x", "--bundle", join(dir, "missing", "bundle.json")], data);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^invalid_request: .*bundle\.json cannot be written: /)]);
});

it("keeps the bundle of an earlier run if this run has no report", async () => {
  const dir = await home();
  const bundle = join(dir, "bundle.json");
  await writeFile(bundle, "of an earlier run");
  const asked = ["ask", "灯塔是谁建造的？", "--graph", "research", "--approve-plan", "--bundle", bundle];
  const { code, stderr } = await cli(asked, { DATA_DIR: join(dir, "data"), CORPUS_DIR: join(dir, "corpus") });
  expect([code, stderr]).toEqual([1, expect.stringContaining("no_report: ")]);
  expect(await readFile(bundle, "utf8")).toBe("of an earlier run");
});

it("does not claim to have searched a folder of which it reads no file", async () => {
  const dir = await home();
  await mkdir(join(dir, "合同"));
  for (const name of ["租约.docx", "附件.docx", "预算.zzz"]) await writeFile(join(dir, "合同", name), "PK");
  const asked = ["ask", "租约的通知期是多久？", "--corpus", join(dir, "合同"), "--sources", "corpus"];
  const { stdout, stderr } = await cli(asked, { DATA_DIR: join(dir, "data") });
  expect(stderr).toContain("succeeded: no_answer (no source could be searched: corpus (empty))");
  expect(stdout).toMatch(/租约\.docx: .*附件\.docx/);
  expect(stdout).toContain("范围内的来源都无法查找");
  expect(stdout).not.toContain("查找没有找到相关的资料");
});

it.runIf(existsSync("/dev/full"))("prints why the output could not be written", async () => {
  const full = run("/bin/sh", ["-c", `"$0" "$1" prompts > /dev/full`, process.execPath, CLI]);
  await expect(full).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining("could not be written: ENOSPC") });
});

it("lists the prompts in force, and exits with 1 and every error if they are wrong, as a replay and a run do", async () => {
  const dir = await home();
  const folder = join(dir, "提示词");
  await mkdir(folder);
  await writeFile(join(folder, "decision.md"), "{{language}} {{today}} {{systemContext}}");
  const environment = { PROMPTS_DIR: folder, OPENAI_BASE_URL: "http://127.0.0.1:9/v1", OPENAI_MODEL: "通义千问" };
  const listed = await cli(["prompts"], environment);
  expect(listed).toMatchObject({ code: 0, stderr: "" });
  expect(listed.stdout).toContain("\nagent       通义千问  answers with tools, in a loop\n");
  expect(listed.stdout).toContain(`${folder}/decision.md\n`);
  await writeFile(join(folder, "agent.md"), "{{langauge}} {{today}}");
  await writeFile(join(folder, "写作.md"), "x");
  const faults = [`${folder}/写作.md:1: there is no prompt of that name`, `${folder}/agent.md:1: {{langauge}} is not known here`];
  const file = new URL("../replays/chinese.ndjson", import.meta.url).pathname;
  const [wrong, json, ...others] = await Promise.all([
    cli(["prompts"], environment),
    cli(["prompts", "--json"], environment),
    cli(["replay", file], { PROMPTS_DIR: folder }),
    cli(["ask", "灯塔", "--corpus", join(dir, "corpus")], { PROMPTS_DIR: folder, DATA_DIR: join(dir, "data") }),
  ]);
  expect([wrong.code, ...faults.map((fault) => wrong.stdout.includes(fault))]).toEqual([1, true, true]);
  expect(JSON.parse(json.stdout).faults).toHaveLength(2);
  for (const { code, stderr } of others) expect([code, ...faults.map((fault) => stderr.includes(fault))]).toEqual([1, true, true]);
});
