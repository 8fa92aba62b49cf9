import { expect, it } from "vitest";
import { ClosingLines, readClosingBlock, readClosingLines } from "../../src/evidence/closing-lines.ts";

const REPORT = "The tower is 90 metres tall.";

it.each([
  ["ANSWERS: fully", "fully", []],
  ["ANSWERS: partly\nMISSING: the year; the builder's name", "partly", ["the year", "the builder's name"]],
  ["**ANSWERS:** Partly.\n\n**MISSING:** the year", "partly", ["the year"]],
  ["ANSWERS：not\nMISSING：年份；建造者", "not", ["年份", "建造者"]],
  ["MISSING: the year\nMISSING: the builder\nANSWERS: partly", "partly", ["the year", "the builder"]],
  ["ANSWERS: partly\nMISSING:\n- the year\n- 1. the builder\n", "partly", ["the year", "1. the builder"]],
  ["ANSWERS: partly (the year is missing)\nMissing: the year", "partly", ["the year"]],
  ["ANSWERS: fully\nMISSING: none", "fully", []],
  ["- ANSWERS: not", "not", []],
  ["ANSWERS: partially\nMISSING: the year", "partly", ["the year"]],
  ["**ANSWERS: Partially.**", "partly", []],
  ["回答：完全", "fully", []],
  ["回答：完整", "fully", []],
  ["回答：部分\n缺少：年份；建造者", "partly", ["年份", "建造者"]],
  ["**回答：** 没有。\n\n**缺少：**\n- 年份\n", "not", ["年份"]],
  ["ANSWERS: partly\n缺少: 年份", "partly", ["年份"]],
] as const)("takes the closing lines %j out of the text", (closing, answers, missing) => {
  expect(readClosingLines(`${REPORT}\n\n${closing}`)).toEqual({ text: REPORT, answers, missing });
  expect(readClosingLines(`\`\`\`markdown\n${REPORT}\n\`\`\`\n${closing}`)).toMatchObject({ text: REPORT, answers, missing });
  expect(readClosingLines(`${closing}\n\n${REPORT}`)).toMatchObject({ text: REPORT, answers, missing });
});

it.each([
  "The question has several answers: fully four of them.",
  "Answers: not all of the questions have one.",
  "Missing: two of the five keepers.",
  "NO ANSWER: nothing is known.",
  "ANSWERS: maybe",
  "- Missing persons: 3",
  "回答：没有人知道。",
  "回答：部分工匠来自当地。",
  "缺少：两名看守。",
])("leaves %j in the text", (line) => {
  expect(readClosingLines(`${REPORT}\n\n${line}`)).toEqual({ text: `${REPORT}\n\n${line}`, answers: null, missing: [] });
});

it("keeps the text after the lines, and the last value counts", () => {
  const text = "ANSWERS: partly\n\nOne.\n\nANSWERS: fully\nMISSING: a\n\n## Two\n\nThree.";
  expect(readClosingLines(text)).toEqual({ text: "One.\n\n## Two\n\nThree.", answers: "fully", missing: ["a"] });
});

it("reads the same from pieces of every length", () => {
  const text = `## 塔\n\n${REPORT}\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\nANSWERS: partly\nMISSING: 年份; the builder`;
  const whole = readClosingLines(text);
  for (let length = 1; length <= text.length; length += 1) {
    const lines = new ClosingLines();
    let shown = "";
    for (let at = 0; at < text.length; at += length) shown += lines.push(text.slice(at, at + length));
    shown += lines.end();
    expect({ text: shown.trimEnd(), answers: lines.answers, missing: lines.missing }).toEqual(whole);
  }
});

it("bounds what a line may name", () => {
  const { missing } = readClosingLines(`ANSWERS: not\nMISSING: ${"a".repeat(900)}; ${"b; ".repeat(40)}`);
  expect(missing).toHaveLength(12);
  expect(missing[0]).toHaveLength(500);
});

const ANSWER = "The tower is 90 metres tall.\n\n这座灯塔高九十米。";

it.each([
  ["ANSWERS: fully", "fully", []],
  ["ANSWERS: partly\nMISSING: the year; the builder's name", "partly", ["the year", "the builder's name"]],
  ["**ANSWERS:** Partly.\n\n**MISSING:** the year\n\n", "partly", ["the year"]],
  ["ANSWERS: partly (the year is missing)\nMissing:\n- the year\n- the builder", "partly", ["the year", "the builder"]],
  ["回答：部分\n缺少：年份；建造者", "partly", ["年份", "建造者"]],
  ["**回答：** 没有（未找到来源）。\n\n**缺少：**\n- 年份\n", "not", ["年份"]],
] as const)("takes the block %j from the end of an answer", (closing, answers, missing) => {
  expect(readClosingBlock(`${ANSWER}\n\n${closing}`)).toEqual({ text: ANSWER, answers, missing });
});

it.each([
  "回答：没有，苹果在2024年取消了该项目。",
  "回答：部分。苹果只取消了汽车项目。",
  "ANSWERS: not, Apple cancelled it in 2024.",
  "MISSING: John Doe, last seen in May 2024.",
  "缺少：两名看守。",
  "ANSWERS: fully\nMISSING: none\n\nIt was built in 1931.",
  "回答：完全\n缺少：年份\n\n它建于一九三一年。",
  "ANSWERS: fully\n回答：没有，苹果取消了它。",
  "```\nANSWERS: fully\nMISSING: a\n```",
  "~~~md\n回答：完全\n~~~\n",
  "ANSWERS: partly\nMISSING:\n```\nlet a;\n```",
  `ANSWERS: partly\n${"MISSING: 年份\n".repeat(2_000)}`,
])("leaves in the answer %j", (line) => {
  for (const text of [line, `${ANSWER}\n\n${line}`, `${line}\n\n${ANSWER}`])
    expect(readClosingBlock(text)).toEqual({ text: text.trimEnd(), answers: null, missing: [] });
});

it("takes the block at the end alone if the answer has two, and the one after code", () => {
  const code = "```\nMISSING: a\n```";
  expect(readClosingBlock(`ANSWERS: fully\n\n${code}\n\nOne.\n\nANSWERS: partly\nMISSING: b`)).toEqual({
    text: `ANSWERS: fully\n\n${code}\n\nOne.`,
    answers: "partly",
    missing: ["b"],
  });
});

it("reads the block the same from pieces of every length, and shows at once what is text", () => {
  const text = `## 回答\n\n${ANSWER}\n\n回答：部分\n缺少：年份\n\n\`\`\`\nANSWERS: not\n\`\`\`\n${"-".repeat(30)} ANSWERS: not\nMore.\n\nANSWERS: partly\nMISSING: 年份; a`;
  const whole = readClosingBlock(text);
  expect([whole.answers, whole.missing]).toEqual(["partly", ["年份", "a"]]);
  for (let length = 1; length <= text.length; length += 1) {
    const block = new ClosingLines(true);
    let shown = "";
    for (let at = 0; at < text.length; at += length) shown += block.push(text.slice(at, at + length));
    shown += block.end();
    expect({ text: shown.trimEnd(), answers: block.answers, missing: block.missing }).toEqual(whole);
  }
  const block = new ClosingLines(true);
  expect(["The ", "tower", "\nANSW", "ERS: fully\n", "\n", "Mo", "re"].map((piece) => block.push(piece))).toEqual([
    "The ",
    "tower",
    "\n",
    "",
    "",
    "",
    "",
  ]);
  expect(block.push("\n")).toBe("ANSWERS: fully\n\nMore\n");
});
