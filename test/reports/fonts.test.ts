import { openSync } from "fontkit";
import { expect, it } from "vitest";
import { characterSetOf, FONTS } from "../../src/reports/fonts.ts";
import { createFontSplitter } from "../../src/reports/pdf/typesetter.ts";

it.each(["latin", "chinese"] as const)("the bold %s font has every letter that the other has", (name) => {
  const bold = openSync(FONTS[name].files.bold);
  const letters = new Set("characterSet" in bold ? bold.characterSet : []);
  expect([...characterSetOf(name)].filter((letter) => !letters.has(letter))).toEqual([]);
});

it("each letter is set in the font that has it, and shared punctuation in the font of most of the text", () => {
  const typesetter = createFontSplitter();
  expect(typesetter.runsOf("Don’t say “no” to “灯塔”.")).toEqual([
    { text: "Don’t say “no” to “", font: "latin" },
    { text: "灯塔", font: "chinese" },
    { text: "”.", font: "latin" },
  ]);
  expect(typesetter.runsOf("他说“no”——不")).toEqual([
    { text: "他说“", font: "chinese" },
    { text: "no", font: "latin" },
    { text: "”", font: "chinese", fontFeatures: ["halt"] },
    { text: "——不", font: "chinese" },
  ]);
  expect(typesetter.replaced()).toEqual({ count: 0, characters: "" });
});

it("full-width punctuation beside other punctuation, and at the start, takes half its width", () => {
  const halved = (text: string): string[] =>
    createFontSplitter()
      .runsOf(text)
      .flatMap((run) => (run.fontFeatures === undefined ? [] : [run.text]));
  expect(halved("“亏损。”——年报，见附注。")).toEqual(["“", "。”"]);
  expect(halved("他说“不”。")).toEqual(["”"]);
  expect(halved("他说不。")).toEqual([]);
});

it("a character without a glyph becomes a box for each visible character, and is listed once", () => {
  const typesetter = createFontSplitter();
  expect(typesetter.runsOf("กก👩‍👩‍👧a\u200d\u202e")).toEqual([
    { text: "□□□□□", font: "chinese" },
    { text: "a", font: "latin" },
  ]);
  expect(typesetter.replaced()).toEqual({ count: 5, characters: "U+0E01 U+1F469 U+1F467" });
});
