import { openSync } from "fontkit";
import { expect, it } from "vitest";
import { characterSetOf, FONTS } from "../../src/reports/fonts.ts";
import { createFontSplitter } from "../../src/reports/pdf/typesetter.ts";

it.each(["latin", "chinese"] as const)("the bold %s font has every letter that the other has", (name) => {
  const bold = openSync(FONTS[name].files.bold);
  const letters = new Set("characterSet" in bold ? bold.characterSet : []);
  expect([...characterSetOf(name)].filter((letter) => !letters.has(letter))).toEqual([]);
});

it("each letter is set in the font that has it, and shared punctuation in the font of its neighbors", () => {
  const typesetter = createFontSplitter();
  expect(typesetter.runsOf("Don’t say “no”: 他说“不”，Dvořák……")).toEqual([
    { text: "Don’t say “no”: ", font: "latin" },
    { text: "他说“不”，", font: "chinese" },
    { text: "Dvořák……", font: "latin" },
  ]);
  expect(typesetter.replaced()).toEqual({ count: 0, characters: "" });
});

it("a character without a glyph becomes a box for each visible character, and is listed once", () => {
  const typesetter = createFontSplitter();
  expect(typesetter.runsOf("กก👩‍👩‍👧a\u200d\u202e")).toEqual([
    { text: "□□□□□", font: "chinese" },
    { text: "a", font: "latin" },
  ]);
  expect(typesetter.replaced()).toEqual({ count: 5, characters: "U+0E01 U+1F469 U+1F467" });
});
