import { expect, it } from "vitest";
import { finishedText } from "../../../src/nodes/team/child/policy.ts";

it.each([
  "Action: calculator",
  'Thought: I need a sum.\nAction: `calculator`\nAction Input: {"expression": "1+1"}',
  '**Action:** search({"query": "灯塔"})',
  "动作：搜索\n动作输入：灯塔",
  "工具调用：calculator（1+1）",
  "",
  "好的，我明白了",
])("takes %j for no answer of a child", (text) => {
  expect(finishedText(text)).not.toBeNull();
});

it.each([
  "The sum is two.",
  "Action: the company should sell its ships and buy lighthouses.",
  "Thought: enough.\nAction: calculator\nFinal Answer: It is two.",
  "行动：我们应该在冬天之前把灯塔修好，并且储存足够的鲸油和食物。",
  "两加两等于四。",
])("takes %j for an answer", (text) => {
  expect(finishedText(text)).toBeNull();
});
