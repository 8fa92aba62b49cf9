import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { matchTexts, scoresOf } from "../../scripts/extraction/shingles.ts";

const SCRIPT = join(import.meta.dirname, "../../scripts/eval-extraction.ts");
const run = promisify(execFile);

describe("the measure of article-extraction-benchmark", () => {
  it("counts shingles of four words, with repetitions, as shares", () => {
    expect(matchTexts("a b c d e", "a, b c d!")).toEqual({ both: 0.5, surplus: 0, missing: 0.5 });
    expect(matchTexts("a b c d", "a b c d a b c d")).toEqual({ both: 0.2, surplus: 0.8, missing: 0 });
  });

  it("reads a text of fewer words as one shingle and punctuation as the end of a word", () => {
    expect(matchTexts("a b", "a b")).toEqual({ both: 1, surplus: 0, missing: 0 });
    expect(matchTexts("नमस्ते", "नमस त")).toEqual({ both: 1, surplus: 0, missing: 0 });
    expect(matchTexts("青盐湖 x_1 ½", "青盐湖 x_1 ½")).toEqual({ both: 1, surplus: 0, missing: 0 });
  });

  it("omits pages without a result from precision and pages without an article from recall", () => {
    const found = { both: 0.5, surplus: 0.5, missing: 0 };
    expect(scoresOf([found, matchTexts("a", ""), matchTexts("", "")])).toEqual({ precision: 0.5, recall: 0.5, f1: 0.5 });
    expect(scoresOf([])).toEqual({ precision: 0, recall: 0, f1: 0 });
  });
});

describe("eval:extraction", () => {
  let folder = "";
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "dossier-eval-"));
    await mkdir(join(folder, "html"));
  });
  afterEach(async () => rm(folder, { recursive: true, force: true }));

  it("prints one line of JSON for the pages with an article, and names the others", async () => {
    const text = "The salt lake above the village has been measured every spring since the school was built. ".repeat(4);
    await writeFile(join(folder, "html", "one.html.gz"), gzipSync(`<html><body><article><p>${text}</p></article></body></html>`));
    await writeFile(join(folder, "html", "two.html.gz"), gzipSync("<html></html>"));
    await writeFile(join(folder, "ground-truth.json"), JSON.stringify({ one: { articleBody: text }, three: { articleBody: "x" } }));
    const { stdout, stderr } = await run(process.execPath, [SCRIPT, "--data", folder]);
    expect(JSON.parse(stdout)).toEqual({
      pages: 1,
      f1: 1,
      precision: 1,
      recall: 1,
      msPerPage: expect.any(Number),
      f1OfA: expect.anything(),
      f1OfB: 0,
    });
    expect(stderr).toContain("two, three");
  });

  it.each([
    ["without a folder", [], "usage: npm run -s eval:extraction"],
    ["in a folder without articles", ["--data", "FOLDER"], "ground-truth.json cannot be read"],
    [
      "with an unknown extractor",
      ["--data", "FOLDER", "--extractor", "magic"],
      "There is no extractor magic. Use one of: ours, readability, all-text.",
    ],
  ])("%s prints the error and fails", async (_, args, message) => {
    const given = args.map((arg) => (arg === "FOLDER" ? folder : arg));
    await expect(run(process.execPath, [SCRIPT, ...given])).rejects.toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining(message),
    });
  });
});
