import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../src/domain/events.ts";
import { draftOf } from "../../web/src/view-model/draft.ts";
import { reduce } from "../../web/src/view-model/reduce.ts";
import { EMPTY_VIEW } from "../../web/src/view-model/run-view.ts";
import { draftBlocks, draftPieces, lastCitation } from "../../web/src/views/run/draft-blocks.ts";
import { eventsOf } from "./recorded-events.ts";

type Body = Record<string, unknown> & { readonly type: string };
const BEGUN: readonly Body[] = [
  { type: "run-started", attempt: 1 },
  { type: "node-started", node: "summarize", step: 1 },
];
const draftAfter = (...bodies: Body[]) => {
  const events: RunEvent[] = eventsOf([...BEGUN, ...bodies]);
  const draft = draftOf(events.reduce(reduce, EMPTY_VIEW));
  return draft && { ...draft, parts: draft.parts.map(({ text }) => text) };
};
const content = (callId: string, delta: string, more: object = {}): Body => ({
  type: "content",
  node: "summarize",
  callId,
  try: 1,
  delta,
  ...more,
});

describe("the draft of a report", () => {
  it("has all parts that are being written, in the order of the report", () => {
    const draft = draftAfter(
      content("lead", "It is safe. [1]\n\n", { part: 0 }),
      content("b", "## Cost\n\n", { part: 2 }),
      content("a", "## Safety\n\n", { part: 1 }),
      content("b", "It costs $87. [1]\n\n", { part: 2 }),
      { type: "call-waiting", callId: "model", try: 1, ahead: 2 },
    );
    expect(draft).toEqual({ isChecked: true, parts: ["It is safe. [1]\n\n", "## Safety\n\n", "## Cost\n\nIt costs $87. [1]\n\n"] });
  });

  it("keeps a part that is corrected until its new text has come", () => {
    const first = [content("a", "## 安全\n\n", { part: 1 }), content("a", "旧文。\n\n", { part: 1 })];
    const again = [{ type: "call-restarted", callId: "a", try: 2, reason: "" }, content("a", "## 安全\n\n", { part: 1, try: 2 })];
    expect(draftAfter(...first, ...again)?.parts).toEqual(["## 安全\n\n旧文。\n\n"]);
    expect(draftAfter(...first, ...again, content("a", "新文。\n\n", { part: 1, try: 2 }))?.parts).toEqual(["## 安全\n\n新文。\n\n"]);
  });

  it("is the answer of a summary, or the latest text, said to be unchecked if it is", () => {
    const component = {
      type: "component",
      component: "summary-response",
      props: { answer: "It is granite. [1]" },
      partial: true,
      callId: "s",
    };
    expect(draftAfter(component)).toEqual({ isChecked: true, parts: ["It is granite. [1]"] });
    expect(draftAfter(content("c", "Perhaps.", { draft: true }))).toEqual({ isChecked: false, parts: ["Perhaps."] });
    expect(draftAfter(content("report", "# The report"))).toBeNull();
  });
});

it("reads headings, paragraphs, lists, tables and code, and the beginnings of them", () => {
  const markdown =
    "## Safety\n\nOne. [1]\nTwo.\n\n- a\n  - b\n\n3. c\n\n| Cell | Price |\n| --- | --- |\n| LFP\\|x | $59 [2] (not verified) |\n\n```ts\n# no heading\n";
  expect(draftBlocks(markdown)).toEqual([
    { kind: "heading", level: 2, text: "Safety" },
    { kind: "paragraph", text: "One. [1]\nTwo." },
    {
      kind: "list",
      items: [
        { level: 0, number: null, text: "a" },
        { level: 1, number: null, text: "b" },
      ],
    },
    { kind: "list", items: [{ level: 0, number: "3", text: "c" }] },
    { kind: "table", head: ["Cell", "Price"], rows: [["LFP|x", "$59 [2] (not verified)"]] },
    { kind: "code", text: "# no heading\n" },
  ]);
  for (let end = 0; end < markdown.length; end += 1) expect(Array.isArray(draftBlocks(markdown.slice(0, end)))).toBe(true);
});

it("numbers the citations of a part behind those of the parts before, and shows marks of a model without their quotes", () => {
  expect(draftPieces("It costs `x`. [1][2] (not verified)", 3)).toEqual([
    { kind: "text", text: "It costs " },
    { kind: "code", text: "x" },
    { kind: "text", text: "." },
    { kind: "citation", text: "[4]" },
    { kind: "citation", text: "[5]" },
    { kind: "unverified", text: "(not verified)" },
  ]);
  expect(draftPieces('它很高。[P3："灯塔高九十米"]', 0).at(-1)).toEqual({ kind: "citation", text: "[P3]" });
  expect([lastCitation("a [2] b [11]"), lastCitation("none")]).toEqual([11, 0]);
});
