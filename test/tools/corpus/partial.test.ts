import { expect, it } from "vitest";
import type { DocumentExtractor, SearchAnswer } from "../../../src/domain/ports/sources.ts";
import { unlessAborted } from "../../../src/util/abort.ts";
import { asking, type CorpusFolder, corpusFolder, live, recordingExtractor } from "./corpus-folder.ts";

const READ = 120;

/** Reads the first 120 files at once. The next ones wait until the gate is open. */
function gatedExtractor() {
  const real = recordingExtractor();
  let started = 0;
  const gate = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  const onProgress = ({ done }: { done: number }) => done === READ && reached.resolve();
  const extractor: DocumentExtractor = {
    async extract(input, signal) {
      if (started++ >= READ) await unlessAborted(gate.promise, signal ?? live());
      return real.extract(input);
    },
  };
  return { ...gate, reached: reached.promise, parts: { onProgress, extractor: { ...extractor, urls: real.urls } } };
}

async function fill({ write }: CorpusFolder, files: number): Promise<void> {
  for (let i = 0; i < files; i++) {
    const name = String(i).padStart(3, "0");
    await write(
      `${name}.md`,
      i % 2 === 0 ? `# Osprey ${i}\n\nThe osprey of nest ${i} eats fish.` : `# 鱼鹰 ${i}\n\n第${i}号巢的鱼鹰吃鱼。`,
    );
  }
}

const search = ({ corpus }: CorpusFolder, text: string, language: string) => corpus.search({ text, language, limit: 500 }, asking(live()));
const counted = ({ hits, gaps }: SearchAnswer) => [hits.length, gaps];

it("answers from the files indexed so far, and says how many there are, in English and Chinese", async () => {
  const gated = gatedExtractor();
  const folder = await corpusFolder({ patienceMs: 0, ...gated.parts });
  await fill(folder, 500);
  const synced = folder.corpus.sync(live());
  await gated.reached;
  expect(counted(await search(folder, "osprey", "en"))).toEqual([READ / 2, "the index was not complete: 120 of 500 files were searched"]);
  expect(counted(await search(folder, "鱼鹰", "zh"))).toEqual([READ / 2, "索引尚未完成：检索了 500 个文件中的 120 个"]);
  gated.resolve();
  expect(await synced).toMatchObject({ files: 500, added: 500 });
  expect(counted(await search(folder, "osprey", "en"))).toEqual([250, null]);
});

it("gives each of two searches at the same time its own gaps, whichever ends first", async () => {
  const gated = gatedExtractor();
  const folder = await corpusFolder({ patienceMs: 0, ...gated.parts });
  await fill(folder, 150);
  const synced = folder.corpus.sync(live());
  await gated.reached;
  const early = search(folder, "osprey", "en");
  const chinese = search(folder, "鱼鹰", "zh");
  expect((await Promise.all([chinese, early])).map(({ gaps, sent }) => [gaps, sent])).toEqual([
    ["索引尚未完成：检索了 150 个文件中的 120 个", "鱼鹰"],
    ["the index was not complete: 120 of 150 files were searched", "osprey"],
  ]);
  gated.resolve();
  await synced;
});

it("waits for the sync", async () => {
  const gated = gatedExtractor();
  const folder = await corpusFolder(gated.parts);
  await fill(folder, 150);
  const searching = search(folder, "鱼鹰", "zh");
  await gated.reached;
  gated.resolve();
  expect(counted(await searching)).toEqual([75, null]);
});

it("answers from what is indexed when a sync takes long, and the sync goes on by itself", async () => {
  const gated = gatedExtractor();
  const folder = await corpusFolder({ patienceMs: 300, ...gated.parts });
  await fill(folder, 150);
  void folder.corpus.sync(live());
  await gated.reached;
  folder.clock.now += 301;
  const { hits, gaps } = await search(folder, "鱼鹰", "zh");
  expect(hits.length).toBeLessThan(75);
  expect(gaps).toMatch(/^索引尚未完成：检索了 150 个文件中的 \d+ 个$/);
  expect(folder.corpus.indexing()).toMatchObject({ total: 150 });
  gated.resolve();
  await expect.poll(() => folder.corpus.indexing()).toBeNull();
  expect(counted(await search(folder, "鱼鹰", "zh"))).toEqual([75, null]);
});

it("counts what an earlier process indexed", async () => {
  const folder = await corpusFolder();
  await fill(folder, 5);
  await folder.corpus.sync(live());
  const seen: unknown[] = [];
  const corpus = folder.reopen({ onProgress: (progress) => seen.push(progress) });
  await folder.write("new.md", "A new osprey.");
  await corpus.sync(live());
  expect(seen).toEqual([
    { done: 5, total: 6 },
    { done: 6, total: 6 },
  ]);
});
