import { CELL_SEPARATOR } from "../../domain/blocks.ts";
import type { LongWork } from "../../util/turns.ts";
import type { Located, Marker } from "../citation-markers.ts";
import type { CitedBlock } from "../cited-blocks.ts";
import type { CitedSentence } from "../cited-sentences.ts";
import { hasFigures } from "../figures/check-figures.ts";
import {
  isFalse,
  type Judgement,
  judgeClaim,
  judgeLabel,
  judgeSummary,
  type Known,
  type ReadSummed,
  readSummed,
  textWithUnits,
} from "./judge.ts";
import { nearbyText } from "./quote-texts.ts";

/** `judgement` is null while what the sentence may sum up is not read. `head` is the head of the table of a row. */
export interface JudgedSentence {
  readonly sentence: CitedSentence;
  readonly head: readonly string[] | undefined;
  readonly located: readonly Located[];
  judgement: Judgement | null;
}

/** `label` is the judgement of a heading or the head of a table. It is null without figures. */
export interface JudgedBlock {
  readonly block: CitedBlock;
  readonly sentences: readonly JudgedSentence[];
  label: Judgement | null;
}

/** A part of a report that ends before the next heading of its level or a higher one. */
export interface JudgedSection {
  readonly blocks: readonly JudgedBlock[];
  /** Blocks that sum up the whole report. They are judged by `judgeRest`. */
  readonly rest: readonly JudgedBlock[];
}

const MAX_WORDS = 120;

/** Judges the sections of a report in order: first the sentences with citations, then those that sum them up. */
export class SectionJudge {
  readonly #known: Known;
  /** What the whole report has so far. */
  readonly #texts: string[] = [];
  readonly #quotes: string[] = [];
  readonly #documents = new Map<string, string>();

  constructor(known: Known) {
    this.#known = known;
  }

  /** The lead and the end of a report sum up the whole of it. So does the text below a title, which is a heading of level 1 at the beginning. */
  *judge(
    read: readonly CitedBlock[],
    { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
  ): LongWork<JudgedSection> {
    const blocks: JudgedBlock[] = [];
    for (const block of read) blocks.push(yield* this.#judgeCited(block));
    const scopes = scopesOf(read);
    const isTitled = isFirst && read[0]?.kind === "heading" && read[0].level === 1;
    const end = blocks.findLastIndex(({ sentences }) => sentences.length > 0);
    const onlySumsUp = blocks.every(({ sentences }) => !sentences.some(isChecked));
    const rest: JudgedBlock[] = [];
    const summed = new Map<number, ReadSummed>();
    for (const [i, block] of blocks.entries()) {
      const scope = scopes[i] ?? { heading: -1, end: 0 };
      const isWhole = scope.heading < 0 || (isTitled && scope.heading === 0) || (isLast && (i === end || onlySumsUp));
      yield;
      if (isWhole) rest.push(block);
      else if (needsRest(block)) {
        const found = summed.get(scope.heading) ?? this.#summedIn(blocks.slice(scope.heading, scope.end));
        summed.set(scope.heading, found);
        yield* this.#judgeSummaries(block, found);
      }
    }
    return { blocks, rest };
  }

  /** Judges what sums up the whole report. All sections before must have been judged. */
  *judgeRest({ rest }: JudgedSection): LongWork<void> {
    if (!rest.some(needsRest)) return;
    const summed = readSummed({ texts: this.#texts, quotes: this.#quotes, documents: [...this.#documents.values()] }, this.#known);
    for (const block of rest) yield* this.#judgeSummaries(block, summed);
  }

  *#judgeCited(block: CitedBlock): LongWork<JudgedBlock> {
    const head = block.kind === "table" ? block.head : undefined;
    const sentences: JudgedSentence[] = [];
    for (const sentence of sentencesIn(block)) {
      const located = sentence.markers.flatMap(({ found }) => found);
      const judged = { sentence, head, located, judgement: judgeMarkers(sentence, located, head, this.#known) };
      sentences.push(judged);
      this.#texts.push(...textsOf(judged));
      this.#quotes.push(...quotesOf(judged));
      addDocuments(judged, this.#documents);
      yield;
    }
    return { block, sentences, label: null };
  }

  #summedIn(blocks: readonly JudgedBlock[]): ReadSummed {
    const sentences = blocks.flatMap((block) => block.sentences);
    const documents = new Map<string, string>();
    for (const one of sentences) addDocuments(one, documents);
    return readSummed(
      { texts: sentences.flatMap(textsOf), quotes: sentences.flatMap(quotesOf), documents: [...documents.values()] },
      this.#known,
    );
  }

  *#judgeSummaries(judged: JudgedBlock, summed: ReadSummed): LongWork<void> {
    const { block, sentences } = judged;
    for (const one of sentences) {
      one.judgement ??= judgeSummary({ text: one.sentence.text, head: one.head }, summed, this.#known);
      yield;
    }
    const label = labelOf(block);
    if (label === null) return;
    const located = label.markers.flatMap(({ found }) => found);
    const quotes = [...located.map(({ evidence, start, end }) => evidence.text.slice(start, end)), ...sentences.flatMap(quotesOf)];
    judged.label = inventedIn(label.markers) ?? judgeLabel(label.text, summed, quotes, this.#known);
  }
}

/** Whether the block sums up something, so that what it sums up must be read first. */
export function needsRest({ block, sentences }: JudgedBlock): boolean {
  const label = labelOf(block);
  return sentences.some(({ judgement }) => judgement === null) || (label !== null && (label.markers.length > 0 || hasFigures(label.text)));
}

function labelOf(block: CitedBlock): { readonly text: string; readonly markers: readonly Marker[] } | null {
  if (block.kind !== "heading" && block.kind !== "table") return null;
  return { text: block.kind === "heading" ? block.text : block.head.join(CELL_SEPARATOR), markers: block.markers };
}

function sentencesIn(block: CitedBlock): readonly CitedSentence[] {
  if (block.kind === "heading") return [];
  return block.kind === "list" ? block.items.flatMap(({ sentences }) => sentences) : block.sentences;
}

function isChecked({ judgement }: JudgedSentence): boolean {
  return judgement !== null && judgement.why === null && judgement.support !== "summary";
}

function textsOf(judged: JudgedSentence): string[] {
  return isChecked(judged) ? [textWithUnits(judged.sentence.text, judged.head)] : [];
}

/** The quotes of a checked sentence, and the titles of what it quotes. */
function quotesOf(judged: JudgedSentence): string[] {
  if (!isChecked(judged)) return [];
  return judged.located.flatMap(({ evidence: { text, title }, start, end }) => [text.slice(start, end), title ?? ""]);
}

const MAX_DOCUMENTS = 10;

/** Adds the text around the first quote of each document. */
function addDocuments({ located }: JudgedSentence, into: Map<string, string>): void {
  for (const { evidence, start, end } of located)
    if (into.size < MAX_DOCUMENTS && !into.has(evidence.contentHash))
      into.set(evidence.contentHash, nearbyText({ ...evidence, start, end }));
}

/** Judges a sentence by its citations. Returns null if it has none. */
function judgeMarkers(
  { text, markers }: CitedSentence,
  located: readonly Located[],
  head: readonly string[] | undefined,
  known: Known,
): Judgement | null {
  const invented = inventedIn(markers);
  if (located.length === 0) {
    const unquoted = markers.some(({ faults }) => faults.length > 0);
    return invented ?? (unquoted ? { support: "unverified", why: { reason: "no_quote", words: "" }, expression: null } : null);
  }
  const places = located.map(({ evidence: { text: whole, contentHash, title }, start, end, written }) => ({
    text: whole,
    contentHash,
    title,
    start,
    end,
    written,
  }));
  const expressions = markers.flatMap(({ expression }) => expression ?? []);
  const judgement = judgeClaim({ text, head, expressions }, places, known);
  // A sentence stays if its other quotes say it in its words, or if its value is calculated from them.
  const isSure =
    judgement.support === "quoted" || judgement.support === "computed" || (judgement.why !== null && isFalse(judgement.why.reason));
  return isSure ? judgement : (invented ?? judgement);
}

function inventedIn(markers: readonly Marker[]): Judgement | null {
  for (const { faults, written } of markers) {
    const reason = faults.find((fault) => fault !== "no_quote");
    if (reason !== undefined)
      return { support: "unverified", why: { reason, words: written.slice(0, MAX_WORDS).toWellFormed() }, expression: null };
  }
  return null;
}

/** The innermost heading of each block, or -1, and the end of its section. */
function scopesOf(blocks: readonly CitedBlock[]): { readonly heading: number; readonly end: number }[] {
  const ends = new Map<number, number>();
  const open: { readonly level: number; readonly at: number }[] = [];
  const headings = blocks.map((block, at) => {
    if (block.kind === "heading") {
      while (open.length > 0 && (open.at(-1)?.level ?? 0) >= block.level) ends.set(open.pop()?.at ?? -1, at);
      open.push({ level: block.level, at });
    }
    return open.at(-1)?.at ?? -1;
  });
  return headings.map((heading) => ({ heading, end: ends.get(heading) ?? blocks.length }));
}
