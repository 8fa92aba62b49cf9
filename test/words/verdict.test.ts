import { describe, expect, it } from "vitest";
import type { Claim, Report } from "../../src/domain/report.ts";
import { searchedLines, verdictOf } from "../../src/words/verdict.ts";

const claim = (support: Claim["support"], reason: string | null = null): Claim => ({
  ...{ text: "It was built in 1874.", citations: support === "unverified" ? [] : [1], support, reason, expression: null },
  ...{ supported: support === "quoted", section: "", origins: 0 },
});
const CITATION = { id: 1, sourceId: "S1", contentHash: "sha256:1", start: 0, end: 26, quote: "Penrose built it in 1874, so" };
const SEARCH: Report["ledger"][number] = {
  ...{ what: "search", source: "corpus", target: "lighthouse", outcome: "nothing", results: 0, failure: null, detail: null, ms: 1 },
};
const report = (answers: Report["answers"], claims: readonly Claim[], more: Partial<Report> = {}) => ({
  ...{ answers, missing: [], claims: [...claims], citations: claims.length > 0 ? [CITATION] : [], sources: [], ledger: [SEARCH] },
  ...more,
});
const CHECKED = [claim("paraphrased"), claim("paraphrased"), claim("summary")];
const DOUBTFUL = [...CHECKED, claim("unverified", "amount_not_in_quote: 1874")];

describe("the verdict on a report", () => {
  it.each([
    ["full", report("fully", CHECKED), "Judged by a model: answers the question fully."],
    ["limited", report("fully", DOUBTFUL), "Judged by a model: answers the question. Checked by code: 1 of 4 sentences is not verified."],
    ["limited", report("fully", CHECKED, { cutOff: true }), "Judged by a model: answers the question."],
    ["limited", report("fully", CHECKED, { missing: ["the cost"] }), "Judged by a model: answers the question."],
    ["limited", report("partly", CHECKED), "Judged by a model: answers the question in part."],
    ["none", report("not", CHECKED), "Judged by a model: does not answer the question."],
    ["none", report("not", []), "Judged by a model: no answer was found."],
    ["none", report(null, []), "Judged by code: no answer was found."],
    ["none", report(null, [], { ledger: [{ ...SEARCH, outcome: "failed" }] }), "Judged by code: the question was not answered."],
    ["unjudged", report(null, CHECKED), "Nobody judged whether this answers the question."],
  ])("is %s, says who judged, and is not stronger than what stands under it", (strength, judged, text) => {
    expect(verdictOf(judged, "en")).toMatchObject({ strength, text });
  });

  it("of quotes says that code chose them, also where one is a row of a table below its head", () => {
    const quotes = [{ ...claim("quoted"), text: CITATION.quote }];
    const text = "Chosen by code: 1 passage, word for word. Nobody judged whether it answers the question.";
    expect(verdictOf(report(null, quotes), "en")).toEqual({ judgedBy: "code", strength: "unjudged", text });
    const head = { ...CITATION, id: 2, quote: "Name | Year" };
    const row = report(null, [{ ...claim("quoted"), text: CITATION.quote, citations: [2, 1] }], { citations: [head, CITATION] });
    expect(verdictOf(row, "zh").text).toBe("由程序选出：1 段原文，一字未改。是否回答了问题，未经判断。");
  });

  it("without an answer is followed by what was searched and what to try", () => {
    const searched = { sources: [], ledger: [SEARCH, { ...SEARCH, source: "web", outcome: "found" as const, results: 3 }] };
    expect(searchedLines(searched, "en", (source) => (source === "corpus" ? "Local documents" : source))[0]).toBe(
      "Searched: Local documents (nothing found), web (3 found). Read: 0 documents.",
    );
    expect(searchedLines(searched, "zh")[1]).toContain("可以尝试");
    expect(searchedLines({ sources: [], ledger: [] }, "en")).toEqual([]);
  });

  it("says the same in Chinese", () => {
    expect(verdictOf(report("fully", DOUBTFUL), "zh").text).toBe("模型判断：回答了问题。程序核对：4 句中有 1 句未核实。");
  });

  it("of an answer that cites nothing says that nothing was checked", () => {
    const uncited = report(null, [claim("unverified", "no_citation")], { citations: [] });
    expect(verdictOf(uncited, "en")).toMatchObject({ judgedBy: null, text: "This answer cites no source: it was not checked." });
  });
});
