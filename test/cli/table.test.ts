import { expect, it } from "vitest";
import { displayWidth, tableLines } from "../../src/cli/terminal.ts";

it("counts Chinese, Japanese and Korean characters as two columns, and combining ones as none", () => {
  expect(["abc", "提示词", "プロンプト", "프롬프트", "e\u0301", "（）", ""].map(displayWidth)).toEqual([3, 6, 10, 8, 1, 4, 0]);
});

it("aligns columns by visible width", () => {
  expect(
    tableLines([
      ["NAME", "FROM", "FILE"],
      ["提示词", "built-in", "a.md"],
      ["writer", "x", "提示/写作.md"],
    ]),
  ).toEqual(["NAME    FROM      FILE", "提示词  built-in  a.md", "writer  x         提示/写作.md"]);
});

it("breaks the last column between words before column 80, and gives a cell that is too wide its own line", () => {
  const words = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen";
  const path = `/srv/${"研究".repeat(20)}/writer.md`;
  const lines = tableLines([
    ["A", "B", "C"],
    ["role", "m".repeat(40), words],
    ["role", "m", path],
  ]);
  expect(lines).toEqual([
    "A     B  C",
    `role  ${"m".repeat(40)}`,
    "         one two three four five six seven eight nine ten eleven twelve thirteen",
    "         fourteen",
    "role  m",
    `  ${path}`,
  ]);
  expect(lines.filter((line) => displayWidth(line) > 80)).toEqual([`  ${path}`]);
});
