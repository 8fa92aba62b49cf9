import type { Block } from "../domain/blocks.ts";
import type { Citation, DraftClaim, StruckSentence } from "../domain/report.ts";
import { type MarkerContext, prefixOf } from "./citation-markers.ts";
import { type CitedBlock, levelOf, readBlocks } from "./cited-blocks.ts";
import { createKnownAddresses } from "./known-addresses.ts";
import { readFences } from "./markdown-blocks.ts";
import { createQuoteLocator, type Evidence } from "./quote-location.ts";
import { type CitationFault, type CitedPart, type ReadOptions, ReportReader } from "./report-reader.ts";
import { labelHasFigures } from "./support/judge-sum.ts";
import { splitSections } from "./support/report-sums.ts";

export type { CitationFault, CitedPart, ReadOptions };

export interface CitedText {
  /** The sentences that are shown, each with its support. */
  readonly claims: readonly DraftClaim[];
  /** One citation for each quoted passage, with ids from 1 in the order of first use. */
  readonly citations: readonly Citation[];
  /** The structure of the text. It has the indices of `claims`. */
  readonly blocks: readonly Block[];
  readonly struck: readonly StruckSentence[];
  /** Each fault once, in the order of the text. */
  readonly faults: readonly CitationFault[];
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
  const sections = splitSections(blocks, levelOf);
  for (const [i, section] of sections.entries()) reader.read(section, i === sections.length - 1);
  return { ...reader.result(), citations: reader.citations, text: unmarked, isCut: isCut || text.length < whole.length };
}

/** Whether no sentence of the block has to wait for what it sums up. Code never has to. */
function isCited(block: CitedBlock): boolean {
  if (block.kind === "heading" || block.kind === "table") {
    const words = block.kind === "heading" ? [block.text] : block.head;
    if (words.some(labelHasFigures)) return false;
  }
  const sentences = block.kind === "list" ? block.items.flatMap((item) => item.sentences) : "sentences" in block ? block.sentences : [];
  return sentences.every(({ markers }) => markers.length > 0);
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

/** In UTF-16 code units. A longer section ends the stream. */
const MAX_HELD = 6_000;
/** Quotes and struck-through text never reach over an empty line. */
const EMPTY_LINE = /(?:^|\n)[^\S\n]*\n[^\S\n]*$/;

/** Returns the text in order, each block once it is complete and judged: uncited sentences wait for their section. Numbers are those of `readCitedText`. */
export function createCitedStream(evidence: ReadonlyMap<string, Evidence>, options: ReadOptions = {}) {
  const context = markerContext(evidence, options);
  const reader = new ReportReader(options, textsOf(evidence));
  let held = "";
  let length = 0;
  let readAt = 0;
  let isFirst = true;
  /** Whether the beginning of the section that is held was returned, of which the heading is still held. */
  let isOpen = false;
  const readSection = (blocks: readonly CitedBlock[], isLast: boolean): CitedPart[] => {
    const continues = isOpen;
    isOpen = false;
    return reader.read(continues && blocks[0]?.kind === "heading" ? blocks.slice(1) : blocks, isLast, continues);
  };
  const take = (): CitedPart[] => {
    const whole = held.slice(0, held.lastIndexOf("\n") + 1);
    const lines = whole.slice(0, readFences(whole).open);
    readAt = held.length + Math.max(1, held.length >> 3);
    const sections = splitSections(readBlocks(lines, context).blocks, levelOf, isFirst);
    const followsGap = (block: CitedBlock | undefined): boolean =>
      block !== undefined && EMPTY_LINE.test(lines.slice(Math.max(0, block.start - 64), block.start));
    const next = Math.max(
      0,
      sections.findLastIndex(([block]) => followsGap(block)),
    );
    const last = sections[next] ?? [];
    const hasHeading = last[0]?.kind === "heading";
    const waits = last.findIndex((block, index) => !isCited(block) || (index > 0 && block.kind === "heading"));
    const cited = waits < 0 ? last : last.slice(0, waits + 1);
    const until = cited.findLastIndex((block, index) => index > (hasHeading ? 1 : 0) && followsGap(block));
    if (next === 0 && until < 0) return [];
    const parts = sections.slice(0, next).flatMap((section) => readSection(section, false));
    const heading = hasHeading ? held.slice(last[0]?.start, last[1]?.start) : "";
    held = until < 0 ? held.slice(last[0]?.start) : heading + held.slice(last[until]?.start);
    readAt = 0;
    if (next > 0) isFirst = false;
    if (until < 0) return parts;
    parts.push(...readSection(last.slice(0, until), false));
    isOpen = true;
    return parts;
  };
  return {
    push: (piece: string): CitedPart[] => {
      const room = MAX_CITED_TEXT - length;
      held += piece.slice(0, Math.max(0, room));
      length += piece.length;
      return piece.includes("\n") && held.length >= readAt && held.length <= MAX_HELD ? take() : [];
    },
    end(): CitedPart[] {
      if (held.length > MAX_HELD) return [];
      const { blocks } = readBlocks(held.toWellFormed(), context);
      const sections = splitSections(blocks, levelOf, isFirst);
      return sections.flatMap((section, i) => readSection(section, i === sections.length - 1));
    },
  };
}
