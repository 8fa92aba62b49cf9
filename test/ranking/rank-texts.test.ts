import { expect, test } from "vitest";
import { weighQueryTerms } from "../../src/ranking/query-terms.ts";
import { ALL_STAGES, rankTexts } from "../../src/ranking/rank-texts.ts";
import { countTerms } from "../../src/ranking/scoring.ts";
import { smoothByNeighbors, Vocabulary } from "../../src/ranking/term-vectors.ts";

const vocabulary = new Vocabulary();

const text = (title: string, body: string) => ({
  title: countTerms(title.split(" ")),
  body: countTerms(body.split(" ")),
  vector: vocabulary.vectorOf(`${title} ${body}`.split(" ")),
});
const statistics = { documents: 100, meanTitleLength: 1, meanBodyLength: 4, frequency: (term: string) => (term === "湖水" ? 2 : 10) };

test("the parts of a compound count a fifth, every other term fully", () => {
  expect(weighQueryTerms("Is HIV-positive rare?")).toEqual([
    { term: "hivposit", weight: 0.2 },
    { term: "hiv", weight: 1 },
    { term: "posit", weight: 1 },
    { term: "rare", weight: 1 },
  ]);
  expect(weighQueryTerms("湖水的盐度")).toEqual([
    { term: "湖水", weight: 1 },
    { term: "盐度", weight: 1 },
  ]);
});

test("a word of the title counts twice, and rare words more than common ones", () => {
  const [a, b, c] = [text("page", "lake page"), text("lake", "page page"), text("page", "湖水 page")];
  const lexical = { ...ALL_STAGES, neighbors: false };
  expect(rankTexts("lake 湖水", [a, b, c], statistics, lexical)).toEqual([c, b, a]);
  expect(rankTexts("lake", [a, b], statistics, { ...lexical, titles: false })).toEqual([a, b]);
  expect(rankTexts("lake", [], statistics)).toEqual([]);
});

test("a text that is worded like a good match rises above an unrelated one", () => {
  const texts = [
    ["salt", "lake", "deep"],
    ["night", "train"],
    ["salt", "lake", "shore"],
  ];
  const [first = 0, alone = 0, near = 0] = smoothByNeighbors(
    [3, 1, 1],
    texts.map((terms) => vocabulary.vectorOf(terms)),
  );
  expect(alone).toBe(1);
  expect(near).toBe(2.5);
  expect(first).toBe(3.5);
});
