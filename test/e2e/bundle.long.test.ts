import { execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { PROGRAM, VERSION } from "../../src/compose/process.ts";
import { buildApp } from "../../src/http/build-app.ts";
import { verifyBundle } from "../../src/reports/bundle/verify-bundle.ts";
import { openDossier } from "../helpers/open-dossier.ts";
import { type CliEnd, runCli } from "../helpers/run-cli.ts";
import { seeded } from "../helpers/seeded.ts";
import { randomBundle } from "../reports/bundle/random-bundle.ts";
import { CHANGES, reformat } from "../reports/bundle/random-changes.ts";

const CLI = new URL("../../src/cli.ts", import.meta.url).pathname;
const DOCS = new URL("../../docs/bundle.md", import.meta.url).pathname;
const run = promisify(execFile);

function execute(program: string, args: string[]): Promise<CliEnd> {
  return run(program, args).then(
    (output) => ({ code: 0, ...output }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}
const verify = (...args: string[]): Promise<CliEnd> => runCli(["verify", ...args]);

async function folder(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), "dossier-bundle-"));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

async function write(dir: string, name: string, content: string): Promise<string> {
  const file = join(dir, name);
  await writeFile(file, content);
  return file;
}

it("the bundle of a run is served, verifies, and names what was changed in it", async () => {
  const dossier = await openDossier();
  const app = await buildApp({
    runs: dossier.runs,
    threads: dossier.threads,
    operations: dossier.operations,
    tenancy: dossier.tenancy,
    reports: dossier.reports,
    logger: dossier.logger,
    version: VERSION,
  });
  onTestFinished(() => app.close());
  const url = await app.listen({ port: 0, host: "127.0.0.1" });
  for (const question of [
    "奥尔德穆尔灯塔是谁设计的？",
    "Who built the lighthouse of Aldermoor?",
    "Who won the chess tournament of Reykjavik?",
  ]) {
    const { id } = await dossier.start({ question });
    const { report, links } = await dossier.finish(id);
    const response = await fetch(`${url}${links["bundle"]}`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(response.headers.get("content-disposition")).toContain(`filename="report-${id}.bundle.json"`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(verifyBundle(bytes, PROGRAM)).toMatchObject({ faults: [], citations: report?.citations.length, renderedAgain: true });
    const bundle = JSON.parse(new TextDecoder().decode(bytes));
    // The verdict follows from the report, so it is not stored.
    expect([bundle.report, bundle.events]).toEqual([{ ...report, verdict: undefined }, await dossier.events(id)]);
    expect(report?.claims.map(({ origins }) => origins).every((origins) => origins === 1)).toBe(true);
    bundle.run.question += "?";
    expect(verifyBundle(Buffer.from(JSON.stringify(bundle)), PROGRAM).faults).toContain("run: it was changed, as its sum tells");
  }
});

it("verify exits with 0 if the bundle holds, however its JSON is written, and with 1 and the faults if not", async () => {
  const dir = await folder();
  const whole = await randomBundle(1);
  const bundle = JSON.parse(whole);
  const counts = `${bundle.report.citations.length} citations hold, ${bundle.report.claims.length} claims`;
  const holding = await write(dir, "holds.json", reformat(bundle, seeded(5)));
  expect(await verify(holding, "--digest", bundle.digest.toUpperCase())).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(
      new RegExp(
        `^${counts}, \\d documents, Markdown by its sum alone, digest ${bundle.digest}\nWARNING: the Markdown was NOT checked [^\n]*\n$`,
      ),
    ),
    stderr: "",
  });
  expect(await verify(holding, "--digest", "0".repeat(64))).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^digest: it is .*\n$/),
  });
  for (const what of ["quote", "start", "hash", "claim", "document text"]) {
    const spoilt = JSON.parse(whole);
    const named = CHANGES[what]?.(spoilt, seeded(7));
    const { code, stdout } = await verify(await write(dir, "changed.json", JSON.stringify(spoilt)));
    expect([what, code]).toEqual([what, 1]);
    expect(stdout.split("\n").some((line) => line.startsWith(named ?? "?"))).toBe(true);
  }
  expect(await verify(await write(dir, "cut.json", whole.replace('"markdown":"', '"markdown":"\\o')))).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("bundle_invalid: "),
  });
});

it("verify reads standard input, and exits with 2 if it is no bundle", async () => {
  const dir = await folder();
  const child = spawn(process.execPath, [CLI, "verify", "-"], { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.end(await randomBundle(2));
  expect(await text(child.stdout)).toMatch(/citations hold/);
  const cases: [string[], string][] = [
    [[await write(dir, "text.json", "{税")], "bundle_invalid: The file is not JSON"],
    [[await write(dir, "other.json", "{}")], "bundle_invalid: The file is no evidence bundle"],
    [[join(dir, "灯塔.json")], "bundle_invalid: The bundle cannot be read"],
    [[], "verify needs the file of an evidence bundle"],
    [["a", "--digest", "12"], "--digest takes 64 hex digits"],
  ];
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = await verify(...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
    expect(stderr).not.toMatch(/^\s+at /m);
  }
});

const python = (await execute("python3", ["--version"])).code === 0;

it.skipIf(!python)("the program in the documentation gives the same results", async () => {
  const dir = await folder();
  const [, code = ""] = /```python\n(.*?)```/s.exec(await readFile(DOCS, "utf8")) ?? [];
  const script = await write(dir, "check.py", code);
  const check = (file: string): Promise<CliEnd> => execute("python3", [script, file]);
  for (const seed of [1, 2, 3, 4, 5, 6]) {
    const bundle = JSON.parse(await randomBundle(seed));
    const file = await write(dir, "bundle.json", reformat(bundle, seeded(seed)));
    expect(await check(file)).toEqual({ code: 0, stdout: `holds ${bundle.digest}\n`, stderr: "" });
    const whats = ["quote", "end", "claim", "document text", "coverage", "event"];
    CHANGES[whats[seed - 1] ?? ""]?.(bundle, seeded(seed));
    expect(await check(await write(dir, "bundle.json", JSON.stringify(bundle)))).toMatchObject({ code: 1, stderr: "" });
  }
});

it("the digest of an untouched bundle is that of its text without it", async () => {
  const dir = await folder();
  const whole = await randomBundle(4);
  const file = await write(dir, "bundle.json", whole);
  const [, command = ""] = /```sh\n(sed .*?)\n```/s.exec(await readFile(DOCS, "utf8")) ?? [];
  const { stdout } = await execute("sh", ["-c", command.replace("bundle.json", file)]);
  expect(stdout.slice(0, 64)).toBe(JSON.parse(whole).digest);
});
