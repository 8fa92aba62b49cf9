import { expect, it } from "vitest";
import { currentReport } from "../../src/storage/rows.ts";

it("a report that Dossier 0.3 stored gets the fields that it lacks, and its sentences stand in blocks", () => {
  const claim = { section: "灯塔", origins: 0 };
  const stored = {
    claims: [
      { ...claim, text: "Ada Penrose built it in 1874.", citations: [1], supported: true },
      { ...claim, text: "It is the finest of the coast.", citations: [], supported: false },
    ],
    ...{ markdown: "", citations: [], sources: [], ledger: [], coverage: { sentences: 2, supported: 1, unsupported: 1 } },
    unanswered: ["How tall is it?"],
  };
  const report = currentReport(stored);
  expect(report?.claims.map(({ support, reason }) => [support, reason])).toEqual([
    ["quoted", null],
    ["unverified", "no_citation"],
  ]);
  expect(report?.blocks.map(({ kind }) => kind)).toEqual(["heading", "list"]);
  expect(report).toMatchObject({ missing: ["How tall is it?"], coverage: { sentences: 2, quoted: 1, unverified: 1 } });
});
