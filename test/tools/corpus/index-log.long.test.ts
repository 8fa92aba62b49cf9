import { stat } from "node:fs/promises";
import { expect, it } from "vitest";
import { corpusFolder, live } from "./corpus-folder.ts";

it("a sync leaves no long log of the index behind", async () => {
  const { write, corpus, databaseFile } = await corpusFolder();
  const words = Array.from({ length: 300_000 }, (_, at) => `w${(at * 7_919) % 99_991}`).join(" ");
  for (const name of ["a.txt", "b.txt"]) await write(name, words);
  await corpus.sync(live());
  await expect.poll(async () => (await stat(`${databaseFile}-wal`)).size).toBe(0);
  expect((await stat(databaseFile)).size).toBeGreaterThan(4_000_000);
});
