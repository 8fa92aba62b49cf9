import { describe, expect, it } from "vitest";
import { type Claim, type ReportContent, STRUCK_REASONS, SUPPORT_REASONS } from "../../src/domain/report.ts";
import { labelsFor } from "../../src/reports/labels.ts";
import { explainReason, reasonInWords, supportLabelsFor } from "../../src/reports/support-labels.ts";
import { asSentence, quotedText } from "../../src/reports/text.ts";
import { legendOf } from "../../src/reports/view/support-view.ts";
import { QUOTED } from "../helpers/claims.ts";
import { coverage } from "../helpers/coverage.ts";

const CODES = [...SUPPORT_REASONS, ...STRUCK_REASONS];

describe.each(["en", "zh"] as const)("the reasons in words: %s", (language) => {
  const labels = supportLabelsFor(language);

  it("exist for every code, each with other words", () => {
    const words = CODES.map((code) => reasonInWords(code, labels));
    expect(new Set(words).size).toBe(CODES.length);
    for (const text of words) expect(text).not.toMatch(/_/);
    if (language === "zh") for (const text of words) expect(text).toMatch(/\p{sc=Han}/u);
  });

  it("name what the code is about, and show a code that they do not know", () => {
    expect(explainReason("amount_not_in_quote: $5 billion", labels)).toMatch(/(?:: |：)“\$5 billion”$/);
    expect(explainReason("of_a_later_version: x", labels)).toMatch(/^of_a_later_version(?:: |：)“x”$/);
  });
});

const NOTHING: ReportContent = {
  ...{ question: "q", language: "en", reason: null, blocks: [], claims: [], citations: [], closest: [], sources: [], ledger: [] },
  ...{ answers: null, missing: [], struck: [], coverage: coverage() },
};
type Kind = Claim["support"] | "confirmed";

function legendOfKinds(language: "en" | "zh", ...kinds: Kind[]): string | null {
  const claims = kinds.map((kind): Claim => {
    const support = kind === "confirmed" ? "paraphrased" : kind;
    return {
      ...QUOTED,
      text: "It is.",
      citations: [1],
      section: "",
      origins: 0,
      support,
      supported: kind === "confirmed" || kind === "quoted",
    };
  });
  return legendOf({ ...NOTHING, claims }, labelsFor(language).labels);
}

it("the counts name only what there is, and that code checked it", () => {
  expect(legendOfKinds("en", "unverified")).toBe("1 sentence, checked by code: 1 not verified.");
  expect(legendOfKinds("en", "summary", "quoted", "computed", "summary")).toBe(
    "4 sentences, checked by code: 1 quoted word for word; 1 calculated from quoted figures: value checked, words not; " +
      "2 without a source: figures and names stand in cited sentences, what is said was not checked.",
  );
  expect(legendOfKinds("zh", "confirmed", "confirmed", "paraphrased")).toBe(
    "共 3 句，由程序核对：2 句数字已核对，文字经模型确认；1 句数字已与引文核对，文字未核对。",
  );
  expect(legendOfKinds("en")).toBe(null);
  expect(supportLabelsFor("en").leftOut(1, [["the quote is not in the source", 1]])).toBe(
    "1 sentence was left out: the quote is not in the source.",
  );
});

it("a quote that is a quotation has one pair of marks", () => {
  expect(["It is.", "“It is.”", '"他说。"', "“It” or “is”"].map(quotedText)).toEqual([
    "“It is.”",
    "“It is.”",
    "“他说。”",
    "““It” or “is””",
  ]);
});

it.each([
  ["no passage says it", "No passage says it."],
  ["iPhone sales are missing.", "iPhone sales are missing."],
  ["来源里没有", "来源里没有。"],
  ["来源里没有“首都”。", "来源里没有“首都”。"],
])("a reason reads as a sentence: %s", (reason, sentence) => {
  expect(asSentence(reason)).toBe(sentence);
});
