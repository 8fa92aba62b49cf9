import { expect, it, test } from "vitest";
import { EASTMONEY_DATA } from "../../fixtures/services/eastmoney.ts";
import { askTool } from "./ask-tool.ts";

test.each(["600519", "sh600519", "600519.SH", "贵州茅台"])(
  '{"query": "%s"} is answered with what the company is, its price and its latest reports',
  async (query) => {
    const { result, rows } = await askTool({ query });
    expect(result.sources.map(({ kind }) => kind)).toEqual(["market", "market", "market"]);
    expect(rows.join("\n")).toContain("公司名称");
    const periods = new Set(rows.filter((row) => row.includes("TOTAL_OPERATE_INCOME")).map((row) => row.split(" ")[2]));
    expect([...periods]).toEqual(["2024-03-31"]);
    expect(result.text).not.toContain("A query alone");
  },
);

test.each([
  ["平安", "中国平安 (601318), SH"],
  ["茅台酒 2023 年营收", "贵州茅台 (600519"],
])('{"query": "%s"} names the nearest companies and the full arguments', async (query, nearest) => {
  const { result } = await askTool({ query });
  expect(result.sources).toEqual([]);
  expect(result.text).toContain(nearest);
  for (const action of ["financials", "quote", "kline", "news", "announcements"]) expect(result.text).toContain(`{"action":"${action}"`);
});

it("says of what goes by no name that nobody goes by it, after a bounded number of searches", async () => {
  const { result, eastmoney } = await askTool({ query: "深度求索的营业收入 是 多少，以及 其他 事情" });
  expect(result.text).toContain("No listed company goes by 深度求索");
  expect(eastmoney.length).toBeLessThanOrEqual(15);
});

it("keeps what could be read, and says what could not", async () => {
  const { result } = await askTool(
    { query: "600519" },
    { eastmoney: { ...EASTMONEY_DATA, instead: { RPT_F10_BASIC_ORGINFO: { status: 500, text: "" } } } },
  );
  expect(result.sources.length).toBeGreaterThan(0);
});
