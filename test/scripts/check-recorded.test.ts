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

it("names what is read differently than expected, is unexpected, missing, or of no source of this project, and fails", async () => {
  const { code, output } = await check({
    "brave/error-422-bad-token.json": NO_RESULTS,
    "brave/new.json": NO_RESULTS,
    "duckduckgo/html-page1-2026.http": `HTTP/2.0 202 Accepted\r\ncontent-type: text/html\r\n\r\n${WRONG_KEY}`,
    "google-scholar/search.html": "<html>",
    "altavista/search.html": "<html>",
    "../llm-streams/new/answer.sse": "data: [DONE]\n\n",
  });
  expect(code).toBe(1);
  expect(output).toContain("FAIL brave/web-search-laravel.json\n       has an expectation, but no recorded file");
  expect(output).toContain("FAIL brave/new.json\n       has no expectation");
  expect(output).toMatch(
    /FAIL brave\/error-422-bad-token\.json\n {7}expected blocked, saying .+\n {7}got {6}unreadable: brave answered 422/,
  );
  // A body is read as its recording says it was sent.
  expect(output).toMatch(/html-page1-2026\.http\n {7}expected 10 results\n {7}got {6}blocked/);
  expect(output).toContain("-    google-scholar: no source of this project");
  expect(output).toContain("FAIL altavista\n       nothing reads this folder");
  expect(output).toContain("FAIL llm-streams/new/answer.sse\n       has no expectation");
  expect(output).toContain("FAIL llm-streams/wire/azure-text.sse\n       has an expectation, but no recorded file");
});

it("accepts folders as arguments, and passes if there is no difference", async () => {
  const files = { "google-scholar/search.html": "<html>", "altavista/search.html": "<html>" };
  expect(await check(files, "google-scholar")).toMatchObject({ code: 0 });
});
