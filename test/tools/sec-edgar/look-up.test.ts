import { expect, test } from "vitest";
import { openEdgar, rowsOf } from "./open-edgar.ts";

test.each(["AAPL", "Apple Inc.", "320193", "CIK0000320193"])(
  '{"query": "%s"} is answered with the profile of the company and its latest figures',
  async (query) => {
    const edgar = await openEdgar();
    const result = await edgar.call({ query });
    const rows = rowsOf(result).join("\n");
    expect(rows).toContain("0000320193");
    expect(rows).toContain("us-gaap:");
    expect(result.sources.length).toBeGreaterThan(1);
    expect(edgar.paths().filter((path) => path.includes("efts"))).toEqual([]);
  },
);

test("years and concepts beside the query select the figures", async () => {
  const edgar = await openEdgar();
  const rows = rowsOf(await edgar.call({ query: "AAPL", concepts: ["net income"], years: [2023] })).join("\n");
  expect(rows).toContain("us-gaap:NetIncomeLoss");
});

test.each([
  ["Apple revenue 2023", "there is no Apple revenue 2023; ask with a ticker, a CIK or the registered name."],
  ["苹果公司", "there is no 苹果公司; ask with a ticker, a CIK or the registered name."],
])('{"query": "%s"} is answered with what can be asked for, and requests nothing else', async (query, said) => {
  const edgar = await openEdgar();
  const { text, sources } = await edgar.call({ query });
  expect(sources).toEqual([]);
  expect(text).toContain(said);
  expect(edgar.paths()).toHaveLength(1);
});

test("the profile is returned even if the figures cannot be read", async () => {
  const edgar = await openEdgar({
    instead: ({ target }) => (target.includes("companyfacts") ? { status: 429, file: "too-fast.html" } : null),
  });
  const { text, sources } = await edgar.call({ query: "AAPL" });
  expect(sources).toHaveLength(1);
  expect(text).toContain("Its figures could not be read: ");
});

test("a query beside `what` is the company", async () => {
  const edgar = await openEdgar();
  expect((await edgar.call({ what: "profile", query: "AAPL" })).text).toContain("CIK 0000320193");
});
