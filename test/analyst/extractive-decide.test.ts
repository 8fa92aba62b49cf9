import { expect, test } from "vitest";
import { createExtractiveAnalyst, decideByRules, type ToolRules } from "../../src/analyst/extractive/analyst.ts";
import type { DecisionView } from "../../src/domain/ports/analyst.ts";
import type { ToolOutcome } from "../../src/domain/tool.ts";
import { NO_MODEL } from "../helpers/no-model.ts";
import { noEffects } from "./readings.ts";

const view = (over: Partial<DecisionView> = {}): DecisionView => ({
  question: "What did Apple report?",
  today: "2026-08-01",
  language: "auto",
  systemContext: "",
  history: [],
  ...NO_MODEL,
  round: 1,
  tools: [{ name: "filings", description: "Company filings", kind: "query", parameters: {} }],
  outcomes: [],
  resultsBySource: {},
  best: [],
  ...over,
});
const outcome = {
  round: 1,
  name: "filings",
  arguments: {},
  ok: false,
  reused: false,
  results: 0,
  newResults: 0,
  observation: "",
  failure: "timeout",
};
const rules: ToolRules = { filings: ({ question }) => (/report|财报/.test(question) ? [{ company: "Apple" }] : []) };

test("a tool is called if its rule finds a cue in the question", () => {
  expect(decideByRules(rules, view())).toEqual({
    calls: [{ id: "rule-1-filings", name: "filings", arguments: { company: "Apple" } }],
    reason: "The question calls for filings.",
  });
  expect(decideByRules(rules, view({ question: "苹果的财报" })).calls).toHaveLength(1);
});

test("a tool without a cue in the question, or without a rule, is not called", () => {
  expect(decideByRules(rules, view({ question: "How do I cook rice?" }))).toEqual({
    calls: [],
    reason: "Nothing in the question calls for an optional tool.",
  });
  const tools = [{ name: "constructor", description: "", kind: "query" as const, parameters: {} }];
  expect(decideByRules(rules, view({ tools })).calls).toEqual([]);
  expect(decideByRules(rules, view({ tools: [] })).reason).toBe("No optional tool is offered.");
});

test("a tool that has been called is not called again", () => {
  expect(decideByRules(rules, view({ round: 2, outcomes: [outcome] }))).toEqual({
    calls: [],
    reason: "The tools that the question calls for have been called.",
  });
});

test("several tools are called in one round each, in the order of the rules; calls of one tool share a round", () => {
  const both: ToolRules = { quotes: () => [{ code: "600519" }, { code: "000858" }], ...rules };
  const tools = ["filings", "quotes"].map((name) => ({ name, description: "", kind: "query" as const, parameters: {} }));
  const called = { ...outcome, name: "quotes" };
  expect(decideByRules(both, view({ tools })).calls).toEqual([
    { id: "rule-1-quotes", name: "quotes", arguments: { code: "600519" } },
    { id: "rule-1-quotes-2", name: "quotes", arguments: { code: "000858" } },
  ]);
  expect(decideByRules(both, view({ tools, round: 2, outcomes: [called, called] })).calls.map(({ name }) => name)).toEqual(["filings"]);
  expect(decideByRules(both, view({ tools, round: 3, outcomes: [called, outcome] })).calls).toEqual([]);
});

const SEC = "sec_edgar_search";
const AKSHARE = "akshare_search";

test.each<[string, readonly string[]]>([
  ["深度求索公司的基本情况", [AKSHARE]],
  ["Tesla 和比亚迪的对比分析", [SEC, AKSHARE]],
  ["人工智能的最新研究进展", []],
  ["特斯拉2023年营收", [SEC]],
  ["Compare Nvidia and AMD", [SEC]],
  ["How much did Pfizer spend on research and development in 2022?", [SEC]],
  ["谷歌和百度的对比", [SEC, AKSHARE]],
  ["Xiaomi vs Apple: R&D spending in 2024", [SEC, AKSHARE]],
  ["中国移动和Verizon的收入对比", [SEC, AKSHARE]],
  ["五粮液和泸州老窖哪家毛利率更高？", [AKSHARE]],
  ["宁波银行2022年年报", [AKSHARE]],
  ["Kweichow Moutai", [AKSHARE]],
  ["600519.SH", [AKSHARE]],
  ["0700.HK 股价", [AKSHARE]],
  ["黑洞是如何形成的", []],
  ["李白和杜甫的比较", []],
  ["苹果的营养价值", []],
  ["2024年巴黎奥运会中国获得多少枚金牌？", []],
  ["Git 和 SVN 的对比分析", []],
  ["Who won the 2022 FIFA World Cup?", []],
  ["History of the Boeing 747", []],
  ["How does the Amazon river affect climate?", []],
  ["What are the risk factors for heart disease?", []],
  ["How to use the Google Maps API in React?", []],
])("without a model, %s leads to %j, one tool a round", async (question, expected) => {
  const analyst = createExtractiveAnalyst();
  const tools = [AKSHARE, SEC].map((name) => ({ name, description: "", kind: "query" as const, parameters: {} }));
  const outcomes: ToolOutcome[] = [];
  for (let round = 1; round <= expected.length + 1; round++) {
    const { calls } = await analyst.decide(view({ question, tools, round, outcomes }), noEffects);
    outcomes.push(...calls.slice(0, 1).map(({ name, arguments: asked }) => ({ ...outcome, round, name, arguments: asked })));
  }
  expect(outcomes.map(({ name }) => name)).toEqual(expected);
});

test("the analyst is named extractive and calls no tool without a rule", async () => {
  const analyst = createExtractiveAnalyst();
  expect(analyst.name).toBe("extractive");
  expect((await analyst.decide(view(), noEffects)).calls).toEqual([]);
});
