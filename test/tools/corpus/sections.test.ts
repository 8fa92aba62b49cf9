import { expect, it } from "vitest";
import { tokenize } from "../../../src/ranking/tokenize.ts";
import { bestSnippet, splitSections, splitText } from "../../../src/tools/corpus/sections.ts";

const filler = "Nothing of any interest is said in this sentence, which is here to be long. ";

it("a snippet is the part with the most terms, in complete sentences", () => {
  const text = `${filler.repeat(5)}An osprey dives. It feeds on fish. ${filler.repeat(5)}An osprey sits.`;
  const snippet = bestSnippet(splitText(text), tokenize("osprey fish"));
  expect(snippet).toContain("An osprey dives. It feeds on fish.");
  expect(snippet.length).toBeLessThanOrEqual(300);
  expect(text).toContain(snippet);
});

it("a snippet is the beginning if no term occurs", () => {
  expect(bestSnippet(splitText("First. Second."), ["none"])).toBe("First. Second.");
});

it("a snippet of one endless line is a part of it, with no character cut in two", () => {
  const text = `${"𠮷".repeat(500)}鶚${"𠮷".repeat(500)}`;
  const snippet = bestSnippet(splitText(text), tokenize("𠮷鶚"));
  expect(snippet).toContain("鶚");
  expect(snippet.length).toBeLessThanOrEqual(300);
  expect(snippet.isWellFormed()).toBe(true);
});

it("sections start at headings, have the path of headings above them, and together contain every block", () => {
  const paragraph = "x".repeat(500);
  const parts = ["# A", paragraph, "## B", paragraph, "### C", "short", "## D", paragraph, "y".repeat(9_000)];
  let at = 0;
  const blocks = parts.map((part) => {
    const block = {
      kind: part.startsWith("#") ? ("heading" as const) : ("paragraph" as const),
      level: part.lastIndexOf("#") + 1,
      start: at,
      end: at + part.length,
    };
    at += part.length + 2;
    return block;
  });
  const text = parts.join("\n\n");
  const sections = splitSections({ text, blocks });
  expect(sections.map(({ headings }) => headings)).toEqual([
    ["# A"],
    ["# A", "## B"],
    // C is too short to be a section.
    ["# A", "## B", "### C", "## D"],
    ["# A", "## D"],
    ["# A", "## D"],
    ["# A", "## D"],
  ]);
  for (const { start, end } of blocks) {
    const covering = sections.filter((section) => section.end > start && section.start < end);
    expect(covering[0]?.start).toBeLessThanOrEqual(start);
    expect(covering.at(-1)?.end).toBeGreaterThanOrEqual(end);
  }
});
