import { expect, it } from "vitest";
import { expectSameAgain, type Researched, research, statuses } from "./ask-research.ts";

/** The lakes are compared, and no figure of either is told. */
const CORPUS = {
  "lakes.md": "# Lakes of the region\n\nLake Ardle is almost twice as deep as Lake Kest.\n\nIt was dammed long ago.\n",
  "zh/湖.md": "# 本省的湖\n\n星河湖的深度比沙洲湖大得多。\n\n湖边有村庄。\n",
};

/** What was planned, plan by plan. */
function plansOf({ events }: Researched): string[][] {
  return events.flatMap((event) => {
    if (event.type !== "component" || event.component !== "planner-response") return [];
    const { todos } = event.props as unknown as { todos: { description: string }[] };
    return [todos.map(({ description }) => description)];
  });
}

it.each([
  [
    "Compare the depth of Lake Kest and Lake Ardle.",
    ["What is the depth of Lake Kest?", "What is the depth of Lake Ardle?"],
    "Lake Ardle is almost twice as deep as Lake Kest.",
  ],
  ["对比星河湖和沙洲湖的深度。", ["星河湖的深度是多少？", "沙洲湖的深度是多少？"], "星河湖的深度比沙洲湖大得多。"],
])("asks the whole question in the last round where nothing is found for any part of it: %s", async (question, parts, quote) => {
  const done = await research({ question }, { corpus: CORPUS });
  expect(plansOf(done)).toEqual([parts, parts, [question]]);
  expect(done.run.termination).toEqual({ reason: "completed", node: "summarise", detail: null });
  expect(statuses(done.run.todos)).toBe("T3 completed");
  expect(done.run.report?.citations.map((citation) => citation.quote)).toEqual([quote]);
  await expectSameAgain(done, {});
});

it.each([
  ["Compare the price of Lake Kest and Lake Ardle.", "Compare the price of Lake Kest and Lake Ardle. No quoted passage names “price”."],
  ["对比星河湖和沙洲湖的面积。", "对比星河湖和沙洲湖的面积。 引用的段落没有给出“面积”。"],
])("ends with no answer where the whole question is not answered either: %s", async (question, detail) => {
  const { run } = await research({ question }, { corpus: CORPUS });
  expect([run.termination?.reason, statuses(run.todos)]).toEqual(["no_answer", "T3 failed"]);
  expect(run.termination?.detail).toContain(detail);
  expect(run.report?.citations).toEqual([]);
});

it("asks apart what was asked as a whole in vain, so that one part keeps no other from being answered", async () => {
  const question = "怎么预约星河湖的船票，码头由谁修建？";
  const corpus = { ...CORPUS, "zh/船票.md": "# 星河湖的船票\n\n预约星河湖的船票要到码头的窗口登记。\n" };
  const done = await research({ question }, { corpus });
  expect(plansOf(done).slice(0, 2)).toEqual([[question], ["怎么预约星河湖的船票？", "码头由谁修建？"]]);
  expect(statuses(done.run.todos)).toBe("T2 completed, T3 failed");
  expect(done.run.report?.citations.map((citation) => citation.quote)).toEqual(["预约星河湖的船票要到码头的窗口登记。"]);
  expect(done.run.report?.unanswered?.join()).toMatch(/^码头由谁修建？/);
  await expectSameAgain(done, {});
});

it.each([1, 8, 9, 10, 11, 12, 13, 14])("keeps within %i steps, however many plans they allow", async (steps) => {
  const { run } = await research({ question: "对比星河湖和沙洲湖的深度。", limits: { steps } }, { corpus: CORPUS });
  expect([run.error, run.termination?.reason]).toEqual([null, steps < 13 ? "no_answer" : "completed"]);
});
