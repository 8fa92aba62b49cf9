import { expect, it } from "vitest";
import { answerText, formatUnanswered, type Report } from "../../src/domain/report.ts";
import { NO_BLOCKS, QUOTED, UNVERIFIED } from "../helpers/claims.ts";
import { coverage } from "../helpers/coverage.ts";

const EMPTY: Report = {
  ...NO_BLOCKS,
  markdown: "",
  claims: [],
  citations: [],
  closest: [],
  sources: [],
  coverage: coverage(),
  ledger: [],
};
const LEDGER =
  "## Where it looked\n\n| What | Where | Outcome | Milliseconds |\n| --- | --- | --- | ---: |\n| search | corpus | found (2) | 3 |\n";
const claim = (text: string, section: string, ...citations: number[]) => ({
  text,
  citations,
  ...(citations.length > 0 ? QUOTED : UNVERIFIED),
  section,
  origins: 1,
});

it("is the cited sentences of a report, by section, without numbers, quotes and ledger", () => {
  const report = {
    ...EMPTY,
    markdown: `# 灯塔？\n\n- 灯塔建于1874年。 [1]\n\n## Quotes\n\n1. “1874” — x (\`abc\` 0–4)\n\n${LEDGER}`,
    claims: [claim("灯塔建于1874年。", "", 1), claim("It burns whale oil.", "Lamp", 1), claim("I know no more.", "Lamp")],
    citations: [{ id: 1, sourceId: "s", contentHash: "abc", start: 0, end: 4, quote: "1874" }],
  };
  expect(answerText(report)).toBe("灯塔建于1874年。\n\n## Lamp\n\nIt burns whale oil.\nI know no more.");
});

it("is the text of an answer without citations", () => {
  const markdown = "# Hello\n\n你好！\n\n## Where?\n\nHere.";
  expect(answerText({ ...EMPTY, markdown, claims: [claim("你好！", "")] })).toBe(markdown);
});

it("is the verdict if there is no answer", () => {
  const verdict = "No answer was found.";
  expect(answerText({ ...EMPTY, markdown: `# Who?\n\n${verdict}\n\n${LEDGER}` })).toBe(verdict);
  expect(answerText({ ...EMPTY, markdown: "# 谁？\n\n这个问题没有得到回答。\n" })).toBe("这个问题没有得到回答。");
});

it.each([
  ["with a ledger", `\n\n${LEDGER}`],
  ["without one", "\n"],
])("leaves out the closest passages of a report without an answer: %s", (_, rest) => {
  const closest = [{ sourceId: "s", contentHash: "abc", start: 0, end: 10, quote: "Her cousin" }];
  const verdict = "没有找到答案。\n\n以下各项未能查找或读取：\n\n- 来源 web: 无法连接";
  const section = "## 最接近的段落（可能没有回答这个问题）\n\n> “Her cousin” — x (`abc` 0–10)\n\n> “守塔人” — y (`abc` 11–14)";
  expect(answerText({ ...EMPTY, closest, markdown: `# 谁？\n\n${verdict}\n\n${section}${rest}` })).toBe(verdict);
});

it.each([
  ["height of the mast", "No passage answers it.", "height of the mast: No passage answers it."],
  ["桅杆的高度", "没有段落回答这个问题。", "桅杆的高度：没有段落回答这个问题。"],
  ["What is the mast made of?", "No passage answers it.", "What is the mast made of? (No passage answers it.)"],
  ["找出桅杆的高度。", "没有段落回答这个问题。", "找出桅杆的高度。（没有段落回答这个问题。）"],
  ["桅杆有多高？", "太薄弱", "桅杆有多高？（太薄弱）"],
  ["Find the “old mast.”", "bad", "Find the “old mast.” (bad)"],
  ["The mast (in metres)", "bad", "The mast (in metres): bad"],
])("lists the unanswered questions and their reasons separately: %s", (asked, why, line) => {
  expect(formatUnanswered(asked, why)).toBe(line);
});
