import { expect, it, test } from "vitest";
import { createExtractor } from "../../../src/documents/extract.ts";
import { ArgumentsSchema, createAkshareSearch } from "../../../src/tools/akshare/akshare.ts";
import { readSymbol } from "../../../src/tools/akshare/market-data.ts";
import { createToolbox } from "../../../src/tools/tools.ts";
import { askTool } from "./ask-tool.ts";

test.each([
  ["600519", "sh", "600519"],
  ["SH600519", "sh", "600519"],
  ["600519.SS", "sh", "600519"],
  ["688981", "sh", "688981"],
  ["000001", "sz", "000001"],
  ["sz300750", "sz", "300750"],
  ["430047", "bj", "430047"],
  ["920002.BJ", "bj", "920002"],
  ["00700", "hk", "00700"],
  ["hk09988", "hk", "09988"],
  ["700.HK", "hk", "00700"],
])("%s is a share in %s", (symbol, market, code) => {
  expect(readSymbol(symbol)).toMatchObject({ market, code });
});

test.each(["600519.SZ", "sz600519", "999999", "700", "AAPL", "6005190", "600519;", ""])("%j is no share", (symbol) => {
  expect(readSymbol(symbol)).toBeNull();
});

test.each([
  [{ action: "quote" }],
  [{ action: "quote", symbol: "600519", name: "贵州茅台" }],
  [{ action: "quote", symbol: "AAPL" }],
  [{ action: "trade", symbol: "600519" }],
  [{ action: "kline", symbol: "600519", start_date: "20230101" }],
  [{ action: "kline", symbol: "600519", start_date: "2023-02-30" }],
  [{ action: "kline", symbol: "600519", start_date: "2024-01-01", end_date: "2023-01-01" }],
  [{ action: "kline", symbol: "600519", period: "hourly" }],
  [{ action: "kline", symbol: "600519", function: "stock_zh_a_hist" }],
  [{ name: " " }],
])("%j is refused before any request", (args) => {
  expect(ArgumentsSchema.safeParse(args).success).toBe(false);
});

it("refuses a code of no exchange before any request", async () => {
  await expect(askTool({ action: "quote", symbol: "999999" })).rejects.toMatchObject({ code: "invalid_arguments" });
});

it("has a schema that an analyst can be shown", () => {
  const fetch = { ask: async () => Promise.reject(new Error("no")), follow: async () => Promise.reject(new Error("no")) };
  const tool = createAkshareSearch({ fetch, extractor: createExtractor(), configured: new Set() });
  const [described] = createToolbox([tool]).describe(["akshare_search"]);
  expect(described).toMatchObject({
    name: "akshare_search",
    kind: "query",
    parameters: { type: "object", properties: expect.objectContaining({ action: expect.anything() }) },
  });
});
