import { describe, expect, it } from "vitest";
import { citationsSharedWith, mergeCitations, mergeFindings, verifiedPassages } from "../../src/domain/citations.ts";
import type { Findings } from "../../src/domain/ports/analyst.ts";
import { type Citation, type DraftClaim, type Report, ReportSchema } from "../../src/domain/report.ts";
import { NO_BLOCKS, QUOTED, UNVERIFIED } from "../helpers/claims.ts";
import { coverage } from "../helpers/coverage.ts";

const citation = (id: number, contentHash: string, start: number, quote: string, sourceId = "S1"): Citation => ({
  ...{ id, sourceId, contentHash, start },
  end: start + quote.length,
  quote,
});
const claim = (text: string, citations: number[], supported = true): DraftClaim => ({
  text,
  citations,
  ...(supported ? QUOTED : UNVERIFIED),
  section: "",
});
const findings = (claims: DraftClaim[], citations: Citation[]): Findings => ({ claims, citations, reason: null });

it("joins findings with one number for each passage, and repeats no sentence", () => {
  const first = findings([claim("灯塔建于1874年。", [1])], [citation(1, "a", 0, "灯塔建于1874年。")]);
  const second = findings(
    [claim("The wall is granite.", [2]), claim("灯塔建于1874年。", [1, 2])],
    [citation(1, "a", 0, "灯塔建于1874年。"), citation(2, "b", 5, "granite", "S2")],
  );
  expect(mergeFindings([first, second])).toEqual({
    claims: [claim("灯塔建于1874年。", [1, 2]), claim("The wall is granite.", [2])],
    citations: [citation(1, "a", 0, "灯塔建于1874年。"), citation(2, "b", 5, "granite", "S2")],
    reason: null,
  });
});

it("treats the same words of one source as one passage, whichever copy of the source is cited", () => {
  const united = mergeCitations({
    claims: [claim("x", [1, 2]), claim("y", [3])],
    citations: [citation(1, "page", 40, "granite"), citation(2, "snippet", 0, "granite"), citation(3, "other", 0, "granite", "S2")],
  });
  expect(united.claims.map(({ citations }) => citations)).toEqual([[1], [2]]);
  expect(united.citations.map(({ id }) => id)).toEqual([1, 2]);
});

it("gives the reason of the last findings if none has sentences", () => {
  expect(mergeFindings([findings([], []), { claims: [], citations: [], reason: "没有找到" }])).toEqual({
    claims: [],
    citations: [],
    reason: "没有找到",
  });
  expect(mergeFindings([])).toEqual({ claims: [], citations: [], reason: null });
});

it("recognizes which citations of a report share a place with findings", () => {
  const own = findings([], [citation(1, "a", 10, "0123456789")]);
  const report = [citation(1, "a", 0, "abcdefghij"), citation(2, "a", 15, "012"), citation(3, "b", 15, "012")];
  expect(citationsSharedWith(own, report)).toEqual([2]);
});

const STORED: Omit<Report, "closest"> = {
  ...NO_BLOCKS,
  markdown: "# 谁？\n",
  claims: [],
  citations: [],
  sources: [],
  coverage: coverage(),
  ledger: [],
};

describe("the closest passages of a report", () => {
  const passage = { sourceId: "S1", contentHash: "abc", start: 2, end: 5, quote: "守塔人" };

  it("are empty in a report that an earlier version stored", () => {
    expect(ReportSchema.parse(STORED)).toEqual({ ...STORED, closest: [] });
  });

  it("are at most five", () => {
    const closest = Array.from({ length: 6 }, () => passage);
    expect(ReportSchema.safeParse({ ...STORED, closest }).success).toBe(false);
    expect(ReportSchema.parse({ ...STORED, closest: closest.slice(1) }).closest).toHaveLength(5);
  });

  it("are the first ones that occur in their texts, without numbers", () => {
    const texts = new Map([["abc", "🦜守塔人每天傍晚点灯。"]]);
    const numbered = { id: 1, ...passage };
    const wrong = [
      { ...passage, quote: "守塔者" },
      { ...passage, start: 3 },
      { ...passage, end: 2 },
      { ...passage, contentHash: "def" },
    ];
    expect(verifiedPassages([...wrong, numbered], (hash) => texts.get(hash))).toEqual([passage]);
    expect(verifiedPassages(Array(7).fill(passage), (hash) => texts.get(hash))).toHaveLength(5);
  });
});
