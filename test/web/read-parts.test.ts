import { describe, expect, it } from "vitest";
import { FailureCodeSchema, STRUCK_REASONS, SUPPORT_REASONS } from "../../src/domain/report.ts";
import { SUPPORT_KINDS } from "../../src/util/support-kinds.ts";
import { failureWords } from "../../web/src/views/failure-words.ts";
import { expressionParts, workingsByNote } from "../../web/src/views/read/expression-parts.ts";
import { findInText } from "../../web/src/views/read/find-in-text.ts";
import { markWords } from "../../web/src/views/read/mark-words.ts";
import { supportWords } from "../../web/src/views/read/support-words.ts";
import { cutText, firstShown, type Shown, showMore } from "../../web/src/views/read/text-window.ts";
import { seeded } from "../helpers/seeded.ts";

describe("a long text in pieces", () => {
  it("is cut within no surrogate pair and not within what is marked, and loses nothing", () => {
    const next = seeded(7);
    const letters = ["a", " ", "\n", "灯", "塔", "𠮷", "👩‍👩‍👧"];
    for (let round = 0; round < 300; round += 1) {
      const text = Array.from({ length: Math.floor(next() * 300) }, () => letters[Math.floor(next() * letters.length)]).join("");
      const start = Math.floor(next() * text.length);
      const whole = { start, end: start + 1 + Math.floor(next() * 40) };
      const starts = cutText(text, whole, 20);
      const pieces = starts.map((from, index) => text.slice(from, starts[index + 1]));
      expect(pieces.join("")).toBe(text);
      expect(pieces.every((piece) => piece.length > 0 || text === "")).toBe(true);
      const inside = starts.filter((at) => at > whole.start && at < Math.min(whole.end, text.length));
      expect(inside).toEqual([]);
      const cutsPair = starts.filter((at) => at > 0 && at !== whole.end && /^[\ud800-\udbff]$/.test(text.charAt(at - 1)));
      expect(cutsPair).toEqual([]);
    }
  });

  it("is shown around the mark, and never all of it", () => {
    const starts = cutText("word ".repeat(1_000_000), null);
    let shown: Shown = firstShown(starts, 2_500_000);
    expect([shown.to - shown.from, shown.from]).toEqual([12, 1246]);
    for (let times = 0; times < 1_000; times += 1) {
      shown = showMore(shown, times % 3 === 0 ? "up" : "down", starts.length);
      expect(shown.to - shown.from).toBeLessThanOrEqual(32);
    }
    expect(showMore(shown, "down", starts.length).to).toBe(starts.length);
  });
});

describe("a search in a document", () => {
  const signal = new AbortController().signal;

  it("finds every place, whatever its case and white space, also across the slices that are searched", async () => {
    const line = "The İstanbul harbour\n freezes over (in January). 奥尔德穆尔的港口 一月结冰。 ";
    const text = line.repeat(8_000);
    for (const [words, found] of [
      ["HARBOUR freezes", "harbour\n freezes"],
      ["(IN january).", "(in January)."],
      ["港口 一月", "港口 一月"],
    ] as const) {
      const matches = await findInText(text, words, signal);
      expect(matches.length).toBe(1_000);
      expect(new Set(matches.map(({ start, end }) => text.slice(start, end)))).toEqual(new Set([found]));
    }
    const rare = `${"x ".repeat(124_999)}nee`;
    expect(await findInText(`${rare}dle ${rare}`, "needle", signal)).toEqual([{ start: 249_998, end: 250_004 }]);
    expect(await findInText(text, "nowhere to be found", signal)).toEqual([]);
    expect(await findInText(text, " \n ", signal)).toEqual([]);
  });
});

it("finds the quote of each operand of a calculation", () => {
  const notes = ["revenue of $27.2 billion in 2024", "revenue of $24.1 billion in 2023", "收入为241亿元"].map((quote) => ({
    passage: { quote },
  }));
  const parts = expressionParts("($27.2 billion - 24.1 bn) / $24.1 billion; 241亿元 * 100", notes);
  expect(parts.map(({ text, note }) => [text, note === null ? null : notes.indexOf(note)])).toEqual([
    ["(", null],
    ["$27.2 billion", 0],
    [" − ", null],
    ["24.1 bn", 1],
    [")", null],
    [" ÷ ", null],
    ["$24.1 billion", 1],
    ["; ", null],
    ["241亿元", 2],
    [" × ", null],
    ["100", null],
  ]);
});

it("writes calculations with the numbers of their notes, at the first one, where nothing can be hovered", () => {
  const notes = new Map(
    ["opened in 1872", "repaired in 1931", "建于1872年"].map((quote, index) => [index + 1, { number: index + 1, passage: { quote } }]),
  );
  const claims = [
    { expression: "1931 - 1872", citations: [2, 1] },
    { expression: null, citations: [2] },
    { expression: "1872 * 100", citations: [3] },
    { expression: "1 + 1", citations: [] },
  ];
  expect([...workingsByNote({ claims }, notes)]).toEqual([
    [1, ["1931 [2] − 1872 [1]"]],
    [3, ["1872 [3] × 100"]],
  ]);
});

it.each(["en", "zh"] as const)("has words for every kind of support, every reason and every failure (%s)", (language) => {
  for (const kind of [...SUPPORT_KINDS, ...SUPPORT_REASONS, ...STRUCK_REASONS]) expect(supportWords[language]).toHaveProperty(kind);
  for (const kind of [...SUPPORT_KINDS, "contradicted", "oneSource"]) expect(supportWords[language]).toHaveProperty(`${kind}Help`);
  for (const code of FailureCodeSchema.options) expect(failureWords[language]).toHaveProperty(code);
});

it("marks the words of the question in a quote, whole words only, also Chinese ones", () => {
  const marked = (text: string, question: string) => markWords(text, question).flatMap((part) => (part.isMarked ? part.text : []));
  expect(marked("The Lighthouse was built; lighthouses burn.", "Who built the lighthouse?")).toEqual(["Lighthouse", "built"]);
  expect(marked("奥尔德穆尔灯塔建于1874年。", "灯塔是谁设计的？")).toEqual(["灯塔"]);
  expect(markWords("a+b", "a?")).toEqual([{ text: "a+b", isMarked: false }]);
});
