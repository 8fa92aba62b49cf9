import { expect, it, test } from "vitest";
import { EASTMONEY_DATA } from "../../fixtures/services/eastmoney.ts";
import { askTool } from "./ask-tool.ts";

it("returns the figures of a reporting period in rows with company, code, date, column, unit and origin", async () => {
  const { result, rows } = await askTool({
    action: "financials",
    name: "贵州茅台",
    reports: "annual",
    start_date: "2023-01-01",
    end_date: "2023-12-31",
  });
  expect(rows).toContain(
    "贵州茅台 (600519) 2023-12-31 (2023年 年报, annual report) 营业总收入 (total operating revenue, 营收): 150,560,330,316.45 元 (RPT_LICO_FN_CPD TOTAL_OPERATE_INCOME)",
  );
  expect(rows).toContain(
    "贵州茅台 (600519) 2023-12-31 (年报, annual report) 财务费用 (financial expenses): -1,789,503,701.48 元 (RPT_DMSK_FN_INCOME FINANCE_EXPENSE)",
  );
  expect(rows.every((row) => row.startsWith("贵州茅台 (600519) 2023-12-31"))).toBe(true);
  expect(rows.join()).not.toContain("XSMLL");
  expect(result.text).toContain("from Eastmoney");
  expect(result.sources).toMatchObject([{ kind: "market", publishedAt: "2023-12-31" }]);
  const [source] = result.sources;
  expect(source?.blocks?.map(({ start, end }) => source.text?.slice(start, end))).toEqual(rows);
});

it("returns all periods, newest first, if not only years are requested", async () => {
  const { rows } = await askTool({ action: "financials", symbol: "600519" });
  const days = rows.filter((row) => row.includes("TOTAL_OPERATE_INCOME")).map((row) => row.split(" ")[2]);
  expect(days).toEqual(["2024-03-31", "2023-12-31", "2023-09-30", "2022-12-31"]);
});

it("keeps the reports that answer if one of them does not, and names the missing one", async () => {
  const { rows, result } = await askTool(
    { action: "financials", symbol: "600519" },
    { eastmoney: { ...EASTMONEY_DATA, instead: { RPT_DMSK_FN_BALANCE: { status: 500, text: "" } } } },
  );
  expect(rows.join()).toContain("RPT_LICO_FN_CPD");
  expect(rows.join()).not.toContain("RPT_DMSK_FN_BALANCE");
  const missing = "The report RPT_DMSK_FN_BALANCE could not be read: eastmoney answered 500.";
  expect(result).toMatchObject({ incomplete: missing, text: expect.stringContaining(missing) });
});

it("never returns another company's figures, even if a filter is ignored", async () => {
  const other = { SECURITY_CODE: "000001", SECURITY_NAME_ABBR: "平安银行", REPORTDATE: "2023-12-31 00:00:00", TOTAL_OPERATE_INCOME: 1 };
  const text = JSON.stringify({ result: { data: [other] }, success: true, code: 0 });
  const { rows, result } = await askTool(
    { action: "financials", symbol: "600519" },
    { eastmoney: { ...EASTMONEY_DATA, instead: { "v1/get": { text } } } },
  );
  expect(rows).toEqual([]);
  expect(result.text).toContain("looked and has no financial reports of 600519");
});

it("reads the close before the high and the low, volume in lots, and one day if one is requested", async () => {
  const { rows, eastmoney } = await askTool({
    action: "kline",
    name: "贵州茅台",
    start_date: "2023-12-29",
    end_date: "2023-12-29",
    adjust: "qfq",
  });
  expect(rows).toEqual([
    "贵州茅台 (600519) 2023-12-29 (日K线 前复权, daily k-line): 开盘 (open) 1,715.00 元, 收盘 (close) 1,726.00 元, 最高 (high) 1,749.58 元, 最低 (low) 1,715.00 元, 成交量 (volume) 25,882 手, 成交额 (turnover in money) 4,473,425,408.00 元, 振幅 (amplitude) 2.01 %, 涨跌幅 (change in per cent) 0.12 %, 涨跌额 (change) 2.00 元, 换手率 (turnover rate) 0.21 % (kline/get f51-f61)",
  ]);
  expect(eastmoney.at(-1)).toMatch(/secid=1\.600519&klt=101&fqt=1&.*beg=20231229&end=20231229/);
});

it("reads lines with fewer fields than requested", async () => {
  const body = {
    rc: 0,
    data: { code: "600519", market: 1, name: "贵州茅台", klines: ["2026-09-28,4423.82,4340.76,4423.82,4323.57,171277373"] },
  };
  const { rows } = await askTool(
    { action: "kline", symbol: "600519" },
    { eastmoney: { ...EASTMONEY_DATA, instead: { "kline/get": { text: `jQuery331_16(${JSON.stringify(body)});` } } } },
  );
  expect(rows[0]).toContain(
    "收盘 (close) 4,340.76 元, 最高 (high) 4,423.82 元, 最低 (low) 4,323.57 元, 成交量 (volume) 171,277,373 手 (kline",
  );
});

it("says that it searched if there was no trade", async () => {
  const { result } = await askTool({ action: "kline", symbol: "688981" });
  expect(result).toMatchObject({ sources: [] });
  expect(result.text).toContain("looked and has no k-line, past prices of 中芯国际 (688981)");
});

it("returns the newest price with the time in Beijing, and leaves out what the exchange leaves out", async () => {
  const { rows } = await askTool({ action: "quote", symbol: "sh600519" });
  expect(rows[0]).toBe("贵州茅台 (600519) 2026-06-18 17:00 最新价 (latest price): 1,215 元 (stock/get f43)");
  expect(rows.join("\n")).toContain(
    "总市值 (total market capitalisation, market cap, market value): 1,521,545,000,000 元 (stock/get f116)",
  );
  expect(rows.join("\n")).not.toContain("f167");
});

it("returns what a company is, long texts sentence by sentence with company and origin", async () => {
  const { rows, result } = await askTool({ action: "profile", name: "贵州茅台" });
  expect(rows).toContain("贵州茅台 (600519) 公司名称 (company name): 贵州茅台酒股份有限公司 (RPT_F10_BASIC_ORGINFO ORG_NAME)");
  expect(rows).toContain("贵州茅台 (600519) 上市日期 (date of listing): 2001-08-27 (RPT_F10_BASIC_ORGINFO LISTING_DATE)");
  expect(rows).toContain("贵州茅台 (600519) 注册资本 (registered capital): 125,619.78 万元 (RPT_F10_BASIC_ORGINFO REG_CAPITAL)");
  expect(rows.filter((row) => row.includes("机构简介 (company profile)"))).toHaveLength(2);
  expect(result.sources[0]?.url).toContain("code=SH600519");
});

it("supports Hong Kong: its codes, its reports, prices in dollars and volume in shares", async () => {
  const quote = await askTool({ action: "quote", name: "腾讯控股" });
  expect(quote.rows.join("\n")).toContain("成交量 (volume): 18,900,321 股");
  expect(quote.rows[0]).toContain("最新价 (latest price): 512.5 港元");
  const { rows } = await askTool({ action: "financials", symbol: "700.HK", reports: "annual" });
  expect(rows[0]).toBe(
    "腾讯控股 (00700) 2023-12-31 (年报, CURRENCY HKD, annual report) 营业总收入 (total operating revenue, 营收): 609,015,000,000 元 (RPT_HKF10_FN_MAININDICATOR OPERATE_INCOME)",
  );
  expect(rows.join()).not.toContain("2023-09-30");
  expect((await askTool({ action: "profile", symbol: "hk00700" })).rows.join()).toContain("员工人数 (number of employees): 110,558 人");
});

const broken = (part: string, text: string, status = 200) => ({ eastmoney: { ...EASTMONEY_DATA, instead: { [part]: { status, text } } } });

test.each([
  [
    "an unknown share, which is status 200 with rc 100 and data null",
    "stock/get",
    '{"rc":100,"rt":4,"data":null}',
    200,
    "not_found",
    /rc 100/,
  ],
  ["a page", "stock/get", "<html>busy</html>", 200, "unreadable", /a page/],
  ["a body of another form", "stock/get", '{"rc":0,"data":[1]}', 200, "unreadable", /unexpected format/],
  ["a refusal", "stock/get", "no", 403, "blocked", /403/],
  ["too many requests", "stock/get", "slow down", 429, "rate_limited", /429/],
])("%s is not an empty answer", async (_, part, text, status, code, says) => {
  const failed = askTool({ action: "quote", symbol: "600519" }, broken(part, text, status));
  await expect(failed).rejects.toMatchObject({ code, message: expect.stringMatching(says) });
});

test.each([
  [
    "an unknown report",
    '{"result":null,"success":false,"message":"报表配置不存在,RPT_ALL","code":9501}',
    "not_found",
    /9501: 报表配置不存在/,
  ],
  ["another refusal", '{"result":null,"success":false,"message":"filter error","code":9999}', "unreadable", /filter error/],
])("%s of the data center is not an empty answer", async (_, text, code, says) => {
  const failed = askTool({ action: "profile", symbol: "600519" }, broken("v1/get", text));
  await expect(failed).rejects.toMatchObject({ code, message: expect.stringMatching(says) });
});

it("code 9201 of the data center is an empty answer", async () => {
  const { result } = await askTool(
    { action: "profile", symbol: "600519" },
    broken("v1/get", '{"version":null,"result":null,"success":false,"message":"返回数据为空","code":9201}'),
  );
  expect(result.text).toContain("Eastmoney looked and has no company profile of 600519");
});
