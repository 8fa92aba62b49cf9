import { expect, test } from "vitest";
import { secEdgarRule } from "../../src/analyst/extractive/tool-rules.ts";
import type { DecisionView } from "../../src/domain/ports/analyst.ts";
import { ArgumentsSchema } from "../../src/tools/sec-edgar/arguments.ts";
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
const facts = (company: string, concept: string, ...years: number[]) => ({
  what: "facts",
  company,
  concepts: [concept],
  ...(years.length > 0 && { years }),
});

test.each<[string, readonly unknown[]]>([
  ["What was Apple's net income in 2023?", [facts("Apple", "net income", 2023)]],
  ["苹果公司2023年的净利润是多少？", [facts("苹果公司", "净利润", 2023)]],
  ["比较苹果公司和贵州茅台2023年的营业收入", [facts("苹果公司", "营业收入", 2023)]],
  [
    "Compare Apple's and Microsoft's revenue in 2022 and 2023",
    [facts("Apple", "revenue", 2022, 2023), facts("Microsoft", "revenue", 2022, 2023)],
  ],
  ["Tesla vs BYD revenue 2023", [facts("Tesla", "revenue", 2023)]],
  ["How did Apple's revenue develop from 2021 to 2024?", [facts("Apple", "revenue", 2021, 2022, 2023, 2024)]],
  ["微软2022年至2024年的营收", [facts("微软", "营收", 2022, 2023, 2024)]],
  ["TSLA revenue 2022", [facts("TSLA", "revenue", 2022)]],
  ["What is the EPS of $brk.b?", [facts("$brk.b", "EPS")]],
  ["What was Palantir's net income in 2023?", [facts("Palantir", "net income", 2023)]],
  ["Revenue of Apple Hospitality REIT in 2022", [facts("Apple Hospitality REIT", "Revenue", 2022)]],
  ["Apple's quarterly revenue", [{ ...facts("Apple", "revenue"), quarterly: true }]],
  [
    "苹果公司的基本情况",
    [
      { what: "profile", company: "苹果公司" },
      { what: "facts", company: "苹果公司" },
    ],
  ],
  [
    "比较特斯拉和比亚迪",
    [
      { what: "profile", company: "特斯拉" },
      { what: "facts", company: "特斯拉" },
    ],
  ],
  ...[
    "苹果公司",
    "Apple",
    "AAPL",
    "$aapl",
    "CIK 320193",
    "NASDAQ: AAPL",
    "苹果是一家什么样的公司？",
    "腾讯和苹果的基本情况",
    "What does the company Apple do?",
  ].map((question): [string, unknown[]] => {
    const company = /苹果公司|苹果|Apple|\$?AAPL|CIK 320193/i.exec(question)?.[0];
    return [
      question,
      [
        { what: "profile", company },
        { what: "facts", company },
      ],
    ];
  }),
  ["Apple revenue 2023", [facts("Apple", "revenue", 2023)]],
  ["哪个更赚钱，苹果还是贵州茅台？", [facts("苹果", "净利润")]],
  ["Which is more profitable, Apple or Kweichow Moutai?", [facts("Apple", "net income")]],
  ["Did Amazon pay dividends last year?", [facts("Amazon", "dividends")]],
  ["拼多多2023年营收", [facts("拼多多", "营收", 2023)]],
  ["Cloudflare revenue 2023", [facts("Cloudflare", "revenue", 2023)]],
  ["Net income of Rivian and Ford in 2023", [facts("Rivian", "Net income", 2023), facts("Ford", "Net income", 2023)]],
  ["What are the risk factors of Tesla?", [{ what: "section", company: "Tesla", item: "1A" }]],
  ["特斯拉的主营业务是什么？", [{ what: "section", company: "特斯拉", item: "1" }]],
  ["Which 10-K filings did Microsoft file in 2021?", [{ what: "filings", company: "Microsoft", form: "10-K", years: [2021] }]],
  ["苹果公司2023年的年报", [{ what: "filings", company: "苹果公司", form: "10-K", years: [2023] }]],
  ["What does CIK 320193 file with the SEC?", [{ what: "filings", company: "CIK 320193" }]],
  ["Which SEC filings mention deepfake technology?", [{ what: "search", query: "deepfake technology" }]],
  ["阿里巴巴在美股的营收", [facts("阿里巴巴", "营收")]],
])("%s", (question, calls) => {
  expect(secEdgarRule(view(question))).toEqual(calls);
  for (const call of calls) expect(ArgumentsSchema.safeParse(call).success).toBe(true);
});

test.each([
  "人工智能的最新研究进展",
  "深度求索公司的基本情况",
  "贵州茅台2023年的营业收入",
  "600519的市盈率",
  "阿里巴巴的营收",
  "What is an apple?",
  "Who founded Apple?",
  "Amazon rainforest overview",
  "Target audience of revenue models",
  "Tell me about Nikola Tesla",
  "What is $PATH in bash?",
  "特斯拉股价",
  "How does the optional-tool loop end?",
  "Compare Google Docs and Microsoft Word",
  "How do I show a company profile with the Google API?",
  "What is China's net income per household?",
  "What are the risks of AI?",
])("%s leads to no call", (question) => {
  expect(secEdgarRule(view(question))).toEqual([]);
});

test("a question of any kind is handled in bounded time", () => {
  const startedAt = performance.now();
  for (const piece of ["Apple's ", "A ", "Net Income ", "苹果公司的净利润", "A-B's-", "$A", "Holdings "])
    secEdgarRule(view(piece.repeat(1_000).slice(0, 8_000)));
  expect(performance.now() - startedAt).toBeLessThan(20_000);
});
