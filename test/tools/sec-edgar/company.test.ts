import { expect, test } from "vitest";
import { openEdgar, rowsOf } from "./open-edgar.ts";

const LIST = "/www.sec.gov/files/company_tickers.json";

test.each(["Apple", "apple inc", "APPLE INC.", "AAPL", "$aapl", "aapl"])("%s is Apple Inc. and no other Apple", async (company) => {
  const edgar = await openEdgar();
  const { text } = await edgar.call({ what: "profile", company });
  expect(text).toContain("CIK 0000320193");
});

test.each([
  ["320193", "/data.sec.gov/submissions/CIK0000320193.json"],
  ["0000320193", "/data.sec.gov/submissions/CIK0000320193.json"],
  ["CIK0000320193", "/data.sec.gov/submissions/CIK0000320193.json"],
  ["CIK 350001", "/data.sec.gov/submissions/CIK0000350001.json"],
])("the CIK %s needs no list of companies", async (company, path) => {
  const edgar = await openEdgar();
  expect((await edgar.call({ what: "profile", company })).sources).toHaveLength(1);
  expect(edgar.paths()).toEqual([path]);
});

test("a name that fits several companies is answered with their list, without a guess", async () => {
  const edgar = await openEdgar();
  const { text, sources } = await edgar.call({ what: "facts", company: "Berkshire" });
  expect(sources).toEqual([]);
  expect(text).toBe(
    "Berkshire could be several companies; ask again with the CIK or ticker of one: BERKSHIRE HATHAWAY INC (BRK-B, CIK 1067983); BERKSHIRE HILLS BANCORP INC (BHLB, CIK 1108134).",
  );
});

test("an unknown company is answered with what can be asked for; an unknown CIK is reported as such", async () => {
  const edgar = await openEdgar();
  expect(await edgar.call({ what: "profile", company: "Mircosoft" })).toEqual({
    text: "Among the companies with a ticker at the SEC there is no Mircosoft; ask with a ticker, a CIK or the registered name.",
    sources: [],
  });
  expect(await edgar.call({ what: "filings", company: "CIK 1" })).toEqual({
    text: "The SEC knows no company with the CIK 1.",
    sources: [],
  });
});

test("the list is fetched once for all calls, also for concurrent ones", async () => {
  const edgar = await openEdgar();
  await Promise.all(["AAPL", "Apple", "aapl"].map((company) => edgar.call({ what: "profile", company })));
  await edgar.call({ what: "profile", company: "Apple Inc." });
  expect(edgar.paths().filter((path) => path === LIST)).toHaveLength(1);
});

test("the next call fetches the list again after a failure", async () => {
  let refused = false;
  const edgar = await openEdgar({
    instead: ({ url }) => {
      if (url.pathname !== LIST || refused) return null;
      refused = true;
      return { status: 500, file: "access-denied.xml" };
    },
  });
  await expect(edgar.call({ what: "profile", company: "Apple" })).rejects.toMatchObject({ code: "not_found" });
  expect((await edgar.call({ what: "profile", company: "Apple" })).sources).toHaveLength(1);
});

test("a profile consists of statements that can be quoted one by one", async () => {
  const edgar = await openEdgar();
  expect(rowsOf(await edgar.call({ what: "profile", company: "AAPL" }))).toEqual([
    "Apple Inc. (AAPL) is the company Apple Inc., registered with the SEC under the CIK 0000320193 as Large accelerated filer",
    "Apple Inc. (AAPL) has its shares listed as AAPL (Nasdaq)",
    "Apple Inc. (AAPL) is in the industry Electronic Computers (SIC code 3571)",
    "Apple Inc. (AAPL) is incorporated in CA",
    "Apple Inc. (AAPL) ends its fiscal year on 09-27 (month and day)",
    "Apple Inc. (AAPL) has its headquarters and business address at ONE APPLE PARK WAY, CUPERTINO, CA, 95014",
    "Apple Inc. (AAPL) can be reached at (408) 996-1010",
    "Apple Inc. (AAPL) was formerly named APPLE COMPUTER INC (until 2007-01-04)",
    "Apple Inc. (AAPL) filed its latest annual report, form 10-K, on 2024-11-01 for the period to 2024-09-28 (accession 0000320193-24-000123)",
  ]);
});
