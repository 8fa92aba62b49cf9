import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FAITHFUL_FOLDER, type FaithfulSentence, FaultSchema, readSentences } from "../../scripts/faithful/sentences.ts";
import { columnScaleOf, evaluateExpression, operandsOf, statesValue } from "./faithful-expression.ts";

const HALVES = { a: await readSentences("a"), b: await readSentences("b") };
const ALL = [...HALVES.a, ...HALVES.b];
const DOCUMENTS = new Map(
  readdirSync(join(FAITHFUL_FOLDER, "documents")).map((name) => [name, readFileSync(join(FAITHFUL_FOLDER, "documents", name), "utf8")]),
);

const figuresOf = (text: string): string[] => text.replaceAll(",", "").match(/\d[\d.]*\d|\d/g) ?? [];
const quotesOf = (sentence: FaithfulSentence): string[] => sentence.citations.map(({ quote }) => quote);
const idsOf = (sentences: readonly FaithfulSentence[]): string[] => sentences.map(({ id }) => id);
const count = (values: readonly (string | null)[]): Record<string, number> =>
  Object.fromEntries(Object.entries(Object.groupBy(values, String)).map(([key, group]) => [key, group?.length ?? 0]));

/** True sentences with a citation in the section of a sentence, or in the whole half for its lead. */
function checkedNear(sentence: FaithfulSentence, half: readonly FaithfulSentence[]): FaithfulSentence[] {
  return half.filter((one) => one.truth && one.citations.length > 0 && ["", one.section].includes(sentence.section));
}

function statesItsValue({ expression, text, citations }: FaithfulSentence): boolean {
  return statesValue(text, evaluateExpression(expression ?? ""), columnScaleOf(citations.map(({ quote }) => quote)));
}

describe.each(Object.entries(HALVES))("half %s of the sentences", (name, half) => {
  it("has 128 sentences, half of them true, and numbers them in order", () => {
    expect(half).toHaveLength(128);
    expect(half.filter(({ truth }) => truth)).toHaveLength(64);
    expect(idsOf(half)).toEqual(half.map((_, i) => `${name}-${String(i + 1).padStart(3, "0")}`));
    expect(new Set(half.map(({ text }) => text)).size).toBe(half.length);
  });

  it("is about 60 % English", () => {
    const share = half.filter(({ language }) => language === "en").length / half.length;
    expect(Math.abs(share - 0.6)).toBeLessThan(0.05);
  });

  it("keeps the sentences of a section together, and each section to one document", () => {
    const changes = half.filter(({ section }, i) => section !== half[i - 1]?.section);
    expect(changes).toHaveLength(new Set(half.map(({ section }) => section)).size);
    const cited = half
      .filter(({ fault }) => fault !== "invented-source")
      .flatMap(({ section, citations }) => citations.map((one) => `${section}: ${one.document}`));
    expect(new Set(cited).size).toBe(changes.length - 1);
  });

  it("sums up only figures of true sentences, in summaries and in headings", () => {
    const strange = half
      .flatMap((one) => [...(one.kind === "summary" ? [{ one, text: one.text }] : []), { one, text: one.section }])
      .filter(({ one, text }) => {
        const known = new Set(checkedNear(one, half).flatMap((near) => figuresOf(near.text)));
        return figuresOf(text).some((figure) => !known.has(figure));
      });
    expect(idsOf(strange.map(({ one }) => one))).toEqual([]);
  });

  it("gives false sentences without a citation a figure of no true sentence", () => {
    const uncited = half.filter(({ truth, citations }) => !truth && citations.length === 0);
    const known = new Set(half.filter(({ truth }) => truth).flatMap(({ text }) => figuresOf(text)));
    expect(uncited).toHaveLength(2);
    expect(idsOf(uncited.filter(({ text }) => figuresOf(text).every((figure) => known.has(figure))))).toEqual([]);
  });
});

describe("both halves of the sentences", () => {
  it("have the same mixture over different documents", () => {
    expect(count(HALVES.a.map(({ kind }) => kind))).toEqual(count(HALVES.b.map(({ kind }) => kind)));
    expect(count(HALVES.a.map(({ fault }) => fault))).toEqual(count(HALVES.b.map(({ fault }) => fault)));
    const [first, second] = [HALVES.a, HALVES.b].map(
      (half) => new Set(half.flatMap(({ citations }) => citations.map((one) => one.document))),
    );
    expect(first?.intersection(second ?? new Set())).toEqual(new Set());
    expect([...DOCUMENTS.keys()].filter((name) => !first?.has(name) && !second?.has(name))).toEqual([]);
  });

  it("have every fault in both halves", () => {
    for (const half of [HALVES.a, HALVES.b])
      expect(new Set(half.map(({ fault }) => fault))).toEqual(new Set([...FaultSchema.options, null]));
  });

  it("quote a document exactly and once, unless the quote or the source is invented", () => {
    const occurrences = (document: string, quote: string): number => (DOCUMENTS.get(document)?.split(quote).length ?? 1) - 1;
    const invented = ALL.filter(({ fault }) => fault === "invented-quote" || fault === "invented-source");
    const others = ALL.filter((one) => !invented.includes(one));
    const expected = (one: FaithfulSentence, times: number): boolean =>
      one.citations.every(({ document, quote }) => occurrences(document, quote) === times);
    expect(idsOf(others.filter((one) => !expected(one, 1)))).toEqual([]);
    expect(idsOf(invented.filter((one) => !expected(one, 0)))).toEqual([]);
    for (const { fault, citations } of invented)
      expect(citations.map(({ document }) => DOCUMENTS.has(document))).toEqual([fault === "invented-quote"]);
  });

  it("cite something in every true sentence that is no summary, and nothing in a summary", () => {
    expect(idsOf(ALL.filter((one) => one.truth && (one.kind === "summary") !== (one.citations.length === 0)))).toEqual([]);
  });

  it("give an expression for every computed sentence, except two of each half, which code cannot verify", () => {
    const computed = ALL.filter(({ kind }) => kind === "computed");
    const without = computed.filter(({ expression }) => expression === null);
    expect(without).toHaveLength(4);
    expect(idsOf(ALL.filter((one) => one.truth && one.expect === "unverified"))).toEqual(idsOf(without));
    expect(idsOf(ALL.filter((one) => one.truth && one.kind !== "computed" && one.expression !== null))).toEqual([]);
  });

  it("take the operands of an expression from the quotes", () => {
    const strange = ALL.filter((one) =>
      operandsOf(one.expression ?? "").some((operand) => !quotesOf(one).some((quote) => quote.includes(operand))),
    );
    expect(idsOf(strange)).toEqual([]);
  });

  it("state the value of the expression if they are computed, and another value if the result is wrong", () => {
    const withExpression = ALL.filter(({ expression }) => expression !== null);
    const computed = withExpression.filter(({ truth }) => truth);
    const wrong = withExpression.filter(({ fault, decidable }) => decidable && (fault === "wrong-result" || fault === "swapped-operands"));
    expect([computed.length, wrong.length]).toEqual([38, 10]);
    expect(idsOf(computed.filter((one) => !statesItsValue(one)))).toEqual([]);
    expect(idsOf(wrong.filter(statesItsValue))).toEqual([]);
  });
});
