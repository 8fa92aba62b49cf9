import { expect, test } from "vitest";
import { openEdgar, rowsOf } from "./open-edgar.ts";

const NET_INCOME_2023 =
  "Apple Inc. (AAPL), net income, fiscal year 2023 (2022-09-25 to 2023-09-30): 96,995,000,000 USD (us-gaap:NetIncomeLoss, 10-K, accession 0000320193-23-000106, filed 2023-11-03)";

test("a figure is a row with company, name, period, amount, unit and filing", async () => {
  const edgar = await openEdgar();
  const result = await edgar.call({ what: "facts", company: "Apple", concepts: ["net income"], years: [2023] });
  expect(rowsOf(result)).toEqual([NET_INCOME_2023]);
  expect(result.text).toContain(NET_INCOME_2023);
  expect(result.sources).toMatchObject([
    {
      kind: "filing",
      title: "Apple Inc. (AAPL): net income (us-gaap:NetIncomeLoss)",
      url: "https://data.sec.gov/api/xbrl/companyconcept/CIK0000320193/us-gaap/NetIncomeLoss.json#2023",
      publishedAt: "2023-11-03",
    },
  ]);
});

test("a figure can be named in Chinese", async () => {
  const edgar = await openEdgar();
  expect(rowsOf(await edgar.call({ what: "facts", company: "Apple", concepts: ["净利润"], years: [2023] }))).toEqual([NET_INCOME_2023]);
});

test("a restated figure is the one filed last, with its earlier value, under the tag that was used then", async () => {
  const edgar = await openEdgar();
  expect(rowsOf(await edgar.call({ what: "facts", company: "AAPL", concepts: ["revenue"], years: [2009] }))).toEqual([
    "Apple Inc. (AAPL), revenue, fiscal year 2009 (2008-09-28 to 2009-09-26): 42,905,000,000 USD (us-gaap:SalesRevenueNet, 10-K/A, accession 0001193125-10-012091, filed 2010-01-25, earlier reported as 36,537,000,000 in 0001193125-09-214859)",
  ]);
});

test("years are the company's fiscal years, quarters are quarters, and nine-month sums are neither", async () => {
  const edgar = await openEdgar();
  const periods = async (args: object) =>
    rowsOf(await edgar.call({ what: "facts", company: "AAPL", concepts: ["net income"], ...args })).map(
      (row) => /income, (.*?) USD/.exec(row)?.[1],
    );
  expect(await periods({})).toEqual([
    "fiscal year 2024 (2023-10-01 to 2024-09-28): 93,736,000,000",
    "fiscal year 2023 (2022-09-25 to 2023-09-30): 96,995,000,000",
    "fiscal year 2022 (2021-09-26 to 2022-09-24): 99,803,000,000",
  ]);
  expect(await periods({ quarterly: true })).toEqual([
    "quarter 3 (Q3) of fiscal year 2024 (2024-03-31 to 2024-06-29): 21,448,000,000",
    "quarter 3 (Q3) of fiscal year 2023 (2023-04-02 to 2023-07-01): 19,881,000,000",
  ]);
});

test("a cover figure dated some weeks after the year's end belongs to that year", async () => {
  const edgar = await openEdgar();
  expect(rowsOf(await edgar.call({ what: "facts", company: "AAPL", concepts: ["shares outstanding"], years: [2024] }))).toEqual([
    "Apple Inc. (AAPL), shares outstanding, fiscal year 2024 (2024-10-18): 15,115,823,000 shares (dei:EntityCommonStockSharesOutstanding, 10-K, accession 0000320193-24-000123, filed 2024-11-01)",
  ]);
});

test("without concepts the usual figures are returned, each with its own source", async () => {
  const edgar = await openEdgar();
  const { sources } = await edgar.call({ what: "facts", company: "AAPL", years: [2024] });
  expect(sources.map(({ title }) => /: (.*) \(/.exec(title)?.[1])).toEqual([
    "revenue",
    "net income",
    "total assets",
    "diluted earnings per share",
  ]);
  expect(sources.at(-1)?.text).toContain("6.08 USD per share");
  expect(new Set(sources.map(({ url }) => url)).size).toBe(4);
});

test("a tag can be requested directly and is named as in the taxonomy", async () => {
  const edgar = await openEdgar();
  const result = await edgar.call({ what: "facts", company: "CIK 320193", concepts: ["us-gaap:AccountsPayableCurrent"], years: [2024] });
  expect(rowsOf(result)).toEqual([
    "Apple Inc. (CIK 320193), Accounts Payable, Current, fiscal year 2024 (2024-09-28): 68,960,000,000 USD (us-gaap:AccountsPayableCurrent, 10-K, accession 0000320193-24-000123, filed 2024-11-01)",
  ]);
  expect(edgar.paths()).toEqual(["/data.sec.gov/api/xbrl/companyconcept/CIK0000320193/us-gaap/AccountsPayableCurrent.json"]);
});

test("a missing figure is reported with what exists instead, and is no error", async () => {
  const edgar = await openEdgar();
  const none = await edgar.call({ what: "facts", company: "AAPL", concepts: ["net income", "happiness"], years: [2030] });
  expect(none.sources).toEqual([]);
  expect(none.text).toContain("net income: no value for 2030");
  expect(none.text).toContain("there are values for 2009 to 2024");
  expect(none.text).toContain("happiness: no known figure; ask for it by its XBRL tag");
  expect((await edgar.call({ what: "facts", company: "MSFT" })).text).toBe("MICROSOFT CORP (MSFT) has reported no such figures in XBRL.");
});
