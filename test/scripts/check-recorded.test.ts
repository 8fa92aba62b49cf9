import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { COMPILE_CACHE } from "../helpers/processes.ts";

const SCRIPT = new URL("../../scripts/check-recorded.ts", import.meta.url).pathname;
const WRONG_KEY = '{"error":{"code":"SUBSCRIPTION_TOKEN_INVALID","detail":"The provided subscription token is invalid."}}';
const NO_RESULTS = '{"type":"search","query":{}}';

async function check(files: Readonly<Record<string, string>>, ...args: string[]): Promise<{ code: number; output: string }> {
  const data = await mkdtemp(join(tmpdir(), "dossier-recorded-"));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(data, "api", name)), { recursive: true });
    await writeFile(join(data, "api", name), text);
  }
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, data, ...args], { env: { NODE_COMPILE_CACHE: COMPILE_CACHE } }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });
}

it("names every recorded body that is read differently than expected, is unexpected, or is missing, and fails", async () => {
  const { code, output } = await check({ "brave/error-422-bad-token.json": NO_RESULTS, "brave/new.json": NO_RESULTS });
  expect(code).toBe(1);
  expect(output).toContain("FAIL brave/web-search-laravel.json\n       has an expectation, but no recorded file");
  expect(output).toContain("FAIL brave/new.json\n       has no expectation");
  expect(output).toMatch(
    /FAIL brave\/error-422-bad-token\.json\n {7}expected blocked, saying .+\n {7}got {6}unreadable: brave answered 422/,
  );
});

it("reads a body as its recording says it was sent", async () => {
  const { code, output } = await check({
    "duckduckgo/html-page1-2026.http": `HTTP/2.0 202 Accepted\r\ncontent-type: text/html\r\n\r\n${WRONG_KEY}`,
  });
  expect(code).toBe(1);
  expect(output).toMatch(/html-page1-2026\.http\n {7}expected 10 results\n {7}got {6}blocked/);
});

it("lists folders that are not of this project, and fails for unknown ones", async () => {
  const { code, output } = await check({ "google-scholar/search.html": "<html>", "altavista/search.html": "<html>" });
  expect(code).toBe(1);
  expect(output).toContain("-    google-scholar: no source of this project");
  expect(output).toContain("FAIL altavista\n       nothing reads this folder");
});

it("accepts folders as arguments, and passes if there is no difference", async () => {
  const files = { "google-scholar/search.html": "<html>", "altavista/search.html": "<html>" };
  expect(await check(files, "google-scholar")).toMatchObject({ code: 0 });
});

it("checks answers of models, too", async () => {
  const { code, output } = await check(
    { "google-scholar/search.html": "<html>", "../llm-streams/new/answer.sse": "data: [DONE]\n\n" },
    "llm-streams",
  );
  expect(code).toBe(1);
  expect(output).toContain("FAIL llm-streams/new/answer.sse\n       has no expectation");
  expect(output).toContain("FAIL llm-streams/wire/azure-text.sse\n       has an expectation, but no recorded file");
});
