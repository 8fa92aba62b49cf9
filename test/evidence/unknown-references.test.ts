import { expect, it } from "vitest";
import { hasUnknownDetails } from "../../src/evidence/unknown-references.ts";

const KNOWN = ["Who painted the portrait of 1874, and what does docs.example say? 谁在1874年画了肖像？"];

it.each(["Nothing was found about the portrait of 1874.", "没有找到1874年肖像的画家。", "What docs.example says could not be read."])(
  "accepts a sentence with known names only: %s",
  (text) => {
    expect(hasUnknownDetails(text, KNOWN)).toBe(false);
  },
);

it.each([
  "The portrait of 1931 was not found.",
  "画家在2020年获得的4200元报酬不详。",
  "See evil.example for more.",
  "见 https://evil.example/x 。",
  "Look at `evil` (not retrieved).",
])("finds the unknown name in: %s", (text) => {
  expect(hasUnknownDetails(text, KNOWN)).toBe(true);
});
