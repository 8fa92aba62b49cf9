import { expect, it } from "vitest";
import { createPolicy } from "../../../src/nodes/agent/termination-policy.ts";
import { rejectAnnouncedAction } from "../../../src/nodes/team/child-policy.ts";
import { expectLinear } from "../../helpers/expect-linear.ts";

const finishedText = (text: string, tools: readonly string[]) => createPolicy()(text, tools) ?? rejectAnnouncedAction(text, tools);

const TOOLS = ["search", "read_document", "calculator", "finish_task", "files__read"];

it.each([
  "Action: calculator",
  'Thought: I need a sum.\nAction: `calculator`\nAction Input: {"expression": "1+1"}',
  '**Action:** search({"query": "灯塔"})',
  "动作：搜索\n动作输入：灯塔",
  "工具调用：calculator（1+1）",
  '```json\n{"action":"search","action_input":"x"}\n```',
  '{"tool": "files__read", "input": {"path": "灯塔.txt"}}',
  '[{"name": "search", "arguments": {"query": "灯塔"}}]',
  '{"function": {"name": "search", "arguments": "{}"}}',
  '{"search": {"query": "lighthouse"}}',
  'Thought: I have to look.\n{"action": "search", "action_input": "lighthouse"}',
  'search(query="x")',
  "`calculator(expression='(1+2)*3')`",
  '```python\nsearch(query="a) b")\nread_document(id="S1")\n```',
  "search（灯塔）",
  "<tool>search</tool><query>x</query>",
  "<search><query>灯塔</query></search>",
  '<invoke name="search"><parameter name="query">x</parameter></invoke>',
  '<tool_call>\n{"name": "search", "arguments": {"query": "x"',
  "",
  "好的，我明白了",
])("does not accept %j as an answer", (text) => {
  expect(finishedText(text, TOOLS)).not.toBeNull();
});

it.each([
  "The sum is two.",
  "Action: the company should sell its ships and buy lighthouses.",
  "Thought: enough.\nAction: calculator\nFinal Answer: It is two.",
  "行动：我们应该在冬天之前把灯塔修好，并且储存足够的鲸油和食物。",
  "两加两等于四。",
  "The search tool of the archive was built in 1998, and the calculator in 1970.",
  "I used the search tool and found that it is 31 m high.",
  'This is how it is asked:\n```json\n{"action": "search", "action_input": "灯塔"}\n```',
  "search(query) is the function that finds it (in module seek).",
  '{"name": "calculator", "price": 12}',
  '{"name": "calculator"}',
  '{"action": "sell", "why": "it leaks"}',
  "<b>search</b> is what they call it.",
  "x(1)",
  "搜索工具没有找到灯塔的高度。",
])("accepts %j as an answer", (text) => {
  expect(finishedText(text, TOOLS)).toBeNull();
});

it.each(['search("', "search('", "search(“"])("reads a call that was cut off in its quotes, such as %s, in linear time", (start) => {
  expectLinear((size) => finishedText(`${start}${"\\\"\\'“灯".repeat(size / 6)}`, TOOLS));
});
