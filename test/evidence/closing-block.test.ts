import { expect, it } from "vitest";
import { ClosingLines, readClosingBlock } from "../../src/evidence/closing-lines.ts";

const ANSWER = "The tower is 90 metres tall.\n\n这座灯塔高九十米。";

it.each([
  ["ANSWERS: fully", "fully", []],
  ["ANSWERS: partly\nMISSING: the year; the builder's name", "partly", ["the year", "the builder's name"]],
  ["**ANSWERS:** Partly.\n\n**MISSING:** the year\n\n", "partly", ["the year"]],
  ["ANSWERS: partly (the year is missing)\nMissing:\n- the year\n- the builder", "partly", ["the year", "the builder"]],
  ["回答：部分\n缺少：年份；建造者", "partly", ["年份", "建造者"]],
  ["**回答：** 没有（未找到来源）。\n\n**缺少：**\n- 年份\n", "not", ["年份"]],
] as const)("takes the closing lines %j from the end of an answer", (closing, answers, missing) => {
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

it("reads the same from pieces of every length, and shows at once what is text", () => {
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
