import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { missingFigures } from "../../../src/evidence/figures/check-figures.ts";
import { splitSentences } from "../../../src/ranking/sentences.ts";

const ROOT = join(import.meta.dirname, "../../..");
const DOCUMENTS = [
  "docs",
  "docs/zh",
  "docs/decisions",
  "test/fixtures/corpus/zh",
  "test/fixtures/corpus/guides",
  "test/fixtures/replay-corpus",
].flatMap((folder) =>
  readdirSync(join(ROOT, folder))
    .filter((name) => /\.(?:md|txt)$/.test(name))
    .map((name) => [name, readFileSync(join(ROOT, folder, name), "utf8")] as const),
);

it("a sentence is supported by itself, also with other words before it", () => {
  const alarms = DOCUMENTS.flatMap(([name, text]) =>
    splitSentences(text)
      .map(({ start, end }) => text.slice(start, end))
      // Tables and code are not sentences.
      .filter((sentence) => !/[|{}`]|\n\n/.test(sentence))
      .flatMap((sentence) => [sentence, `Indeed ${sentence}`].map((said) => [name, said, missingFigures(said, [sentence], [])] as const)),
  ).filter(([, , missing]) => missing.length > 0);
  expect(alarms).toEqual([]);
});
