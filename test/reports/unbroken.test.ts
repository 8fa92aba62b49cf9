import { expect, it } from "vitest";
import { unbroken } from "../../src/reports/view/unbroken.ts";

it.each([
  ["It rose 3.5 percent to $27.2 billion in 2024.", "It rose 3.5_percent to $27.2_billion in 2024."],
  ["Cells lose 6.1% at 25 °C.", "Cells lose 6.1% at 25_°C."],
  ["收入为 27.2 亿元，增长 5 个百分点。", "收入为 27.2_亿元，增长 5_个百分点。"],
  ["No amount stands here.", "No amount stands here."],
])("keeps the parts of an amount on one line: %s", (text, joined) => {
  expect(unbroken(text)).toBe(joined.replaceAll("_", "\u00a0"));
});
