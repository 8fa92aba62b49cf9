import { expect, it, test } from "vitest";
import type { Run } from "../../src/domain/run.ts";
import { startAktools, type Tables } from "../fakes/aktools.ts";
import { startEastmoney } from "../fakes/eastmoney.ts";
import { EASTMONEY_DATA } from "../fixtures/services/eastmoney.ts";
import { openDossier } from "../helpers/open-dossier.ts";
import { startEdgar } from "../tools/sec-edgar/edgar-server.ts";

const REVENUE = "150,560,330,316.45";

interface Asked {
  readonly run: Run;
  readonly rounds: number | undefined;
  /** Returns the text of the quoted rows. */
  readonly quotes: readonly string[];
  /** Returns the called tools, in order. */
  readonly tools: readonly string[];
}

/** Asks the whole program without a model, with loopback services. */
async function ask(question: string, aktools?: Tables): Promise<Asked> {
  const market = await startEastmoney(EASTMONEY_DATA);
  const tables = aktools && (await startAktools(aktools));
  const environment = {
    SOURCES: "corpus,sec_edgar_search,akshare_search",
    SEC_EDGAR_BASE_URL: (await startEdgar()).url,
    EASTMONEY_BASE_URL: market.url,
    ...(tables && { AKTOOLS_BASE_URL: tables.url }),
  };
  const dossier = await openDossier({ environment });
  await dossier.prepare(new AbortController().signal);
  const { id } = await dossier.start({ question });
  const run = await dossier.finish(id);
  const events = await dossier.events(id);
  const end = events.find((event) => event.type === "loop-ended");
  return {
    run,
    rounds: end?.rounds,
    quotes: run.report?.citations.map(({ quote }) => quote) ?? [],
    tools: events.flatMap((event) => (event.type === "tool-started" ? [event.tool] : [])),
  };
}

test.each([
  ["贵州茅台2023年的营业总收入是多少？"],
  ["What was the revenue of Kweichow Moutai in 2023?"],
  ["600519 2023年营收"],
  ["What was the total operating revenue of 600519 in 2023?"],
])("%s is answered in one round by a cited row", async (question) => {
  const { run, rounds, quotes } = await ask(question);
  expect(rounds).toBe(1);
  expect(run.status).toBe("succeeded");
  expect(quotes[0]).toMatch(
    /营业总收入 \(total operating revenue, 营收\): 150,560,330,316\.45 元 \(RPT_LICO_FN_CPD TOTAL_OPERATE_INCOME\)$/,
  );
  expect(run.report?.markdown).toContain(REVENUE);
  expect(run.report?.sources.map(({ kind }) => kind)).toContain("market");
});

test.each([
  ["What was Kweichow Moutai's net profit in 2023?", /归母净利润 .*74,734,071,550\.75 元/],
  ["贵州茅台的最新股价是多少？", /最新价 \(latest price\): 1,215 元 \(stock\/get f43\)/],
  ["2023年12月29日贵州茅台的收盘价是多少？", /2023-12-29 .*收盘 \(close\) 1,726\.00 元/],
  ["贵州茅台公司的董事长是谁？", /董事长 \(chairman\): 张德芹 \(RPT_F10_BASIC_ORGINFO CHAIRMAN\)/],
  ["腾讯控股2023年的净利润是多少？", /归母净利润 .*115,216,000,000 元 \(RPT_HKF10_FN_MAININDICATOR HOLDER_PROFIT\)/],
  ["贵州茅台最近的公告", /2023年年度报告 \(2024-04-03, 年度报告全文\)/],
])("%s is answered in one round", async (question, row) => {
  const { rounds, quotes } = await ask(question);
  expect(rounds).toBe(1);
  expect(quotes.join("\n")).toMatch(row);
});

test.each(["贵州茅台2022年和2023年的营业收入", "贵州茅台2023年营业收入比2022年增长了多少", "贵州茅台2021年至2023年的营业收入"])(
  "%s is answered by the rows of those years, and by no other figure",
  async (question) => {
    const { run, quotes } = await ask(question);
    expect(run.termination?.reason).toBe("completed");
    const figures = quotes.map((quote) => /营业总收入 .*: ([\d,.]+) 元/.exec(quote)?.[1] ?? quote);
    expect(figures.toSorted()).toEqual(["127,553,959,355.97", REVENUE]);
  },
);

test.each(["贵州茅台", "贵州茅台的基本情况", "贵州茅台基本情况", "介绍一下贵州茅台", "贵州茅台是一家什么样的公司"])(
  "%s is answered in one round with the company's profile",
  async (question) => {
    const { run, rounds, quotes, tools } = await ask(question);
    expect([run.termination?.reason, rounds, tools]).toEqual(["completed", 1, ["akshare_search"]]);
    expect(quotes.join("\n")).toContain("主营业务 (main business): 茅台酒及系列酒的生产与销售");
  },
);

test.each([
  "苹果公司",
  "Apple",
  "AAPL",
  "Tell me about Apple's latest 10-K",
  "What did Apple report in its last 10-K?",
  "苹果公司最新年报的净利润",
])("%s is answered by EDGAR in one round", async (question) => {
  const { run, rounds, quotes, tools } = await ask(question);
  expect([run.termination?.reason, rounds, new Set(tools)]).toEqual(["completed", 1, new Set(["sec_edgar_search"])]);
  expect(quotes.join("\n")).toMatch(/Apple Inc/);
});

test.each([
  ["Apple vs Kweichow Moutai: revenue", "391,035,000,000", REVENUE],
  ["Who is bigger by revenue, Apple or Kweichow Moutai?", "391,035,000,000", REVENUE],
  ["哪个更赚钱，苹果还是贵州茅台？", "93,736,000,000", "74,734,071,550.75"],
  ["比较腾讯控股和苹果公司的基本情况", "Apple Inc.", "腾讯控股有限公司"],
])("%s is answered by rows of both companies and by nothing else", async (question, american, chinese) => {
  const { run, rounds, quotes, tools } = await ask(question);
  expect([run.termination?.reason, rounds, new Set(tools)]).toEqual(["completed", 2, new Set(["sec_edgar_search", "akshare_search"])]);
  expect(quotes.join("\n")).toContain(american);
  expect(quotes.join("\n")).toContain(chinese);
  expect(quotes.join("\n")).not.toMatch(/费用|operating profit/);
});

it("quotes the company's rows even if the requested figure is not among them", async () => {
  const { run, rounds, quotes } = await ask("贵州茅台2023年的毛利率");
  expect([run.termination?.reason, rounds]).toEqual(["completed", 1]);
  expect(quotes.join("\n")).toContain(REVENUE);
});

it("asks AKTools if it is configured", async () => {
  const abstract = [{ 选项: "常用指标", 指标: "营业总收入", "20231231": 150560330316.45 }];
  const { rounds, quotes } = await ask("贵州茅台2023年的营业总收入是多少？", {
    stock_info_a_code_name: [{ code: "600519", name: "贵州茅台" }],
    stock_financial_abstract: abstract,
  });
  expect(rounds).toBe(1);
  expect(quotes[0]).toMatch(/营业总收入 .*150,560,330,316\.45 元 \(stock_financial_abstract 营业总收入\)$/);
});

it("looks once for a company that is not listed, says so, and continues with the search", async () => {
  const { run, rounds, tools } = await ask("深度求索公司的基本情况");
  expect(rounds).toBe(1);
  expect(tools).toEqual(["akshare_search"]);
  expect(run.status).toBe("succeeded");
  const [looked, searched] = run.report?.ledger ?? [];
  expect(looked).toMatchObject({ what: "tool", source: "akshare_search", outcome: "nothing", results: 0, failure: null });
  expect(looked?.detail).toContain("Eastmoney looked and found no company listed in Shanghai, Shenzhen, Beijing or Hong Kong");
  expect(searched).toMatchObject({ what: "search", source: "corpus" });
});

test.each(["苹果公司2023年的净利润是多少？", "What was Apple's net income in 2023?"])(
  "%s leads to EDGAR alone, in one round",
  async (question) => {
    const { rounds, tools, quotes } = await ask(question);
    expect([rounds, tools]).toEqual([1, ["sec_edgar_search"]]);
    expect(quotes.join()).toContain("96,995,000,000 USD");
  },
);

test.each(["比较苹果公司和贵州茅台2023年的净利润", "Compare the net income of Apple and Kweichow Moutai in 2023"])(
  "%s takes two rounds, one for each tool, and both figures are in the report with their origin",
  async (question) => {
    const { rounds, tools, quotes } = await ask(question);
    expect([rounds, tools]).toEqual([2, ["sec_edgar_search", "akshare_search"]]);
    expect(quotes.some((quote) => /96,995,000,000 USD.*us-gaap:NetIncomeLoss.*accession/.test(quote))).toBe(true);
    expect(quotes.some((quote) => /74,734,071,550\.75 元 \(RPT_LICO_FN_CPD PARENT_NETPROFIT\)/.test(quote))).toBe(true);
  },
);

test.each([
  "人工智能的最新研究进展",
  "什么是市盈率？",
  "机器学习的基本概念",
  "量子计算的基本情况",
  "What is an apple?",
  "Target audience of revenue models",
  "How does the loop end?",
])("%s calls no tool", async (question) => {
  const { rounds, tools } = await ask(question);
  expect([rounds, tools]).toEqual([0, []]);
});
