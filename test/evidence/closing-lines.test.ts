import { expect, it } from "vitest";
import { ClosingLines, readClosingLines } from "../../src/evidence/closing-lines.ts";

const TEXT = "The tower is 90 metres tall.\n\n这座灯塔高九十米。";
const ANSWER = { isReport: false };
const REPORT = { isReport: true };

it.each([
  ["ANSWERS: fully", "fully", []],
  ["ANSWERS: partly\nMISSING: the year; the builder's name", "partly", ["the year", "the builder's name"]],
  ["ANSWERS: partly\nMISSING:\n- the year\n- 1. the builder\n", "partly", ["the year", "1. the builder"]],
  ["ANSWERS: partly (the year is missing)\nMissing: the year", "partly", ["the year"]],
  ["回答：完整", "fully", []],
  ["**回答：** 没有（未找到来源）。\n\n**缺少：**\n- 年份\n", "not", ["年份"]],
] as const)("takes the lines %j from the end of a text", (closing, answers, missing) => {
  for (const form of [ANSWER, REPORT]) expect(readClosingLines(`${TEXT}\n\n${closing}`, form)).toEqual({ text: TEXT, answers, missing });
  expect(readClosingLines(`\`\`\`markdown\n${TEXT}\n\`\`\`\n${closing}`, REPORT)).toEqual({ text: TEXT, answers, missing });
});

it.each([
  "The question has several answers: fully four of them.",
  "NO ANSWER: nothing is known.",
  "ANSWERS: fully\nMISSING: none\n\nIt was built in 1931.",
  "ANSWERS: fully\n回答：没有，苹果取消了它。",
  "ANSWERS: partly\nMISSING:\n```\nlet a;\n```",
  `ANSWERS: partly\n${"MISSING: 年份\n".repeat(2_000)}`,
])("leaves in the text %j", (line) => {
  for (const text of [line, `${TEXT}\n\n${line}`, `${line}\n\n${TEXT}`])
    expect(readClosingLines(text, ANSWER)).toEqual({ text: text.trimEnd(), answers: null, missing: [] });
});

it("bounds what a line may name", () => {
  const { missing } = readClosingLines(`ANSWERS: not\nMISSING: ${"a".repeat(900)}; ${"b; ".repeat(40)}`, REPORT);
  expect(missing).toHaveLength(12);
  expect(missing[0]).toHaveLength(500);
});

it("shows at once what is text", () => {
  const lines = new ClosingLines(ANSWER);
  expect(["The ", "tower", "\nANSW", "ERS: fully\n", "\n", "Mo", "re"].map((piece) => lines.push(piece)).join("|")).toBe(
    "The |tower|\n||||",
  );
  expect(lines.push("\n")).toBe("ANSWERS: fully\n\nMore\n");
});

it.each([
  ["```markdown\n# 灯塔\n高九十米。\n```", "# 灯塔\n高九十米。\n"],
  ["\n```md\r\nIt is high.\n```\n", "\nIt is high.\n"],
  ["Here it is:\n\n```markdown\nIt is high.\n```", "Here it is:\n\nIt is high.\n"],
  ["```markdown\nIt is cut", "It is cut"],
  ["```js\nf()\n```\nEnd.", "```js\nf()\n```\nEnd."],
  [`${TEXT}\n\nANSWERS: partly\nMISSING: 年份; the builder`, `${TEXT}\n\n`],
])("reads a report the same from pieces of every length: %j", (text, expected) => {
  for (let length = 1; length <= text.length; length += 1) {
    const lines = new ClosingLines(REPORT);
    let shown = "";
    for (let at = 0; at < text.length; at += length) shown += lines.push(text.slice(at, at + length));
    expect(shown + lines.end()).toBe(expected);
  }
});
