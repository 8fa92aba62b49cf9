import type { Citation } from "../domain/report.ts";
import { type MarkerContext, prefixOf } from "./citation-markers.ts";
import { type CitedBlock, readBlocks } from "./cited-blocks.ts";
import { createKnownAddresses } from "./known-addresses.ts";
import { readFences } from "./markdown-blocks.ts";
import { createQuoteLocator, type Evidence } from "./quote-location.ts";
import { type CitationFault, type CitedPart, type ReadOptions, type ReadReport, ReportReader } from "./report-reader.ts";

export type { CitationFault, CitedPart, ReadOptions };

export interface CitedText extends ReadReport {
  /** One citation for each quoted passage, with ids from 1 in the order of first use. */
  readonly citations: readonly Citation[];
  /** The text without citations. */
  readonly text: string;
  /** Whether the text is longer than what is read of it. */
  readonly isCut: boolean;
}

/** In UTF-16 code units. The rest of a longer text is not read. */
export const MAX_CITED_TEXT = 100_000;

/**
 * Reads a Markdown text with citations such as `Sentence. [P3: "exact words"]` and calculations such as `[= $5 million - $3 million]`, and
 * judges what supports each sentence.
 */
export function readCitedText(whole: string, evidence: ReadonlyMap<string, Evidence>, options: ReadOptions = {}): CitedText {
  const text = whole.length > MAX_CITED_TEXT ? whole.slice(0, MAX_CITED_TEXT).toWellFormed() : whole;
  const { blocks, text: unmarked, isCut } = readBlocks(text, markerContext(evidence, options));
  const reader = new ReportReader(options, textsOf(evidence));
  return { ...reader.read(blocks), citations: reader.citations, text: unmarked, isCut: isCut || text.length < whole.length };
}

/** Passages of one document have the same text. */
function textsOf(evidence: ReadonlyMap<string, Evidence>): string[] {
  return [...new Map(Array.from(evidence.values(), ({ contentHash, text }) => [contentHash, text])).values()];
}

function markerContext(evidence: ReadonlyMap<string, Evidence>, { prefixes = [], known = [], addresses = [] }: ReadOptions): MarkerContext {
  const byUpper = new Map([...evidence].map(([id, one]) => [id.toUpperCase(), one]));
  return {
    byId: (id) => evidence.get(id) ?? byUpper.get(id.toUpperCase()),
    locate: createQuoteLocator(),
    prefixes: new Set(["P", ...prefixes, ...Array.from(evidence.keys(), prefixOf)]),
    known: createKnownAddresses(addresses),
    asked: known.join("\n"),
  };
}

/** In UTF-16 code units. A longer block ends the draft. */
const MAX_HELD = 6_000;
/** Quotes and all blocks but code end at an empty line. */
const GAP = /\n[^\S\n]*\n(?=\S)/g;

/** Returns each block of the text as a draft once it has ended. Numbers are those of `readCitedText`. */
export function createCitedStream(evidence: ReadonlyMap<string, Evidence>, options: ReadOptions = {}) {
  const context = markerContext(evidence, options);
  const reader = new ReportReader(options, textsOf(evidence));
  let held = "";
  let length = 0;
  let readAt = 0;
  let section = "";
  /** A heading waits for what stands below it. */
  let headings: readonly CitedBlock[] = [];
  const take = (text: string, isLast: boolean): CitedPart[] => {
    const { blocks } = readBlocks(text.toWellFormed(), context, section);
    section = blocks.findLast((block) => block.kind === "heading")?.text ?? section;
    const all = [...headings, ...blocks];
    const end = isLast ? all.length : all.findLastIndex(({ kind }) => kind !== "heading") + 1;
    headings = all.slice(end);
    return end === 0 ? [] : [reader.add(all.slice(0, end))];
  };
  return {
    push(piece: string): CitedPart[] {
      held += piece.slice(0, Math.max(0, MAX_CITED_TEXT - length));
      length += piece.length;
      if (held.length < readAt || held.length > MAX_HELD) return [];
      const end = endOfBlocks(held);
      const ended = held.slice(0, end);
      held = held.slice(end);
      readAt = held.length + Math.max(1, held.length >> 3);
      return end === 0 ? [] : take(ended, false);
    },
    end: (): CitedPart[] => (held.length > MAX_HELD ? [] : take(held, true)),
  };
}

/** Returns where the last block begins. Later text may continue this block. */
function endOfBlocks(text: string): number {
  const { closed, open } = readFences(text);
  const gaps = Array.from(text.slice(0, open).matchAll(GAP), ({ 0: { length }, index }) => index + length);
  return gaps.findLast((at) => closed.every(({ start, end }) => at <= start || at >= end)) ?? 0;
}
