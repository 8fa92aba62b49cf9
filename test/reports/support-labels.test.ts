import { describe, expect, it } from "vitest";
import { STRUCK_REASONS, SUPPORT_REASONS } from "../../src/domain/report.ts";
import { explainReason, reasonInWords, supportLabelsFor } from "../../src/reports/support-labels.ts";
import { keyOf } from "../../src/reports/view/support-view.ts";

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

it("the counts name only what there is", () => {
  const none = { sentences: 1, quoted: 0, computed: 0, confirmed: 0, paraphrased: 0, summary: 0, unverified: 0 };
  const english = supportLabelsFor("en");
  expect(english.counts({ ...none, unverified: 1 })).toBe("1 sentence: 1 not verified.");
  expect(english.counts({ ...none, sentences: 3, computed: 1, summary: 2 })).toBe(
    "3 sentences: 1 calculated from quoted figures (=), 2 without citation, with figures and names of cited sentences (Σ).",
  );
  expect(supportLabelsFor("zh").counts({ ...none, sentences: 2, confirmed: 2 })).toBe("共 2 句：2 句数字已核对、文字经模型确认（‡）。");
  expect(english.leftOut(1, [["the quote is not in the source", 1]])).toBe("1 sentence was left out: the quote is not in the source.");
});

it("the key names only the signs that stand in the report", () => {
  const sentence = (sign: string | null) => ({
    text: "It is.",
    citations: sign === "Σ" ? [] : [{ number: 2, retracted: false }],
    mark: sign === null ? null : { sign, words: "" },
    remarks: "",
    calculation: null,
  });
  const keyTo = (...signs: (string | null)[]) => keyOf([{ kind: "paragraph", sentences: signs.map(sentence) }], supportLabelsFor("en"));
  expect(keyTo("Σ", null, "†", "Σ")).toBe(
    "[2] word for word; † figures checked against the quote, words not; Σ not cited: its figures and names stand in cited sentences, what it says was not checked",
  );
  expect(keyTo("=")).toBe("= calculated from quoted figures: value checked, words not");
  expect(keyTo(null)).toBe(null);
});
