import { expect, it } from "vitest";
import { withTextFragment } from "../../src/util/text-fragment.ts";

it.each([
  ["https://a.example/x", "A short quote.", "https://a.example/x#:~:text=A%20short%20quote."],
  ["https://a.example/x#part", "well-known, R&D", "https://a.example/x#part:~:text=well%2Dknown%2C%20R%26D"],
  ["https://a.example/x#part:~:text=old", "new", "https://a.example/x#part:~:text=new"],
  ["https://a.example/x", "Cell one | 2", "https://a.example/x#:~:text=Cell%20one"],
  ["https://a.example/x", "净利润402.5亿元。", "https://a.example/x#:~:text=%E5%87%80%E5%88%A9%E6%B6%A6402.5%E4%BA%BF%E5%85%83%E3%80%82"],
  [
    "https://a.example/x",
    `One two three four five six seven ${"and more ".repeat(20)}eight nine ten eleven twelve thirteen.`,
    "https://a.example/x#:~:text=One%20two%20three%20four%20five%20six,eight%20nine%20ten%20eleven%20twelve%20thirteen.",
  ],
  ["https://a.example/x", "x".repeat(500), "https://a.example/x"],
  ["https://a.example/x", "Two\n lines, 两行", "https://a.example/x#:~:text=Two%20lines%2C%20%E4%B8%A4%E8%A1%8C"],
  ["https://a.example/x", "—", "https://a.example/x"],
  ["https://a.example/x", "what was \ufffd lost", "https://a.example/x"],
])("%s leads to %j", (href, quote, expected) => {
  expect(withTextFragment(href, quote)).toBe(expected);
});
