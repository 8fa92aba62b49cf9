import { describe, expect, it } from "vitest";
import { verifiedPassages } from "../../src/domain/citations.ts";
import { type Report, ReportSchema } from "../../src/domain/report.ts";

const STORED: Omit<Report, "closest"> = {
  markdown: "# 谁？\n",
  claims: [],
  citations: [],
  sources: [],
  coverage: { sentences: 0, supported: 0, unsupported: 0 },
  ledger: [],
};

describe("the closest passages of a report", () => {
  const passage = { sourceId: "S1", contentHash: "abc", start: 2, end: 5, quote: "守塔人" };

  it("are none in a report that an earlier version has stored", () => {
    expect(ReportSchema.parse(STORED)).toEqual({ ...STORED, closest: [] });
  });

  it("are five at most", () => {
    const closest = Array.from({ length: 6 }, () => passage);
    expect(ReportSchema.safeParse({ ...STORED, closest }).success).toBe(false);
    expect(ReportSchema.parse({ ...STORED, closest: closest.slice(1) }).closest).toHaveLength(5);
  });

  it("are the first that stand in their texts, without numbers", () => {
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
