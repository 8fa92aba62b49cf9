import { expect, it } from "vitest";
import type { Block } from "../../src/domain/blocks.ts";
import type { DraftClaim } from "../../src/domain/report.ts";
import { blocksToMarkdown } from "../../src/writing/cited-markdown.ts";
import { cleanPart, createCleaner } from "../../src/writing/clean-text.ts";
import { QUOTED, UNVERIFIED } from "../helpers/claims.ts";

const quoted = (text: string, ...citations: number[]): DraftClaim => ({ text, citations, ...QUOTED, section: "" });
const item = (level: number, ...sentences: number[]) => ({ level, sentences });
const NO_LABEL = { support: null, reason: null };

const CLAIMS: readonly DraftClaim[] = [
  quoted("Revenue rose.", 1),
  { text: "All in all, it was a good year.", citations: [], ...QUOTED, support: "summary", supported: false, section: "" },
  quoted("One.", 2),
  quoted("Two.", 3),
  quoted("2024 | $27.2 billion | a|b", 1, 4),
  { text: "2025 | about $30 billion | c", citations: [], ...UNVERIFIED, section: "" },
];
const BLOCKS: readonly Block[] = [
  { kind: "paragraph", sentences: [0, 1] },
  { kind: "heading", level: 2, text: "Part 1", ...NO_LABEL },
  { kind: "list", items: [item(0, 2), item(1, 3)] },
  { kind: "heading", level: 3, text: "Outlook for 2020", ...NO_LABEL },
  {
    kind: "numbered-list",
    start: 3,
    items: [item(0, 2), { ...item(1, 3), number: 1 }, { ...item(1, 2), number: 2 }, item(0, 3), item(1, 2)],
  },
  { kind: "table", head: ["Year", "Revenue", "Note"], rows: [4, 5], ...NO_LABEL },
];

it("writes every kind of block, with citation numbers and marks", () => {
  expect(blocksToMarkdown(BLOCKS, CLAIMS, "en")).toEqual([
    "Revenue rose. [1] All in all, it was a good year.\n\n",
    "## Part 1\n\n",
    "- One. [2]\n   - Two. [3]\n\n",
    "### Outlook for 2020\n\n",
    "3. One. [2]\n   1. Two. [3]\n   2. One. [2]\n4. Two. [3]\n   - One. [2]\n\n",
    "| Year | Revenue | Note |\n| --- | --- | --- |\n| 2024 | $27.2 billion | a\\|b [1][4] |\n| 2025 | about $30 billion | c (not verified) |\n\n",
  ]);
});

it.each([
  ["en", "(not verified)", "What stood here was taken out."],
  ["zh", "（未核实）", "此处原有内容已删去。"],
] as const)("says in %s that code is not checked, and what was taken out", (language, mark, struck) => {
  const blocks: Block[] = [
    { kind: "code", text: "a = 1", language: "py" },
    { kind: "paragraph", sentences: [], struck: ["amount_contradicted"] },
  ];
  expect(blocksToMarkdown(blocks, [], language)).toEqual([`\`\`\`py\na = 1\n\`\`\`\n\n${mark}\n\n`, `${struck}\n\n`]);
});

it("cleans sentences, cells and labels, and drops what becomes empty", () => {
  const cleaner = createCleaner({ evidence: new Map(), known: ["https://example.org/a"], question: "Why?" });
  const claims = [
    quoted("See https://evil.test/x or https://example.org/a [3].", 1),
    quoted("[7]", 1),
    quoted("a [4] | https://evil.test/x | c", 1),
    { ...quoted("It is told at evil.test.", 1), ...UNVERIFIED, reason: "unknown_address: evil.test" },
  ];
  const blocks: readonly Block[] = [
    { kind: "heading", level: 2, text: "[5]", ...NO_LABEL },
    { kind: "paragraph", sentences: [0, 1, 3] },
    { kind: "heading", level: 2, text: "Seen at evil.test", ...NO_LABEL },
    { kind: "table", head: ["A [1]", "B", "C"], rows: [2], ...NO_LABEL },
    { kind: "heading", level: 2, text: "Empty", ...NO_LABEL },
    { kind: "paragraph", sentences: [1] },
  ];
  const cleaned = cleanPart({ claims, blocks }, cleaner);
  expect(cleaned.claims.map(({ text }) => text)).toEqual([
    "See `https://evil.test/x` (not retrieved) or https://example.org/a.",
    "a | `https://evil.test/x` (not retrieved) | c",
    "It is told at `evil.test` (not retrieved).",
  ]);
  expect(cleaned.claims[2]?.reason).toBe("unknown_address: `evil.test` (not retrieved)");
  expect(cleaner.struck({ text: "It fell.", reason: "unknown_source: 【P99】" }).reason).toBe("unknown_source");
  expect(cleaner.struck({ text: "It fell [2].", reason: 'quote_not_found: [P1: "it fell, see https://evil.test/x"]' })).toEqual({
    text: "It fell.",
    reason: 'quote_not_found: "it fell, see `https://evil.test/x` (not retrieved)"',
  });
  expect(cleaned.blocks).toEqual([
    { kind: "paragraph", sentences: [0, 2] },
    { kind: "heading", level: 2, text: "Seen at `evil.test` (not retrieved)", ...NO_LABEL },
    { kind: "table", head: ["A", "B", "C"], rows: [1], ...NO_LABEL },
  ]);
});

it("keeps an index of zero, because the numbers of notes begin at 1", () => {
  const cleaner = createCleaner({ evidence: new Map(), known: [], question: "Why?" });
  const words = "The first of lst[0] lies in [0, 1] [1], the others do not [01] [2, 10].";
  expect(cleaner.label(words)).toBe("The first of lst[0] lies in [0, 1], the others do not.");
});
