import { createHash } from "node:crypto";
import { expect } from "vitest";
import { sentencesOf } from "../../src/domain/blocks.ts";
import type { Block } from "../../src/domain/document.ts";
import type { Draft, Reading } from "../../src/domain/ports/analyst.ts";
import { createExtractiveAnalyst } from "../../src/quoting/analyst.ts";
import { analyzeText } from "../../src/ranking/analyze-text.ts";
import { NO_MODEL } from "../helpers/no-model.ts";
import { plainEffects } from "../helpers/plain-effects.ts";

/** One block of a document: its kind (headings with their level) and its text. */
export type Piece = readonly [Block["kind"] | `heading${1 | 2 | 3}` | "table-row1", string];

/** Joins blocks into a document, with an empty line between them, as an extraction would. */
export function reading(id: string, title: string, pieces: readonly Piece[]): Reading {
  let text = "";
  const blocks: Block[] = [];
  for (const [kind, content] of pieces) {
    if (text) text += "\n\n";
    const [, name = "", level] = /^([a-z-]+)(\d?)$/.exec(kind) ?? [];
    blocks.push({
      kind: name as Block["kind"],
      start: text.length,
      end: text.length + content.length,
      level: Number(level) || (name === "heading" ? 1 : 0),
    });
    text += content;
  }
  return readingOf(id, title, text, blocks);
}

/** Returns a document with exactly this text and these blocks, even if they do not match. */
export function readingOf(id: string, title: string, text: string, blocks: Block[] = []): Reading {
  const url = `https://example.com/${id}`;
  const contentHash = createHash("sha256").update(text).digest("hex");
  const found = { id, kind: "web", title, url, publishedAt: null, foundBy: "test", contentHash, snippet: "", score: 1 } as const;
  const document = { text, title, url, language: null, publishedAt: null, author: null, blocks, contentHash };
  return { hit: { ...found, origin: id, alternatives: [] }, document: { ...document, analysis: analyzeText({ text, blocks }) } };
}

/** Writes a draft and checks what every draft must satisfy: quotes are verbatim, claims are quotes, ids count from 1. */
export async function write(question: string, readings: readonly Reading[], language = "auto", before?: string): Promise<Draft> {
  const history = before === undefined ? [] : [{ question: before, answer: "" }];
  const draft = await createExtractiveAnalyst().write(
    { question, today: "2026-08-01", language, systemContext: "", history, ...NO_MODEL, readings },
    plainEffects(),
  );
  for (const citation of draft.citations) {
    const cited = readings.find(({ document }) => document.contentHash === citation.contentHash);
    expect(cited?.document.text.slice(citation.start, citation.end)).toBe(citation.quote);
    expect(readings.map(({ hit }) => hit.id)).toContain(citation.sourceId);
    expect(citation.quote.isWellFormed()).toBe(true);
  }
  expect(draft.citations.map(({ id }) => id)).toEqual(draft.citations.map((_, i) => i + 1));
  for (const claim of draft.claims) {
    expect(claim.supported).toBe(true);
    const cited = claim.citations.map((id) => draft.citations.find((citation) => citation.id === id)?.quote);
    expect(cited.join("\n")).toBe(claim.text);
  }
  expect((draft.blocks ?? []).flatMap(sentencesOf)).toEqual(draft.claims.map((_, i) => i));
  // Next to quotes, the only possible reason is a word that no source has.
  if (draft.claims.length === 0) expect(draft.reason).toBeTruthy();
  else expect(draft.reason ?? "").toMatch(/^$|^Not found in any source: “|^所有来源中都找不到：“/);
  return draft;
}

/** Returns the texts of the claims. */
export async function answer(question: string, readings: readonly Reading[]): Promise<string[]> {
  return (await write(question, readings)).claims.map(({ text }) => text);
}
