import { expect, test } from "vitest";
import { akshareRule } from "../../src/analyst/extractive/tool-rules.ts";
import type { DecisionView } from "../../src/domain/ports/analyst.ts";
import { ArgumentsSchema } from "../../src/tools/akshare/akshare.ts";
import { NO_MODEL } from "../helpers/no-model.ts";

const view = (question: string): DecisionView => ({
  question,
  today: "2026-08-01",
  language: "auto",
  systemContext: "",
  history: [],
  ...NO_MODEL,
  round: 0,
  tools: [],
  outcomes: [],
  resultsBySource: {},
  best: [],
});
const SEC_OUTCOME = {
  round: 1,
  name: "sec_edgar_search",
  arguments: { what: "facts", company: "Hainan Airlines", concepts: ["revenue"] },
  ok: true,
  reused: false,
  newResults: 0,
  observation: "",
  failure: null,
};
const year = (of: number) => ({ start_date: `${of}-01-01`, end_date: `${of}-12-31` });
const financials = (company: object, years = {}) => ({ action: "financials", reports: "annual", ...years, ...company });

test.each<[string, readonly unknown[]]>([
  ["深度求索公司的基本情况", [{ action: "profile", name: "深度求索公司" }]],
  ["贵州茅台2023年的营业总收入是多少？", [financials({ name: "贵州茅台" }, year(2023))]],
  ["贵州茅台2021年至2023年的净利润", [financials({ name: "贵州茅台" }, { start_date: "2021-01-01", end_date: "2023-12-31" })]],
  ["What was the revenue of Kweichow Moutai in 2023?", [financials({ name: "Kweichow Moutai" }, year(2023))]],
  ["Kweichow Moutai stock price", [{ action: "quote", name: "Kweichow Moutai" }]],
  ["kweichow moutai stock price", [{ action: "quote", name: "kweichow moutai" }]],
  ["600519", ["profile", "quote"].map((action) => ({ action, symbol: "600519" }))],
  ["600519的股价", [{ action: "quote", symbol: "600519" }]],
  ["00700.HK 2023年年报", [financials({ symbol: "00700.HK" }, year(2023))]],
  ["600519.SH的市盈率", [{ action: "quote", symbol: "600519.SH" }]],
  ["港股00700的市值", [{ action: "quote", symbol: "00700" }]],
  ["腾讯控股的市值是多少", [{ action: "quote", name: "腾讯控股" }]],
  ["万科A的毛利率", [financials({ name: "万科A" })]],
  ["BYD revenue 2023", [financials({ name: "比亚迪" }, year(2023))]],
  ["杭氧和陕鼓2023年的净利润对比", ["杭氧", "陕鼓"].map((name) => financials({ name }, year(2023)))],
  ["隆基机械公司是做什么的", [{ action: "profile", name: "隆基机械公司" }]],
  ["What is Hainan Airlines' market cap?", [{ action: "quote", name: "Hainan Airlines" }]],
  ["小米集团2024年营收", [financials({ name: "小米集团" }, year(2024))]],
  ["中国平安最近的公告", [{ action: "announcements", name: "中国平安" }]],
  ["请问宁德时代的K线走势", [{ action: "kline", period: "daily", name: "宁德时代" }]],
  [
    "2023年12月29日贵州茅台的收盘价",
    [{ action: "kline", period: "daily", start_date: "2023-12-29", end_date: "2023-12-29", name: "贵州茅台" }],
  ],
  ["贵州茅台2023年2月的股价", [{ action: "kline", period: "daily", start_date: "2023-02-01", end_date: "2023-02-28", name: "贵州茅台" }]],
  ["贵州茅台2023年的股价", [{ action: "kline", period: "monthly", ...year(2023), name: "贵州茅台" }]],
  ["比较苹果公司和贵州茅台2023年的营业收入", [financials({ name: "贵州茅台" }, year(2023))]],
  ["Compare the 2023 revenue of Apple and Kweichow Moutai", [financials({ name: "Kweichow Moutai" }, year(2023))]],
  [
    "比亚迪和宁德时代2024年前三季度净利润对比",
    ["比亚迪", "宁德时代"].map((name) => ({ action: "financials", reports: "all", ...year(2024), name })),
  ],
  ...["贵州茅台", "贵州茅台的基本情况", "介绍一下贵州茅台", "贵州茅台是一家什么样的公司？"].map((question): [string, unknown[]] => [
    question,
    [{ action: "profile", name: "贵州茅台" }],
  ]),
  ["Kweichow Moutai overview", [{ action: "profile", name: "Kweichow Moutai" }]],
  ["腾讯和苹果的基本情况", [{ action: "profile", name: "腾讯" }]],
  ["比较特斯拉和比亚迪", [{ action: "profile", name: "比亚迪" }, financials({ name: "比亚迪" })]],
  ["Compare Tesla and BYD", [{ action: "profile", name: "比亚迪" }, financials({ name: "比亚迪" })]],
  ["哪个更赚钱，苹果还是贵州茅台？", [financials({ name: "贵州茅台" })]],
  ["贵州茅台股份有限公司的董事长是谁", [{ action: "profile", name: "贵州茅台股份有限公司" }]],
])("%s", (question, calls) => {
  const asked = akshareRule(view(question));
  expect(asked).toEqual(calls);
  for (const args of asked) expect(ArgumentsSchema.safeParse(args).error).toBeUndefined();
});

test.each([
  "人工智能的最新研究进展",
  "什么是市盈率？",
  "如何计算净利润率？",
  "上市公司年报披露的规定",
  "A股市场的成交额",
  "农民的收入",
  "奥尔德穆尔灯塔的基本情况",
  "机器学习的基本概念",
  "苹果和香蕉的区别",
  "小米的营养价值",
  "什么职业最赚钱",
  "什么是公司？",
  "苹果公司2023年的净利润",
  "AAPL",
  "What was the revenue of the film Titanic?",
  "How is EPS calculated?",
  "How does the loop end?",
  "600519 people attended",
  "营收600000元的小店",
  "What is in the news about OpenAI?",
])("%s leads to no call", (question) => {
  expect(akshareRule(view(question))).toEqual([]);
});

test("an unknown name in Latin letters is looked up only if the SEC tool found no such company", () => {
  const question = "Hainan Airlines revenue 2023";
  const outcome = (results: number) => ({ ...view(question), outcomes: [{ ...SEC_OUTCOME, results }] });
  expect(akshareRule(outcome(0))).toEqual([financials({ name: "Hainan Airlines" }, year(2023))]);
  expect(akshareRule(outcome(2))).toEqual([]);
});

test("a question of any kind is handled in bounded time", () => {
  const startedAt = performance.now();
  for (const piece of ["贵州茅台和", "甲乙", "甲乙、", "的净利润", "Long ", "A and ", "600519 ", "2023年至", " "])
    akshareRule(view(`营收${piece.repeat(8_000).slice(0, 8_000)}`));
  expect(performance.now() - startedAt).toBeLessThan(20_000);
});
