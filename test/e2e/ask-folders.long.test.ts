import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { main } from "../../src/cli/main.ts";
import { CORPUS, makeHome } from "../helpers/open-dossier.ts";

async function openHome() {
  const dir = await makeHome(CORPUS);
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const env = { SOURCES: "corpus", DATA_DIR: join(dir, "data"), CORPUS_DIR: join(dir, "corpus") };
  /** Asks on a terminal. */
  async function ask(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const [stdout, stderr] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY: true })];
    const output = Promise.all([text(stdout), text(stderr)]);
    const code = await main(["ask", ...args], { stdin: Readable.from([]), stdout, stderr, env, onStop: () => {} });
    stdout.end();
    stderr.end();
    const [out, err] = await output;
    return { code, stdout: out, stderr: err };
  }
  return { corpus: env.CORPUS_DIR, ask };
}

it("shows how many of 500 files are read, and answers in English and Chinese", async () => {
  const { corpus, ask } = await openHome();
  for (let i = 0; i < 497; i++)
    await writeFile(
      join(corpus, `${i}.md`),
      i % 2 === 0 ? `# Osprey ${i}\n\nThe osprey of nest ${i} eats fish.` : `# 鱼鹰 ${i}\n\n第${i}号巢的鱼鹰吃鱼。`,
    );
  const english = await ask("Who built the lighthouse?");
  expect(english.stderr).toMatch(/\rindexing: read 0 of 500 files …/);
  expect(english.stderr).toMatch(/\rindexing: read [1-9]\d* of 500 files …/);
  expect(english.stdout).toMatch(/was built in 1874 by Ada Penrose\..*\[1\]/);
  const chinese = await ask("灯塔由谁设计？");
  expect(chinese.stdout).toMatch(/奥尔德穆尔灯塔建于1874年，由艾达·彭罗斯设计。/);
  expect([english.code, chinese.code]).toEqual([0, 0]);
});

it("answers with --partial before the index is complete, and says so in the ledger", async () => {
  const { corpus, ask } = await openHome();
  expect((await ask("Who built the lighthouse?")).code).toBe(0);
  // Reading one of these takes seconds.
  const page = Array.from({ length: 120_000 }, (_, i) => `The whale ${i} swims near the coast.\n\n`).join("");
  for (let i = 0; i < 12; i++) await writeFile(join(corpus, `x${i}.md`), page);
  const english = await ask("Who built the lighthouse?", "--partial");
  expect(english.stdout).toMatch(/was built in 1874 by Ada Penrose\..*\[1\]/);
  expect(english.stdout).toMatch(/the index was not complete: \d+ of 15 files were searched/);
  const chinese = await ask("灯塔由谁设计？", "--partial");
  expect(chinese.stdout).toMatch(/索引尚未完成：检索了 15 个文件中的 \d+ 个/);
  expect([english.code, chinese.code]).toEqual([0, 0]);
});
