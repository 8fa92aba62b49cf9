import { type Lists, listAt, SENTENCE_IS, type Strings, type TextAnalysis } from "../domain/analysis.ts";
import type { Block, ExtractedDocument } from "../domain/document.ts";
import { cutLongSpan, isGraphemeBoundary, type Span, splitSentences, trimSpan } from "./sentences.ts";
import { sampleWords } from "./text-copies.ts";
import { tokenize } from "./tokenize.ts";

/** Increase it if equal texts give other analyses than before, so that stored analyses are made again. */
export const ANALYSIS_VERSION = 4;

/** In UTF-16 code units. Longer sentences and rows are cut. */
const MAX_LENGTH = 600;
const MAX_CAPTION = 120;
const COMPLETE = /[.。!！?？]\s*$/;
const QUESTION_END = /[?？؟]["'”’」』»)）\]*_\s]*$/;
const NAVIGATION = /\s[|›»·•>/→]\s/g;
const MIN_NAVIGATION_MARKS = 3;

/** Cuts a text into sentences and terms. Equal input gives equal results. Takes linear time. */
export function analyzeText({ text, blocks }: Pick<ExtractedDocument, "text" | "blocks">): TextAnalysis {
  const analyzer = new Analyzer(text);
  for (const [index, block] of blocksOf({ text, blocks }).entries()) analyzer.add(block, index);
  return analyzer.finish();
}

/** Returns the blocks of a document. A document without blocks is one paragraph. */
export function blocksOf({ text, blocks }: Pick<ExtractedDocument, "text" | "blocks">): readonly Block[] {
  return blocks.length > 0 ? blocks : [{ kind: "paragraph", start: 0, end: text.length, level: 0 }];
}

class Analyzer {
  readonly #text: string;
  readonly #ids = new Map<string, number>();
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  readonly #blocks: number[] = [];
  readonly #sections: number[] = [];
  readonly #firstRows: number[] = [];
  readonly #flags: number[] = [];
  readonly #tokens: Uint32Array[] = [];
  readonly #headings: Uint32Array[] = [new Uint32Array()];
  readonly #parents: number[] = [-1];
  #open: { level: number; section: number }[] = [];
  #firstRow = -1;
  #last: { kind: Block["kind"]; section: number } | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  add({ kind, level, ...block }: Block, index: number): void {
    const whole = { start: block.start, end: Math.min(block.end, this.#text.length) };
    // A block that begins or ends inside a character cannot be quoted faithfully.
    if (!isGraphemeBoundary(this.#text, whole.start) || !isGraphemeBoundary(this.#text, whole.end)) return;
    const span = trimSpan(this.#text, whole);
    if (kind === "heading") this.#openSection(level, this.#termsOf(span));
    if (kind !== "table-row" || level === 1) this.#firstRow = -1;
    const first = this.#starts.length;
    const pieces = cutBlock(this.#text, span, kind);
    const isFirstRow = kind === "table-row" && this.#firstRow < 0 && pieces.length > 0;
    const captioned = isFirstRow && this.#isCaption(first - 1) ? SENTENCE_IS.captioned : 0;
    for (const piece of pieces) this.#push(piece, kind, index);
    if (isFirstRow) {
      this.#firstRow = first;
      this.#flags[first] = (this.#flags[first] ?? 0) | captioned;
    }
    if (pieces.length > 0) this.#last = { kind, section: this.#headings.length - 1 };
  }

  finish(): TextAnalysis {
    const terms = [...this.#ids.keys()].sort();
    const sortedIds = new Uint32Array(terms.length);
    for (const [id, term] of terms.entries()) sortedIds[this.#ids.get(term) ?? 0] = id;
    const renumber = (lists: readonly Uint32Array[]): Lists => toLists(lists, sortedIds);
    const tokens = renumber(this.#tokens);
    return {
      terms: toStrings(terms),
      starts: Uint32Array.from(this.#starts),
      ends: Uint32Array.from(this.#ends),
      blocks: Uint32Array.from(this.#blocks),
      sections: Uint32Array.from(this.#sections),
      firstRows: Int32Array.from(this.#firstRows),
      flags: Uint8Array.from(this.#flags),
      tokens,
      holders: holdersOf(tokens, terms.length),
      headings: renumber(this.#headings),
      parents: Int32Array.from(this.#parents),
      words: sampleWords(this.#text),
    };
  }

  #openSection(level: number, terms: readonly number[]): void {
    const above = this.#open.filter((heading) => heading.level < level);
    this.#parents.push(above.at(-1)?.section ?? -1);
    this.#open = [...above, { level, section: this.#headings.length }];
    this.#headings.push(Uint32Array.from(new Set(terms)));
  }

  #push(span: Span, kind: Block["kind"], block: number): void {
    const terms = this.#termsOf(span);
    this.#starts.push(span.start);
    this.#ends.push(span.end);
    this.#blocks.push(block);
    this.#sections.push(this.#headings.length - 1);
    this.#firstRows.push(this.#firstRow);
    this.#flags.push(quotingFlags(this.#text.slice(span.start, span.end), kind, new Set(terms).size));
    this.#tokens.push(Uint32Array.from(terms));
    if (this.#firstRow >= 0) this.#flags[this.#firstRow] = (this.#flags[this.#firstRow] ?? 0) | SENTENCE_IS.firstRow;
  }

  #termsOf({ start, end }: Span): number[] {
    return tokenize(this.#text.slice(start, end)).map((term) => {
      const known = this.#ids.get(term);
      if (known === undefined) this.#ids.set(term, this.#ids.size);
      return known ?? this.#ids.size - 1;
    });
  }

  /** Whether a sentence is a short line of the current section, such as the unit of the table after it. */
  #isCaption(sentence: number): boolean {
    const [start = 0, end = 0] = [this.#starts[sentence], this.#ends[sentence]];
    if (this.#last?.kind !== "paragraph" || this.#last.section !== this.#headings.length - 1 || end - start > MAX_CAPTION) return false;
    return !COMPLETE.test(this.#text.slice(start, end));
  }
}

function cutBlock(text: string, span: Span, kind: Block["kind"]): Span[] {
  if (span.end <= span.start) return [];
  const wholes = kind === "table-row" ? [span] : splitSentences(text, span.start, span.end);
  return wholes.flatMap((whole) => cutLongSpan(text, whole, MAX_LENGTH));
}

/** A quote needs two terms, an item of a list only one. Headings, questions, code and menus cannot be quoted. */
function quotingFlags(text: string, kind: Block["kind"], termCount: number): number {
  if (kind === "heading" || kind === "code" || termCount === 0 || QUESTION_END.test(text)) return 0;
  const isMenu = kind !== "table-row" && !/[.。!！]/.test(text) && (text.match(NAVIGATION)?.length ?? 0) >= MIN_NAVIGATION_MARKS;
  if (isMenu) return 0;
  return SENTENCE_IS.quotableBeside | (termCount > 1 || kind === "list-item" ? SENTENCE_IS.quotable : 0);
}

function toLists(lists: readonly Uint32Array[], sortedIds: Uint32Array): Lists {
  const offsets = new Uint32Array(lists.length + 1);
  for (const [i, { length }] of lists.entries()) offsets[i + 1] = (offsets[i] ?? 0) + length;
  const values = new Uint32Array(offsets.at(-1) ?? 0);
  for (const [i, list] of lists.entries())
    values.set(
      list.map((id) => sortedIds[id] ?? 0),
      offsets[i],
    );
  return { offsets, values };
}

/** Lists for each term the sentences that contain it. A million terms, as of a Chinese text, would take 100 MB as arrays. */
function holdersOf(tokens: Lists, termCount: number): Lists {
  const offsets = new Uint32Array(termCount + 1);
  for (const [, id] of distinctTokens(tokens)) offsets[id + 1] = (offsets[id + 1] ?? 0) + 1;
  for (let id = 0; id < termCount; id += 1) offsets[id + 1] = (offsets[id + 1] ?? 0) + (offsets[id] ?? 0);
  const values = new Uint32Array(offsets.at(-1) ?? 0);
  const next = offsets.slice();
  for (const [sentence, id] of distinctTokens(tokens)) {
    values[next[id] ?? 0] = sentence;
    next[id] = (next[id] ?? 0) + 1;
  }
  return { offsets, values };
}

/** Yields the distinct terms of each sentence, with the sentence. */
function* distinctTokens(tokens: Lists): Generator<readonly [sentence: number, id: number]> {
  for (let sentence = 0; sentence + 1 < tokens.offsets.length; sentence += 1)
    for (const id of new Set(listAt(tokens, sentence))) yield [sentence, id];
}

function toStrings(strings: readonly string[]): Strings {
  const offsets = new Uint32Array(strings.length + 1);
  for (const [i, { length }] of strings.entries()) offsets[i + 1] = (offsets[i] ?? 0) + length;
  return { offsets, text: strings.join("") };
}
