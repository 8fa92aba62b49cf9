import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const SCRIPT = join(import.meta.dirname, "../../scripts/eval-research.ts");
const run = promisify(execFile);

test("eval:research says of each question what it cites and why it ended", { timeout: 30_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "dossier-eval-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await mkdir(join(folder, "corpus"));
  await writeFile(join(folder, "corpus", "桥.md"), "# 雾川大桥\n\n雾川大桥于1958年通车。\n");
  await writeFile(join(folder, "corpus", "lake.md"), "# Lake Kest\n\nLake Kest is 143 metres deep.\n");
  const questions = [
    { question: "雾川大桥是哪一年通车的？", kind: "plain", answers: ["1958年"] },
    { question: "Who painted Mount Ardle?", answers: ["nobody"] },
  ];
  await writeFile(join(folder, "questions.jsonl"), questions.map((question) => `${JSON.stringify(question)}\n`).join(""));
  const { stdout } = await run(process.execPath, [SCRIPT, "--data", folder, "--graph", "executor"]);
  const [summary = "", head, , first, second] = stdout.split("\n");
  expect(JSON.parse(summary)).toMatchObject({ questions: 2, failed: 0, wellCited: 0, fullyQuoted: 1, citations: 1, broken: 0 });
  expect(head).toBe("| question | kind | time | todos | rounds | citations | documents | expected words quoted | termination |");
  expect(first).toMatch(/^\| 雾川大桥是哪一年通车的？ \| plain \| \d+\.\d\d s \| 0 of 0 \| 0 \| 1 \| 1 \| 1 of 1 \| completed \|$/);
  expect(second).toMatch(/\| 0 \| 0 \| 0 of 1 \| no_answer \|$/);
});

test("eval:research without its files ends with 1", { timeout: 30_000 }, async () => {
  await expect(run(process.execPath, [SCRIPT, "--data", join(tmpdir(), "no-such-folder")])).rejects.toMatchObject({ code: 1 });
});
