import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createExtractiveAnalyst } from "../../../src/analyst/extractive/analyst.ts";
import { missingFigures } from "../../../src/evidence/figures/check-figures.ts";
import { splitSentences } from "../../../src/ranking/sentences.ts";
import { writingView } from "../../analyst/model-under-test.ts";
import { reading } from "../../analyst/readings.ts";
import { plainEffects } from "../../helpers/plain-effects.ts";

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

it("every sentence of the extractive analyst is supported by its quotes", async () => {
  let claims = 0;
  for (const [name, text] of DOCUMENTS) {
    const heading = /^# (.+)$/m.exec(text)?.[1] ?? name;
    const paragraphs = text.split(/\n\n+/).map((paragraph) => ["paragraph", paragraph] as const);
    const one = reading(name, heading, paragraphs);
    const draft = await createExtractiveAnalyst().write(writingView(heading, [one], { models: null }), plainEffects());
    const quotes = new Map(draft.citations.map(({ id, quote }) => [id, quote]));
    for (const claim of draft.claims) {
      claims++;
      const own = claim.citations.map((id) => quotes.get(id) ?? "");
      expect(missingFigures(claim.text, own, [heading]), claim.text).toEqual([]);
      expect(claim.supported).toBe(true);
    }
  }
  expect(claims).toBeGreaterThan(20);
});
