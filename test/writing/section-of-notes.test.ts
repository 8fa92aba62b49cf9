import { expect, it } from "vitest";
import { sectionOfNotes } from "../../src/writing/outlined-report.ts";

const TEXT = "Revenue rose to $27.2 billion in 2024.";
const PLACE = { sourceId: "S1", contentHash: "c", start: 0, end: TEXT.length };

function headingOf(heading: string, question = "How did it do?") {
  const claim = { text: TEXT, citations: [1], support: "quoted" as const, supported: true, reason: null, expression: null, section: "" };
  const findings = { claims: [claim], citations: [{ id: 1, ...PLACE, quote: TEXT }], reason: null };
  const note = { evidence: { id: "P1", ...PLACE, text: TEXT }, reading: {} as never, texts: new Set<string>(), todos: new Set<string>() };
  const { blocks = [], claims } = sectionOfNotes(heading, [note], { executed: [{ findings } as never], question });
  expect(claims.map(({ section }) => section)).toEqual([heading]);
  expect(blocks[1]?.kind).toBe("list");
  return blocks[0];
}

it.each([
  ["Revenue of $27.2 billion", "summary", null],
  ["Revenue of $28.2 billion", "unverified", "amount_not_in_sentences: 28.2 billion"],
  ["收入为282亿美元", "unverified", "amount_not_in_sentences: 282亿美元"],
  ["Revenue", null, null],
])("the figures of a heading over notes must stand in them: %s", (heading, support, reason) => {
  expect(headingOf(heading)).toMatchObject({ kind: "heading", text: heading, support, reason });
});
