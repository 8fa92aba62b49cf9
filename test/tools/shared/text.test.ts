import { describe, expect, it } from "vitest";
import { plainText } from "../../../src/tools/shared/text.ts";

describe("the plain text of a field", () => {
  it.each([
    ["H<sub>2</sub>O &amp; oil", "H2O & oil"],
    ["<p>One</p><p>two</p>", "One two"],
    ['<a href="https://example.org/?a>b">x</a> y', "x y"],
    ["if a<b and c>d", "if a<b and c>d"],
    ["p&lt;0.05 and q>3", "p<0.05 and q>3"],
    ["5&#xb0;C &ndash; 7&#176;C &unknown;", "5°C – 7°C &unknown;"],
    ["Caf&eacute; Br&ouml;tchen &#128;", "Café Brötchen €"],
    ["?a=1&copy=2", "?a=1&copy=2"],
    ["&constructor; &toString;", "&constructor; &toString;"],
    ["<mml:math xmlns:mml='x'><mml:mi>x</mml:mi></mml:math>", "x"],
    ["\0a\u00a0 b\ud800", "a b\ufffd"],
  ])("of %j is %j", (given, expected) => {
    expect(plainText(given)).toBe(expected);
  });

  it("is read in linear time if a tag is never closed", () => {
    const unclosed = ["<a b=".repeat(400_000), `<a ${"b=c ".repeat(400_000)}`, '<a b="'.repeat(400_000)];
    for (const text of unclosed) expect(plainText(text)).toBeDefined();
  });
});
