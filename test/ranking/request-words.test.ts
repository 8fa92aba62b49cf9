import { expect, it } from "vitest";
import { isRequest, keywords } from "../../src/ranking/query-terms.ts";

it.each([
  ["Write a detailed report comparing Tesla and BYD", "Tesla BYD"],
  ["Please summarize the history of the lamp", "history lamp"],
  ["WRITE AN OVERVIEW OF TIDES.", "TIDES"],
  ["请写一份关于特斯拉和比亚迪的详细报告", "特斯拉 比亚迪"],
  ["請撰寫一篇關於台積電的文章", "台積電"],
  ["帮我对比分析 BERT 与 GPT", "BERT GPT"],
])("of the request %s only the subject is left", (question, words) => {
  expect([keywords(question).join(" "), isRequest(question)]).toEqual([words, true]);
});

it.each([
  ["Apple annual report 2024", "Apple annual report 2024"],
  ["Who wrote the overview of tides?", "wrote overview tides"],
  ["比较文学的历史", "比较文学 历史"],
  ["年度报告的审计", "年度报告 审计"],
])("of %s, which is no request, all content words are left", (question, words) => {
  expect([keywords(question).join(" "), isRequest(question)]).toEqual([words, false]);
});

it.each([
  ["光伏产能过剩的原因是什么？", "光伏产能过剩 原因"],
  ["光伏產能過剩嗎？", "光伏產能過剩"],
  ["储能电站的成本", "储能电站 成本"],
  ["人工智能能做什么？", "人工智能"],
  ["公司会裁员吗？", "公司 裁员"],
  ["猫用来做什么？", "猫"],
])("of %s no word is cut that the segmenter does not know", (question, words) => {
  expect(keywords(question).join(" ")).toBe(words);
});

it("keeps the words of a request that has no others", () => {
  expect(keywords("Write a report.")).toEqual(["Write", "a", "report"]);
});
