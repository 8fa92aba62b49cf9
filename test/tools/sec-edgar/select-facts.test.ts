import { expect, test } from "vitest";
import type { Fact } from "../../../src/tools/sec-edgar/client.ts";
import { readConcepts, readFacts, readFilingPeriods, selectFacts } from "../../../src/tools/sec-edgar/select-facts.ts";

const fact = (accn: string, fy: number, start: string, end: string, val: number, filed: string, form = "10-K"): Fact => ({
  accn,
  fy,
  fp: form === "10-Q" ? "Q2" : "FY",
  form,
  start,
  end,
  val,
  filed,
});

/** Returns `period value unit tag` of the selected annual figures. */
function select(
  asked: string,
  byTag: Readonly<Record<string, Readonly<Record<string, readonly Fact[]>>>>,
  years: readonly number[] = [],
): string[] {
  const all = Object.values(byTag).flatMap((units) => Object.values(units).flat());
  const [concept] = readConcepts([asked]);
  if (concept === undefined) return [];
  const unitsOf = (tag: string) => new Map(Object.entries(byTag[tag] ?? {}));
  const known = readFacts(concept, unitsOf, readFilingPeriods(all), false);
  return selectFacts(known, { years, quarterly: false }).map(
    ({ period, fact: { val, accn }, unit, tag }) => `${period.year} ${val} ${unit} ${tag} ${accn}`,
  );
}

test("a year is the company's fiscal year, whatever calendar year its days are in", () => {
  const facts = [
    fact("b", 2024, "2022-01-31", "2023-01-29", 4, "2024-02-21"),
    fact("b", 2024, "2023-01-30", "2024-01-28", 29, "2024-02-21"),
    fact("a", 2023, "2022-01-31", "2023-01-29", 4, "2023-02-24"),
  ];
  expect(select("net income", { "us-gaap:NetIncomeLoss": { USD: facts } })).toEqual([
    "2024 29 USD us-gaap:NetIncomeLoss b",
    "2023 4 USD us-gaap:NetIncomeLoss a",
  ]);
});

test("if two tags cover one year the total takes precedence over the part, and a year that one lacks comes from the other", () => {
  const whole = [fact("b", 2023, "2023-01-01", "2023-12-31", 96, "2024-01-29")];
  const part = [
    fact("b", 2023, "2023-01-01", "2023-12-31", 90, "2024-01-29"),
    fact("a", 2022, "2022-01-01", "2022-12-31", 80, "2023-01-29"),
  ];
  expect(
    select("revenue", {
      "us-gaap:RevenueFromContractWithCustomerExcludingAssessedTax": { USD: part },
      "us-gaap:Revenues": { USD: whole },
    }),
  ).toEqual(["2023 96 USD us-gaap:Revenues b", "2022 80 USD us-gaap:RevenueFromContractWithCustomerExcludingAssessedTax a"]);
});

test("a company that reports in two currencies has a row for each, and one outside US GAAP is found as well", () => {
  const year = (val: number) => [fact("a", 2023, "2023-01-01", "2023-12-31", val, "2024-04-18", "20-F")];
  expect(select("营收", { "ifrs-full:Revenue": { TWD: year(2161), USD: year(70) } })).toEqual([
    "2023 2161 TWD ifrs-full:Revenue a",
    "2023 70 USD ifrs-full:Revenue a",
  ]);
});

test("for a value that was replaced and restored, the filing counts that restored it", () => {
  const days = ["2023-01-01", "2023-12-31"] as const;
  const facts = [
    fact("a", 2023, ...days, 5, "2024-02-01"),
    fact("b", 2023, ...days, 6, "2024-05-01"),
    fact("c", 2023, ...days, 5, "2024-08-01"),
    fact("d", 2023, ...days, 5, "2024-09-01"),
  ];
  expect(select("net income", { "us-gaap:NetIncomeLoss": { USD: facts } })).toEqual(["2023 5 USD us-gaap:NetIncomeLoss c"]);
});

test("half a year is not a year, and only the requested years are returned", () => {
  const facts = [
    fact("b", 2023, "2023-01-01", "2023-06-30", 3, "2023-08-01", "10-Q"),
    fact("a", 2022, "2022-01-01", "2022-12-31", 5, "2023-02-01"),
    fact("a", 2022, "2021-01-01", "2021-12-31", 4, "2023-02-01"),
  ];
  const byTag = { "us-gaap:NetIncomeLoss": { USD: facts } };
  expect(select("net income", byTag, [2021, 2023])).toEqual(["2021 4 USD us-gaap:NetIncomeLoss a"]);
});
