import { expect, it } from "vitest";
import { formatUnanswered } from "../../src/domain/report.ts";

it.each([
  ["height of the mast", "No passage answers it.", "height of the mast: No passage answers it."],
  ["桅杆的高度", "没有段落回答这个问题。", "桅杆的高度：没有段落回答这个问题。"],
  ["What is the mast made of?", "No passage answers it.", "What is the mast made of? No passage answers it."],
  ["找出桅杆的高度。", "没有段落回答这个问题。", "找出桅杆的高度。 没有段落回答这个问题。"],
  ["桅杆有多高？", "太薄弱", "桅杆有多高？ 太薄弱"],
  ["Find the “old mast.”", "bad", "Find the “old mast.” bad"],
  ["The mast (in metres)", "bad", "The mast (in metres): bad"],
])("tells what was asked and why it is open apart: %s", (asked, why, line) => {
  expect(formatUnanswered(asked, why)).toBe(line);
});
