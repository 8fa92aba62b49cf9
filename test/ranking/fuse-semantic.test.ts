import { describe, expect, it } from "vitest";
import type { RankedHit } from "../../src/domain/hit.ts";
import { fuseSemantic, semanticText } from "../../src/ranking/rank-hits.ts";
import { foundPage } from "../helpers/page-source.ts";

const hit = (name: string, more: Partial<RankedHit> = {}): RankedHit => {
  const found = foundPage("pages", `http://${name}.example/`);
  return { ...found, id: name, score: 0.9, origin: name, alternatives: [], ...more };
};
const LEXICAL = ["a", "b", "c", "灯"].map((name) => hit(name));
const order = (scores: number[], keep = 4) => fuseSemantic(LEXICAL, scores, keep).map(({ id }) => id);

describe("combining the lexical with the semantic order", () => {
  it("gives each order one vote by rank, whatever the scale of the scores", () => {
    expect(order([-9, -8, -7, 1000])).toEqual(["a", "灯", "b", "c"]);
    expect(order([0.1, 0.2, 0.3, 0.31])).toEqual(["a", "灯", "b", "c"]);
  });

  it("scores 1 what is first in both orders", () => {
    const fused = fuseSemantic(LEXICAL, [4, 3, 2, 1], 4);
    expect(fused.map(({ id }) => id)).toEqual(["a", "b", "c", "灯"]);
    expect(fused.map(({ score }) => Number(score.toFixed(4)))).toEqual([1, 0.9839, 0.9683, 0.9531]);
  });

  it("keeps the lexical order if all scores are equal", () => {
    expect(order([0.5, 0.5, 0.5, 0.5])).toEqual(["a", "b", "c", "灯"]);
  });

  it("keeps the requested number of hits, and one of similar texts rather than several", () => {
    const words = "the lamp of the tower burns whale oil every evening and the keeper lights it at four";
    const alike = ["b", "c"].map((name) => hit(name, { snippet: words }));
    const fused = fuseSemantic([hit("a"), ...alike, hit("灯")], [1, 4, 3, 2], 3);
    expect(order([1, 2, 3, 4], 2)).toHaveLength(2);
    expect(fused.map(({ id }) => id)).toEqual(["b", "a", "灯"]);
  });
});

describe("the text of a hit for semantic ranking", () => {
  it("is its title with its snippet, at most 2,000 characters, and never empty", () => {
    expect(semanticText({ title: "灯塔", snippet: "烧鲸油。", url: "u" })).toBe("灯塔\n烧鲸油。");
    expect(semanticText({ title: "t", snippet: "中".repeat(9_000), url: "u" })).toHaveLength(2_000);
    expect(semanticText({ title: " ", snippet: "", url: "http://a.example/" })).toBe("http://a.example/");
    expect(semanticText({ title: "", snippet: "😀".repeat(2_000), url: "u" }).isWellFormed()).toBe(true);
    expect(semanticText({ title: "", snippet: `x${"😀".repeat(2_000)}`, url: "u" }).isWellFormed()).toBe(true);
  });
});
