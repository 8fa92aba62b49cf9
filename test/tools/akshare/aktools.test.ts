import { expect, it, onTestFinished, test, vi } from "vitest";
import { addressOf } from "../../../src/tools/akshare/aktools.ts";
import type { Tables } from "../../fakes/aktools.ts";
import { askTool } from "./ask-tool.ts";

const TABLES: Tables = {
  stock_profile_cninfo: [
    {
      公司名称: "贵州茅台酒股份有限公司",
      英文名称: "Kweichow Moutai Co., Ltd.",
      A股代码: "600519",
      A股简称: "贵州茅台",
      传真: "0851",
      主营业务: "茅台酒",
    },
  ],
  stock_individual_info_em: [
    { item: "总市值", value: 1521545000000.5 },
    { item: "行业", value: "酿酒行业" },
    { item: "上市时间", value: 20010827 },
    { item: "股票简称", value: "贵州茅台" },
  ],
  stock_zh_a_hist: [
    {
      日期: "2023-12-28T00:00:00.000",
      股票代码: "600519",
      开盘: 1668,
      收盘: 1724,
      最高: 1726.85,
      最低: 1661.3,
      成交量: 43400,
      成交额: 7388020992,
      振幅: 3.93,
      涨跌幅: 3.29,
      涨跌额: 55,
      换手率: 0.35,
    },
    {
      日期: "2023-12-29",
      股票代码: "600519",
      开盘: 1715,
      收盘: 1726,
      最高: 1749.58,
      最低: 1715,
      成交量: 25882,
      成交额: 4473425408,
      振幅: 2.01,
      涨跌幅: 0.12,
      涨跌额: 2,
      换手率: null,
    },
  ],
  stock_financial_abstract: [
    { 选项: "常用指标", 指标: "归母净利润", "20240331": 24065268462.23, "20231231": 74734071550.75, "20221231": 62716443738.27 },
    { 选项: "常用指标", 指标: "营业总收入", "20240331": 46484714906.63, "20231231": 150560330316.45, "20221231": null },
    { 选项: "常用指标", 指标: "净资产收益率(ROE)", "20231231": 34.19 },
    { 选项: "营运能力", 指标: "总资产周转率", "20231231": 0.57 },
  ],
};

it("asks AKTools first if it is configured, and names it as the origin of the figures", async () => {
  const { rows, result, eastmoney, aktools } = await askTool(
    { action: "financials", symbol: "600519", reports: "annual", start_date: "2023-01-01", end_date: "2023-12-31" },
    { aktools: TABLES },
  );
  expect(rows).toEqual([
    "600519 2023-12-31 (2023年 年报, annual report) 归母净利润 (net profit, net income, of the parent's shareholders): 74,734,071,550.75 元 (stock_financial_abstract 归母净利润)",
    "600519 2023-12-31 (2023年 年报, annual report) 营业总收入 (total operating revenue, 营收): 150,560,330,316.45 元 (stock_financial_abstract 营业总收入)",
    "600519 2023-12-31 (2023年 年报, annual report) 净资产收益率(ROE) (return on equity, ROE): 34.19 % (stock_financial_abstract 净资产收益率(ROE))",
  ]);
  expect(result.text).toContain("from AKTools");
  expect(result.sources[0]?.title).toMatch(/AKTools$/);
  expect(aktools).toEqual(["/api/public/stock_financial_abstract?symbol=600519"]);
  expect(eastmoney).toEqual([]);
});

it("answers a profile with the Chinese columns of its function, explained, without telephone numbers", async () => {
  const { rows, eastmoney } = await askTool({ action: "profile", symbol: "600519" }, { aktools: TABLES });
  expect(rows).toContain("贵州茅台 (600519) 公司名称 (company name): 贵州茅台酒股份有限公司 (stock_profile_cninfo 公司名称)");
  expect(rows.join()).not.toContain("0851");
  expect(eastmoney).toEqual([]);
});

it("leaves shares in Hong Kong to Eastmoney", async () => {
  const { rows, aktools } = await askTool({ action: "profile", symbol: "00700" }, { aktools: TABLES });
  expect(rows.join()).toContain("员工人数 (number of employees): 110,558 人");
  expect(aktools).toEqual([]);
});

it("keeps the days of a price table, however they are written, and leaves out empty cells", async () => {
  const { rows, aktools } = await askTool(
    { action: "kline", symbol: "600519", start_date: "2023-12-28", end_date: "2023-12-29", adjust: "hfq" },
    { aktools: TABLES },
  );
  expect(rows.map((row) => row.slice(0, 53))).toEqual([
    expect.stringContaining("600519 2023-12-28 (日K线 后复权, daily k-line): 开盘 (open"),
    expect.stringContaining("600519 2023-12-29 (日K线 后复权, daily k-line): 开盘 (open"),
  ]);
  expect(rows[1]).toMatch(/涨跌额 \(change\) 2 元 \(stock_zh_a_hist\)$/);
  expect(aktools).toEqual(["/api/public/stock_zh_a_hist?symbol=600519&period=daily&start_date=20231228&end_date=20231229&adjust=hfq"]);
});

it("requests the years before the last day if no first day is given", async () => {
  const { aktools } = await askTool({ action: "kline", symbol: "600519", end_date: "2015-12-31" }, { aktools: TABLES });
  expect(aktools[0]).toContain("start_date=20121231&end_date=20151231");
});

it("dates the market value with the time of the request, because its function has no date", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-11-20T20:00:00Z") });
  onTestFinished(() => void vi.useRealTimers());
  const { rows } = await askTool({ action: "quote", symbol: "600519" }, { aktools: TABLES });
  expect(rows).toContain(
    `贵州茅台 (600519) 2026-11-21 总市值 (total market capitalisation, market cap, market value): 1,521,545,000,000.5 元 (stock_individual_info_em 总市值)`,
  );
  expect(rows).toContain("贵州茅台 (600519) 上市时间 (date of listing): 2001-08-27 (stock_individual_info_em 上市时间)");
});

test.each([
  [
    "404, which stands for an unknown function, an empty table and an error inside alike",
    { status: 404, text: '{"error":"该接口返回数据为空"}' },
    "该接口返回数据为空",
  ],
  ["an uncaught error inside", { status: 500, text: "Internal Server Error" }, "answered 500"],
  ["a page", { status: 200, text: "<html></html>" }, "a page instead of data"],
  ["something that is no table", { status: 200, text: '{"日期":1}' }, "unexpected format"],
])("after %s it asks Eastmoney, and says so", async (_, answer, says) => {
  const { result, rows } = await askTool({ action: "kline", symbol: "600519" }, { aktools: { stock_zh_a_hist: answer } });
  expect(result.text).toMatch(/^AKTools could not say: /);
  expect(result.text).toContain(says);
  expect(result.text).toContain("from Eastmoney");
  expect(rows.at(-1)).toContain("(kline/get f51-f61)");
});

it("fails if neither could be searched, and names both", async () => {
  const failed = askTool(
    { action: "quote", symbol: "600519" },
    { aktools: {}, eastmoney: { instead: { "stock/get": { status: 503, text: "" } } } },
  );
  await expect(failed).rejects.toMatchObject({
    code: "unreachable",
    message: expect.stringMatching(/AKTools could not say.*Eastmoney could not say/),
  });
});

it("accepts an empty table as an answer", async () => {
  const { result, eastmoney } = await askTool({ action: "profile", symbol: "600519" }, { aktools: { stock_profile_cninfo: [] } });
  expect(result.text).toContain("AKTools looked and has no company profile of 600519");
  expect(eastmoney).toEqual([]);
});

test.each([
  ["symbol", '600519"),__import__("os").system("id'],
  ["period", "minutely"],
  ["start_date", "2023-12-29"],
  ["timeout", "1"],
  ["__proto__", "x"],
])("never sends an unknown parameter or a malformed value: %s %s", (key, value) => {
  expect(() => addressOf("stock_zh_a_hist", Object.fromEntries([[key, value]]))).toThrow(/stock_zh_a_hist does not accept/);
});
