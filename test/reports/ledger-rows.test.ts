import { expect, it } from "vitest";
import type { LedgerEntry } from "../../src/domain/report.ts";
import { labelsFor } from "../../src/reports/labels.ts";
import { ledgerRows } from "../../src/reports/view/ledger-rows.ts";

const searched = (target: string): LedgerEntry => ({
  ...{ what: "search", source: "corpus", target, outcome: "found", results: 4, failure: null, detail: null, ms: 2 },
});
const places = (entries: LedgerEntry[]) => ledgerRows(entries, 10, labelsFor("en").labels).rows.map(({ place }) => place);

it("gives the query of each search if not all searches had the same", () => {
  expect(places([searched("Who built the pier?"), searched("谁建造了灯塔？")])).toEqual([
    "corpus: “Who built the pier?”",
    "corpus: “谁建造了灯塔？”",
  ]);
  expect(places([searched("灯塔"), { ...searched("灯塔"), source: "wiki" }])).toEqual(["corpus", "wiki"]);
  const [long] = places([searched("x".repeat(300)), searched("y")]);
  expect(long).toBe(`corpus: “${"x".repeat(80)}…”`);
});
