import { describe, expect, it } from "vitest";
import { assemble, collapse } from "../../src/documents/block-text.ts";
import { extractText } from "../../src/documents/extract-text.ts";
import { foldText } from "../../src/evidence/fold-text.ts";
import { markdownBlocks } from "../../src/evidence/markdown-blocks.ts";
import { packEvidence } from "../../src/evidence/packed-evidence.ts";
import { createQuoteLocator, type Evidence } from "../../src/evidence/quote-location.ts";
import { createOutputFilter, sanitizeText } from "../../src/evidence/sanitize-output.ts";
import { SpokenText } from "../../src/models/spoken-text.ts";
import { CallAssembler } from "../../src/models/tool-calls.ts";
import { analyzeText } from "../../src/ranking/analyze-text.ts";
import { termsOfHit } from "../../src/ranking/near-duplicates.ts";
import { keywords, queryTerms } from "../../src/ranking/query-terms.ts";
import { splitSentences } from "../../src/ranking/sentences.ts";
import { tokenize } from "../../src/ranking/tokenize.ts";
import { CitedProseFilter } from "../../src/writing/draft-display.ts";
import { cutPassages } from "../../src/writing/pieces.ts";
import { readReport, type TextContext } from "../../src/writing/read-text.ts";
import { readingOf } from "../writing/readings.ts";
import { countVisited } from "./count-visited.ts";
import { HOSTILE_TEXTS } from "./texts.ts";

const PIECE = 16;
/** In UTF-16 code units. */
const LENGTH = 4_000;
const MOST = 2.4;
/** Steps of a text whose end is treated specially. */
const SLACK = 20_000;

function inPieces(filter: { push(piece: string): unknown; end?(): unknown }, text: string): void {
  for (let at = 0; at < text.length; at += PIECE) filter.push(text.slice(at, at + PIECE));
  filter.end?.();
}

function evidenceOf(text: string): Evidence {
  return { id: "P1", sourceId: "S1", title: "A title", contentHash: text.slice(0, 100), text, start: 0, end: Math.min(1_200, text.length) };
}

function streamOf(text: string): void {
  const filter = new CitedProseFilter(contextOf(text));
  inPieces({ push: (piece) => filter.push(piece), end: () => filter.end() }, text);
}

function contextOf(text: string): TextContext {
  const evidence = new Map([["P1", evidenceOf(text)]]);
  return { evidence, known: [], names: [], question: "Why?", language: "en", showsUnverified: true };
}

const SUBJECTS: readonly (readonly [name: string, work: (text: string) => unknown])[] = [
  ["tokenize", tokenize],
  ["the terms of a question", queryTerms],
  ["the keywords of a question", keywords],
  ["the terms of a hit", (text) => termsOfHit({ url: "https://example.org/", title: text, snippet: text })],
  ["sentences", (text) => splitSentences(text)],
  ["an analysis", (text) => analyzeText({ text, blocks: [] })],
  ["a text of lines", (text) => assemble(extractText(text).drafts)],
  ["one line", collapse],
  ["blocks of Markdown", markdownBlocks],
  ["folding", (text) => foldText(text)],
  ["a quote that is not there", (text) => createQuoteLocator()("Water is “wet” … and cold", evidenceOf(text))],
  ["passages", (text) => cutPassages(readingOf("a", "A", text))],
  ["a sanitized text", (text) => sanitizeText(text, ["https://example.org/a"])],
  ["a filtered stream", (text) => inPieces(createOutputFilter(["https://example.org/a"]), text)],
  ["a cited stream", streamOf],
  ["a report", (text) => readReport(text, { ...contextOf(text), evidence: packEvidence(contextOf(text).evidence) })],
  ["reasoning and tokens of a template", (text) => inPieces(new SpokenText(), text)],
  ["arguments of a call", argumentsOf],
];

function argumentsOf(text: string): void {
  const calls = new CallAssembler(new Set(["find"]));
  for (let at = 0; at < text.length; at += PIECE) {
    calls.push({ index: 0, id: "a", name: "find", text: text.slice(at, at + PIECE) });
  }
  calls.end(true);
}

describe.each(SUBJECTS)("%s", (_, work) => {
  it("visits at most about twice as many characters of a hostile text that is twice as long", () => {
    const slow = HOSTILE_TEXTS.flatMap(([name, make]) => {
      const visited = (times: number): number => countVisited(() => work(make(times * LENGTH)));
      const [once, twice] = [visited(1), visited(2)];
      if (twice <= MOST * once + SLACK) return [];
      // One step may come from a bound that only the longer text exceeds.
      const fourTimes = visited(4);
      return fourTimes > MOST * twice ? [`${name}: ${once}, ${twice} and ${fourTimes}`] : [];
    });
    expect(slow).toEqual([]);
  });
});
