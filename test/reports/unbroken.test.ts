import { expect, it } from "vitest";
import { textHtml } from "../../src/reports/html/text.ts";
import { unbroken } from "../../src/reports/view/unbroken.ts";

it.each([
  ["It rose 3.5 percent to $27.2 billion in 2024.", "It rose 3.5_percent to $27.2_billion in 2024."],
  ["Cells lose 6.1% at 25 °C.", "Cells lose 6.1% at 25_°C."],
  ["收入为 27.2 亿元，增长 5 个百分点。", "收入为 27.2_亿|元，增长 5_个|百|分|点。"],
  ["收入比上年多24.2亿元。", "收入比上年多24.2|亿|元。"],
  ["No amount stands here.", "No amount stands here."],
])("keeps the parts of an amount on one line of a DOCX: %s", (text, joined) => {
  expect(unbroken(text)).toBe(joined.replaceAll("_", "\u00a0").replaceAll("|", "\u2060"));
});

it.each([
  ["It rose 3.5 percent & more.", `It rose <span class="amount">3.5 percent</span> &amp; more.`],
  ["收入比上年多24.2亿元。", `收入比上年多<span class="amount">24.2亿元</span>。`],
  ["It rose 3.5%.", "It rose 3.5%."],
])("keeps the parts of an amount on one line of a page, and its characters: %s", (text, html) => {
  expect(textHtml(text)).toBe(html);
});
