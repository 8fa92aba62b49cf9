import { describe, expect, it } from "vitest";
import { createCitedStream, readCitedText } from "../../src/evidence/cited-text.ts";
import type { Evidence } from "../../src/evidence/quote-location.ts";
import { finish } from "../../src/util/turns.ts";

const TEXTS: Readonly<Record<string, string>> = {
  P1: "The tower is 90 metres tall. It was “built in 1931” by O'Brien [sic] & Sons, see note (b).",
  P2: "这座灯塔高九十米，一九三一年由当地工匠建成。",
  P3: "Revenue rose to 12.5 million euros in 2024. Costs fell.",
};
const EVIDENCE = new Map<string, Evidence>(
  Object.entries(TEXTS).map(([id, text]) => [id, { id, sourceId: `S-${id}`, contentHash: `h-${id}`, text, start: 0, end: text.length }]),
);

/** Returns the sentences with the words that they cite, and the reasons why markers do not hold. */
const read = (text: string) => {
  const { claims, citations, faults } = finish(readCitedText(text, EVIDENCE));
  for (const { sourceId, start, end, quote } of citations) expect(TEXTS[sourceId.slice(2)]?.slice(start, end)).toBe(quote);
  const quotes = new Map(citations.map(({ id, quote }) => [id, quote]));
  return {
    said: claims.map((claim) => [claim.text, ...claim.citations.map((id) => quotes.get(id))]),
    faults: faults.map(({ why }) => why),
  };
};

describe("a marker", () => {
  it.each([
    ['It is tall. [P1: "The tower is 90 metres tall."]', "It is tall."],
    ['It is tall [P1: "The tower is 90 metres tall."].', "It is tall."],
    ["It is tall. [P1: 'The tower is 90 metres tall.']", "It is tall."],
    ["It is tall. [P1: “The tower is 90 metres tall.”]", "It is tall."],
    ["It is tall。[P1：「The tower is 90 metres tall.」]", "It is tall。"],
    ["It is tall。【P1：『The tower is 90 metres tall.』】", "It is tall。"],
    ['It is tall. (P1: "The tower is 90 metres tall.")', "It is tall."],
    ['It is tall. [P1 "The tower is 90 metres tall."]', "It is tall."],
    ['It is tall. [P1 - "The tower is 90 metres tall."]', "It is tall."],
    ['It is tall. [p1: "The tower is 90 metres tall."]', "It is tall."],
    ['It is tall. [^P1: "The tower is 90 metres tall."]', "It is tall."],
    ["It is tall. [P1: The tower is 90 metres tall.]", "It is tall."],
    ['It is tall. [P1: "The tower is 90 metres tall.]', "It is tall."],
    ['It is tall. [P1: "The tower is 90 metres tall."](https://evil.test/x)', "It is tall."],
    ['It is tall. [P1:\n"The tower is 90 metres tall."]', "It is tall."],
    ['It is tall.\n[P1: "The tower is 90 metres tall."]', "It is tall."],
    ['[P1: "The tower is 90 metres tall."] It is tall.', "It is tall."],
    ['It is tall. [P1: "The tower is 90 metres tall.', "It is tall."],
  ])("is read as %j", (text, sentence) => {
    expect(read(text)).toEqual({ said: [[sentence, "The tower is 90 metres tall."]], faults: [] });
  });

  it("may quote brackets and quotation marks, escaped or not", () => {
    const quoted = "“built in 1931” by O'Brien [sic] & Sons, see note (b).";
    expect(read(`Old. [P1: "“built in 1931” by O'Brien [sic] & Sons, see note (b)."]`).said).toEqual([["Old.", quoted]]);
    expect(read(`Old. [P1: ""built in 1931" by O'Brien [sic] & Sons, see note (b)."]`).said).toEqual([["Old.", quoted]]);
    expect(read(`Old. [P1: "\\"built in 1931\\" by O'Brien [sic] & Sons, see note (b)."] Next.`).said).toEqual([
      ["Old.", quoted],
      ["Next."],
    ]);
  });

  it("may name several passages or several quotes", () => {
    expect(read('A. [P1: "is 90 metres tall"] [P2: "灯塔高九十米"] B. [P3: "Costs fell."; P2: "由当地工匠建成"]').said).toEqual([
      ["A.", "is 90 metres tall", "灯塔高九十米"],
      ["B.", "Costs fell.", "由当地工匠建成"],
    ]);
    expect(read('A. [P1, P3: "Revenue rose to"]').said).toEqual([["A.", "Revenue rose to"]]);
    expect(read('A. [P3: "Revenue rose to", "Costs fell."]').said).toEqual([["A.", "Revenue rose to", "Costs fell."]]);
  });

  it("holds only if its quote is in its passage", () => {
    expect(read('A. [P9: "The tower is 90 metres tall."]')).toEqual({ said: [["A."]], faults: ["unknown_id"] });
    expect(read('A. [P3: "The tower is 90 metres tall."]')).toEqual({ said: [["A."]], faults: ["quote_not_found"] });
    expect(read('A. [P1: "The tower is 91 metres tall."]')).toEqual({ said: [["A."]], faults: ["quote_not_found"] });
    expect(read("A. [P1]")).toEqual({ said: [["A."]], faults: ["no_quote"] });
    expect(read("A. [P1, P2] B [P7].")).toEqual({ said: [["A."], ["B."]], faults: ["no_quote", "no_quote", "unknown_id"] });
    expect(read('A. [P1: "the"]')).toEqual({ said: [["A."]], faults: ["quote_not_found"] });
  });

  it("is removed completely if the text is cut off inside it", () => {
    for (const cut of ["[", "[P", "[P1", "[P1:", '[P1: "', '[P1: "The to', '[P1: "nowhere to be fou'])
      expect(read(`It is tall. ${cut}`).said.map(([sentence]) => sentence)).toEqual(["It is tall."]);
  });

  it("is not a bracket of another kind", () => {
    expect(read("See [1], [sic], (b), [H2] and (M4).").said).toEqual([["See [1], [sic], (b), [H2] and (M4)."]]);
  });
});

it("reads headings as sections, items and rows as sentences, and leaves out code, rules and table headers", () => {
  const text = [
    "# 高度",
    "- **高**九十米。[P2：「灯塔高九十米」]由工匠建成[P2：“由当地工匠建成”]。",
    "",
    "## Money",
    "| Year | Revenue |",
    "| --- | --- |",
    '| 2024 | 12.5 million | [P3: "12.5 million euros in 2024"] |',
    "",
    "---",
    "```",
    'It is code. [P1: "The tower is 90 metres tall."]',
    "```",
    '1. See [the note](https://evil.test/x), ![p](https://evil.test/p.png) it says. [P1: "see note (b)"]',
  ].join("\n");
  const { claims, text: unmarked } = finish(readCitedText(text, EVIDENCE));
  expect(claims.map((claim) => [claim.section, claim.text, claim.citations])).toEqual([
    ["高度", "高九十米。", [1]],
    ["高度", "由工匠建成。", [2]],
    ["Money", "2024 | 12.5 million", [3]],
    ["Money", "See the note, p it says.", [4]],
  ]);
  expect(unmarked).not.toContain("灯塔高九十米");
});

it("numbers places once, in the order of first use", () => {
  const { claims, citations } = finish(
    readCitedText('A. [P3: "Costs fell."] B. [P1: "is 90 metres tall"] C. [P3: "Costs fell."]', EVIDENCE),
  );
  expect(claims.map((claim) => claim.citations)).toEqual([[1], [2], [1]]);
  expect(citations.map(({ id, quote }) => [id, quote])).toEqual([
    [1, "Costs fell."],
    [2, "is 90 metres tall"],
  ]);
});

it.each([
  ['It is ~~5~~ 90 metres tall. [P1: "90 metres tall"]', ["It is 90 metres tall.", "90 metres tall"]],
  ['It is <del>5</del> 90 metres tall. [P1: "90 metres tall"]', ["It is 90 metres tall.", "90 metres tall"]],
  ["灯塔~~高五十米~~高九十米。[P2：「灯塔高九十米」]", ["灯塔高九十米。", "灯塔高九十米"]],
  ['~~It is pink. It is new. [P1: "see note (b)"]~~ Costs fell. [P3: "Costs fell."]', ["Costs fell.", "Costs fell."]],
  ['Costs fell. [P3: "Costs fell."] ~~It is pink.~~ [P1: "see note (b)"]', ["Costs fell.", "Costs fell."]],
  ['It is ~~ 90 metres ~ tall. [P1: "90 metres tall"]', ["It is ~~ 90 metres ~ tall.", "90 metres tall"]],
  ['Costs fell. [P3: "Costs fell."]\n\n[^1]: In fact they rose.\nBy far. [P3: "Revenue rose"]\n', ["Costs fell.", "Costs fell."]],
  ['[^注]: 其实成本上升。\n\nCosts fell. [P3: "Costs fell."]', ["Costs fell.", "Costs fell."]],
])("removes strikethrough marks and notes from %j", (text, sentence) => {
  const { said } = read(text);
  expect(said).toEqual([sentence]);
  for (const size of [1, 4]) {
    const stream = createCitedStream(EVIDENCE);
    const claims = [];
    for (let at = 0; at < text.length; at += size) claims.push(...stream.push(text.slice(at, at + size)));
    claims.push(...stream.end());
    expect(claims.map((claim) => claim.text)).toEqual([sentence[0]]);
  }
});

it("gives the same result while the text arrives, and shows no sentence before its marker is complete", () => {
  const text =
    'A rise. [P3: "Revenue rose to"] 高九十米。[P2：「灯塔高九十米」]\n\n## More\nNo. [P1: "is pink all over"] Old. [P1: "built in 1931"]';
  const whole = finish(readCitedText(text, EVIDENCE));
  for (const size of [1, 2, 3, 7, 20, 1_000]) {
    const stream = createCitedStream(EVIDENCE);
    const claims = [];
    for (let at = 0; at < text.length; at += size) claims.push(...stream.push(text.slice(at, at + size)));
    claims.push(...stream.end());
    expect(claims).toEqual(whole.claims);
    expect(stream.citations).toEqual(whole.citations);
  }
});
