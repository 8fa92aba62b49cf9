import { expect, it, test } from "vitest";
import { EASTMONEY_DATA } from "../../fixtures/services/eastmoney.ts";
import { askTool } from "./ask-tool.ts";

test.each([
  ["a code", "600519"],
  ["a short name", "贵州茅台"],
  ["a whole name", "贵州茅台酒股份有限公司"],
  ["an English name", "Kweichow Moutai Co., Ltd."],
])("%s is answered with what the company is, its price and its latest reports: %s", async (_, query) => {
  const { result, rows } = await askTool({ query });
  expect(result.sources.map(({ kind }) => kind)).toEqual(["market", "market", "market"]);
  expect(rows.join("\n")).toContain("公司名称");
  const periods = new Set(rows.filter((row) => row.includes("TOTAL_OPERATE_INCOME")).map((row) => /\d{4}-\d\d-\d\d/.exec(row)?.[0]));
  expect([...periods]).toEqual(["2024-03-31"]);
});

it("tells the website of the company with its profile", async () => {
  const { result } = await askTool({ action: "profile", symbol: "600519" });
  expect(result.sources).toMatchObject([{ kind: "market", site: "www.moutaichina.com" }]);
});

test.each([
  ["平安", "平安 may mean: 平安银行 (000001), SZ; 中国平安 (601318), SH. Ask again with the code of one."],
  ["GZMT", "GZMT may mean: 贵州茅台 (600519), SH. Ask again with the code of one."],
])("%s, which is no whole name, is answered with the companies that it fits", async (query, said) => {
  expect((await askTool({ query })).result).toEqual({ text: said, sources: [] });
});

it("says of an unknown name that no company has it, after one search of each list", async () => {
  const { result, eastmoney } = await askTool({ action: "profile", name: "深度求索公司" });
  expect(result.text).toMatch(/^No company listed in Shanghai, Shenzhen, Beijing or Hong Kong goes by 深度求索公司\./);
  expect(eastmoney).toHaveLength(3);
  expect(eastmoney[0]).toContain("input=深度求索&");
});

it("keeps quotes and percent signs of a name out of the filters", async () => {
  const { eastmoney } = await askTool({ name: `x"%) or ("y"="y` });
  expect(eastmoney[1]).toContain('filter=(ORG_NAME_EN like "%x or y y%")');
});

it("keeps what could be read, and says what could not", async () => {
  const { result } = await askTool(
    { query: "600519" },
    { eastmoney: { ...EASTMONEY_DATA, instead: { RPT_F10_BASIC_ORGINFO: { status: 500, text: "" } } } },
  );
  expect(result.sources.map(({ title }) => title).join("\n")).toContain("财务报表");
  expect(result.incomplete).toContain("Eastmoney could not say");
  expect(result.text).toContain(result.incomplete ?? "?");
});

it("does not accept a name that is only similar", async () => {
  const suggestions = { 苹果: [{ Code: "000626", Name: "苹果园林", PinYin: "PGYL", QuoteID: "0.000626", SecurityTypeName: "深A" }] };
  const { result } = await askTool({ query: "苹果" }, { eastmoney: { ...EASTMONEY_DATA, suggestions } });
  expect(result.sources).toEqual([]);
  expect(result.text).toContain("苹果 may mean: 苹果园林 (000626), SZ.");
});

it("takes the best of several shares with one name, and names the others", async () => {
  const share = (Code: string, QuoteID: string) => ({ Code, Name: "中国平安", PinYin: "ZGPA", QuoteID, SecurityTypeName: "" });
  const suggestions = { 中国平安: [share("601318", "1.601318"), share("02318", "116.02318")] };
  const { result } = await askTool({ query: "中国平安" }, { eastmoney: { ...EASTMONEY_DATA, suggestions } });
  expect(result.text).toContain("Other shares of that name: 中国平安 (02318).");
  expect(result.text).not.toContain("may mean");
});
