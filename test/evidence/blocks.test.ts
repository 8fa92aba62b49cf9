import { describe, expect, it } from "vitest";
import { readCitedText } from "../../src/evidence/cited-text.ts";
import type { Evidence } from "../../src/evidence/quote-location.ts";
import { finish } from "../../src/util/turns.ts";

const TEXT = "The tower is 90 metres tall. It was built in 1931. | Revenue | 12.5 | 11.0 |\n这座灯塔高九十米。";
const EVIDENCE = new Map<string, Evidence>([
  ["P1", { id: "P1", sourceId: "S1", contentHash: "h", text: TEXT, start: 0, end: TEXT.length }],
]);

/** Returns the blocks with the texts of their sentences in place of the indices. */
function read(text: string) {
  const { blocks, claims } = finish(readCitedText(text, EVIDENCE));
  const texts = (sentences: readonly number[]): string[] => sentences.map((index) => claims[index]?.text ?? "?");
  return blocks.map((block) => {
    if (block.kind === "heading") return [block.kind, block.level, block.text];
    if (block.kind === "paragraph") return [block.kind, ...texts(block.sentences)];
    if (block.kind === "table") return [block.kind, block.head, ...texts(block.rows)];
    const items = block.items.map(({ level, sentences }) => [level, ...texts(sentences)]);
    return block.kind === "list" ? [block.kind, ...items] : [block.kind, block.start, ...items];
  });
}

describe("the blocks of a report", () => {
  it("keep headings with figures, and their order", () => {
    expect(read("Lead.\n# Part 1\nOne. Two.\n\nThree.\n## Outlook for 2020\n**Bold heading**\n四。")).toEqual([
      ["paragraph", "Lead."],
      ["heading", 1, "Part 1"],
      ["paragraph", "One.", "Two."],
      ["paragraph", "Three."],
      ["heading", 2, "Outlook for 2020"],
      ["heading", 3, "Bold heading"],
      ["paragraph", "四。"],
    ]);
  });

  it("keep the levels and numbers of lists", () => {
    const text = "- a\n  - b\n    - c\n- d\n\n  more of d\n\n3. e\n   - f\n4. g\n\n1、一\n2、二";
    expect(read(text)).toEqual([
      ["list", [0, "a"], [1, "b"], [2, "c"], [0, "d", "more of d"]],
      ["numbered-list", 3, [0, "e"], [1, "f"], [0, "g"], [0, "一"], [0, "二"]],
    ]);
  });

  it("keep tables, and cite the cells of a row together", () => {
    const table = [
      "| What | 2025 | Source |",
      "| :--- | ---: | --- |",
      '| Revenue | 12.5 | [P1: "| Revenue | 12.5 | 11.0 |"] |',
      '| 高 | 九十米 | [P1: "高九十米"] |',
    ];
    expect(read(`${table.join("\n")}\n\nEnd.`)).toEqual([
      ["table", ["What", "2025"], "Revenue | 12.5", "高 | 九十米"],
      ["paragraph", "End."],
    ]);
    const { claims } = finish(readCitedText(table.join("\n"), EVIDENCE));
    expect(claims.map(({ citations }) => citations)).toEqual([[1], [2]]);
    expect(read("a | b\n--- | ---\nc | d \\| e")).toEqual([["table", ["a", "b"], "c | d | e"]]);
  });

  it("leave out code, rules, notes, and what is struck", () => {
    expect(read('```\ncode\n```\nOne.\n\n---\n[^1]: A note.\n\n## Gone\nPink. [P9: "x"]\n\n## Left\nTwo.')).toEqual([
      ["paragraph", "One."],
      ["heading", 2, "Left"],
      ["paragraph", "Two."],
    ]);
  });

  it("have no citations in their texts, wherever these stand", () => {
    const cited =
      'It is tall [P1: "90 metres tall"], and old [P1: "built in 1931"] [= 90 - 1].\n[P1: "这座灯塔"]\n\n高九十米[P1：「灯塔高九十米」]。';
    expect(read(cited)).toEqual([
      ["paragraph", "It is tall, and old."],
      ["paragraph", "高九十米。"],
    ]);
  });
});

it("marks headings and heads of tables whose figures stand in no checked sentence", () => {
  const { blocks } = finish(
    readCitedText(
      '## Since 1931\nIt dates from 1931. [P1: "built in 1931"]\n\n## Since 1840\n| Year 1850 |\n| --- |\n| x |\n\n## Tall\nIt is tall. [P1: "90 metres tall"]',
      EVIDENCE,
    ),
  );
  const labels = blocks.flatMap((block) => (block.kind === "heading" || block.kind === "table" ? [[block.support, block.reason]] : []));
  expect(labels).toEqual([
    ["summary", null],
    ["unverified", "amount_not_in_sentences: 1840"],
    ["unverified", "amount_not_in_sentences: 1850"],
    [null, null],
  ]);
});
