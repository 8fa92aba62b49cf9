import { expect, test } from "vitest";
import { openEdgar, rowsOf } from "./open-edgar.ts";

test("filings are read from their columns, newest first, without insider reports", async () => {
  const edgar = await openEdgar();
  const result = await edgar.call({ what: "filings", company: "AAPL" });
  expect(rowsOf(result)).toEqual([
    "Apple Inc. (AAPL) filed form 10-K on 2024-11-01 for the period to 2024-09-28 (accession 0000320193-24-000123, https://www.sec.gov/Archives/edgar/data/320193/000032019324000123/aapl-20240928.htm)",
    "Apple Inc. (AAPL) filed form 10-Q on 2024-08-02 for the period to 2024-06-29 (accession 0000320193-24-000081, https://www.sec.gov/Archives/edgar/data/320193/000032019324000081/aapl-20240629.htm)",
    "Apple Inc. (AAPL) filed form 10-K on 2023-11-03 for the period to 2023-09-30 (accession 0000320193-23-000106, https://www.sec.gov/Archives/edgar/data/320193/000032019323000106/aapl-20230930.htm)",
    "Apple Inc. (AAPL) filed form 8-K on 2023-01-12 (accession 0001140361-23-000010, https://www.sec.gov/Archives/edgar/data/320193/000114036123000010/0001140361-23-000010-index.htm)",
  ]);
  expect(result.sources[0]?.url).toBe("https://www.sec.gov/cgi-bin/browse-edgar?action=getcompany&CIK=0000320193");
});

test("older pages, which are bare columns, are fetched for the years that they contain", async () => {
  const edgar = await openEdgar();
  const old = await edgar.call({ what: "filings", company: "AAPL", form: "10-K", years: [2009] });
  expect(rowsOf(old).map((row) => row.slice(0, 54))).toEqual([
    "Apple Inc. (AAPL) filed form 10-K/A on 2010-01-25 for ",
    "Apple Inc. (AAPL) filed form 10-K on 2009-10-27 for th",
  ]);
  await edgar.call({ what: "filings", company: "AAPL", form: "10-K", years: [2024] });
  expect(edgar.paths().filter((path) => path.includes("submissions-001"))).toHaveLength(1);
});

test("a company without filings, and a form it never filed, are valid answers", async () => {
  const edgar = await openEdgar();
  const none = await edgar.call({ what: "filings", company: "350001" });
  expect(none).toEqual({ text: "Company Name Three `!#$(),:;=.-;\\|@/{}&'\\WA\\ (CIK 350001): no filings were found.", sources: [] });
  expect((await edgar.call({ what: "filings", company: "AAPL", form: "20-F" })).text).toBe(
    "Apple Inc. (AAPL): no filings (20-F) were found.",
  );
});

test("full-text search returns a row for each document without markup, and says where EDGAR stopped counting", async () => {
  const edgar = await openEdgar();
  const result = await edgar.call({ what: "search", query: '"blank check"', form: "8-k", years: [2021, 2024], company: "AAPL" });
  expect(rowsOf(result)).toEqual([
    'Maquia Capital Acquisition Corp (MAQC, MAQCU, MAQCW) (CIK 0001844419) filed 8-K, FORM 8-K CURRENT REPORT & EXHIBITS on 2021-06-04 for the period to 2021-06-04, which holds "blank check" (accession 0001104659-21-000001, https://www.sec.gov/Archives/edgar/data/1844419/000110465921000001/doc1.htm)',
    'Digital World Acquisition Corp. (DJT) (CIK 0001849635) filed 10-K on 2024-03-25, which holds "blank check" (accession 0001104659-24-000002, https://www.sec.gov/Archives/edgar/data/1849635/000110465924000002/doc2.htm)',
  ]);
  expect(result.text).toMatch(/^at least 10,000 documents; the best 2:/);
  expect(edgar.paths().at(-1)).toBe(
    "/efts.sec.gov/LATEST/search-index?q=%22blank+check%22&forms=8-K&ciks=0000320193&dateRange=custom&startdt=2021-01-01&enddt=2024-12-31",
  );
});

test("a frame returns the largest values of all companies", async () => {
  const edgar = await openEdgar();
  const result = await edgar.call({ what: "frame", concepts: ["us-gaap:AccountsPayableCurrent"], period: "CY2019Q1I" });
  const rows = rowsOf(result);
  expect(rows).toHaveLength(20);
  expect(rows[0]).toBe(
    "WALMART INC. (CIK 104169), number 1 by Accounts Payable, Current in CY2019Q1I (2019-04-30): 45,110,000,000 USD (us-gaap:AccountsPayableCurrent, CY2019Q1I, accession 0000104169-20-000020)",
  );
  expect((await edgar.call({ what: "frame", concepts: ["revenue"], period: "CY2023" })).text).toMatch(
    /^No company has reported revenue for CY2023/,
  );
});
