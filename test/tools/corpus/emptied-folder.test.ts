import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { corpusFolder } from "./corpus-folder.ts";

const MINUTE_MS = 60_000;

it("keeps the index of a folder that is suddenly empty, as a share that is not mounted, and reads nothing again", async () => {
  const { dir, extractor, hits, search, write } = await corpusFolder();
  await write("a.md", "An osprey.");
  await write("zh/鱼鹰.md", "鱼鹰吃鱼。");
  expect(await search("osprey")).toEqual(["corpus:a.md"]);
  await rename(join(dir, "a.md"), `${dir}-a`);
  await rename(join(dir, "zh"), `${dir}-zh`);
  await expect(hits("osprey")).rejects.toMatchObject({ code: "unreachable", message: expect.stringContaining("its index has files (2)") });
  await rename(`${dir}-a`, join(dir, "a.md"));
  await rename(`${dir}-zh`, join(dir, "zh"));
  expect(await search("鱼鹰")).toEqual(["corpus:zh/%E9%B1%BC%E9%B9%B0.md"]);
  expect(extractor.urls).toHaveLength(2);
});

it("removes the files of a folder that stays empty for ten minutes", async () => {
  const { dir, clock, corpus, hits, write } = await corpusFolder();
  await write("a.md", "An osprey.");
  expect(await hits("osprey")).toHaveLength(1);
  await rm(join(dir, "a.md"));
  await expect(hits("osprey")).rejects.toMatchObject({ code: "unreachable" });
  clock.now += 10 * MINUTE_MS;
  await expect(hits("osprey")).rejects.toMatchObject({ code: "empty" });
  expect(corpus.contents({ limit: 10 }).total).toBe(0);
});
