import { expect, test } from "vitest";
import { openEdgar } from "./open-edgar.ts";

test("an item is its text, not its line in the table of contents, without page numbers and running headers", async () => {
  const edgar = await openEdgar();
  const { sources, text } = await edgar.call({ what: "section", company: "Apple", item: "1" });
  expect(sources).toMatchObject([
    {
      kind: "filing",
      title: "Apple Inc. (AAPL): Item 1. Business (10-K for the period to 2024-09-28, accession 0000320193-24-000123)",
      url: "https://www.sec.gov/Archives/edgar/data/320193/000032019324000123/aapl-20240928.htm#item-1",
      publishedAt: "2024-11-01",
      text: [
        "Apple Inc. (AAPL): Item 1. Business",
        "Company Background",
        "The Company designs, manufactures and markets smartphones, personal computers, tablets, wearables and accessories, and sells a variety of related services. Item 7 of this Form 10-K speaks of results.",
        "Item 1. Business (continued)",
        "The Company’s business is competitive in all of its markets, which are characterised by frequent product introductions.",
      ].join("\n"),
    },
  ]);
  expect(text).toContain("Company Background");
});

test("the blocks of an item are at their offsets", async () => {
  const edgar = await openEdgar();
  const [source] = (await edgar.call({ what: "section", company: "Apple", item: "Item 7" })).sources;
  expect(source?.blocks?.map(({ kind, start, end }) => `${kind}: ${source.text?.slice(start, end)}`)).toEqual([
    "heading: Apple Inc. (AAPL): Item 7. Management’s Discussion and Analysis",
    "paragraph: Total net sales increased 2% during 2024 compared to 2023.",
    "table-row: Total net sales | $ | 391,035",
    "table-row: Cost of sales | $ | 210,352",
  ]);
});

test("the signatures end the last item", async () => {
  const edgar = await openEdgar();
  const [source] = (await edgar.call({ what: "section", company: "Apple", item: "15" })).sources;
  expect(source?.text).toBe("Apple Inc. (AAPL): Item 15. Exhibits\nA list of exhibits.");
});

test("a quarterly report has an item 1 in each of its parts", async () => {
  const edgar = await openEdgar();
  const textOf = async (item: string) => (await edgar.call({ what: "section", company: "Apple", form: "10-Q", item })).sources[0]?.text;
  expect(await textOf("1")).toMatch(/^Apple Inc\. \(AAPL\): Item 1\. Financial Statements\n/);
  expect(await textOf("II.1")).toBe("Apple Inc. (AAPL): Item 1. Legal Proceedings\nThe Company is subject to legal proceedings.");
  expect(await textOf("Part II, Item 1A")).toBe("Apple Inc. (AAPL): Item 1A. Risk Factors\nNo changes.");
});

test("a missing item or report is reported with what exists instead", async () => {
  const edgar = await openEdgar();
  const { text, sources } = await edgar.call({ what: "section", company: "Apple", item: "9C" });
  expect(sources).toEqual([]);
  expect(text).toBe("Apple Inc. (AAPL): the 10-K for the period to 2024-09-28 has no item 9C; it has I.1, I.1A, I.2, II.7, II.8, IV.15.");
  expect((await edgar.call({ what: "section", company: "Apple", years: [1997] })).text).toBe(
    "Apple Inc. (AAPL): no annual report for 1997 was found.",
  );
});
