import { expect, it } from "vitest";
import { ClosingLines } from "../../src/evidence/closing-lines.ts";

const CASES: readonly (readonly [string, string])[] = [
  ["```markdown\n# 灯塔\n高九十米。\n```", "# 灯塔\n高九十米。\n"],
  ["\n```md\r\nIt is high.\n```\n", "\nIt is high.\n"],
  ["```\nIt is high.\n```\nMore.", "It is high.\nMore."],
  ["~~~~ Markdown\nIt is high.\n~~~~", "It is high.\n"],
  ["Here it is:\n\n```markdown\nIt is high.\n```", "Here it is:\n\nIt is high.\n"],
  ["```markdown\nIt is cut", "It is cut"],
  ["```markdown\nSee:\n```js\nf()\n```\nEnd.\n```\nAfter.", "See:\n```js\nf()\n```\nEnd.\nAfter."],
  ["Code:\n```\nf()\n```\nEnd.", "Code:\n```\nf()\n```\nEnd."],
  ["```js\nf()\n```\nEnd.", "```js\nf()\n```\nEnd."],
  ["`x` and ```markdown\nstay `y`", "`x` and ```markdown\nstay `y`"],
];

it.each(CASES)("reads the text inside a fence around a report, however the text is cut: %j", (text, expected) => {
  for (const size of [1, 2, 3, 4, 5, 6, 7, 8, text.length]) {
    const filter = new ClosingLines();
    let out = "";
    for (let at = 0; at < text.length; at += size) out += filter.push(text.slice(at, at + size));
    expect(out + filter.end()).toBe(expected);
  }
});
