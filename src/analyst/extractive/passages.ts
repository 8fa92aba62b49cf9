import { setImmediate } from "node:timers/promises";
import type { Block } from "../../domain/document.ts";
import type { Reading } from "../../domain/ports/analyst.ts";
import { cutLongSpan, isGraphemeBoundary, type Span, splitSentences, trimSpan } from "../../ranking/sentences.ts";
import { tokenise } from "../../ranking/tokenise.ts";
import { type Asked, QuestionFollower } from "./asked.ts";
import { guessBlocks } from "./guess-blocks.ts";

/** What stands above a sentence: the headings it belongs under. */
export interface Section {
  readonly reading: Reading;
  /** The nearest heading, or empty. */
  readonly heading: string;
  /** Terms of all headings above, nearest included. */
  readonly headingTerms: readonly string[];
  readonly titleTerms: readonly string[];
}

/** A piece of text that could stand in a report. */
export interface Sentence extends Span {
  readonly reading: Reading;
  readonly section: Section;
  readonly kind: Block["kind"];
  readonly terms: readonly string[];
  /** The sentence that introduces the list (or table) this is an item of. */
  readonly leadIn: Sentence | null;
  /** The first row of the table this is a later row of. */
  readonly header: Sentence | null;
  /** The question in the text that this is the answer to. */
  readonly asked: Asked<Sentence> | null;
}

/** Longer run-ons are cut at a clause; longer rows and lines are no quotes. */
const MAX_LENGTH = 600;
/** A short item is read as one thing; a long one is a paragraph with a bullet. */
const WHOLE_ITEM_LENGTH = 200;
/** Bullets, heading marks, quote marks and numbers at the start of a line. */
const MARKERS = /^(?:[-*+•·▪◦‣–]|#{1,6}|>+|\d{1,3}[.)])\s+/;
/** About the subject of a first sentence. */
const OPENING_LENGTH = 40;
/** Between two turns of the event loop. */
const CHARACTERS_PER_TURN = 100_000;

/** The sentences of all readings in order, each text once. Gives the event loop a turn now and then. */
export async function collectSentences(readings: readonly Reading[], signal?: AbortSignal): Promise<Sentence[]> {
  const seen = new Set<string>();
  const sentences: Sentence[] = [];
  let characters = 0;
  for (const reading of readings) {
    if (seen.has(reading.document.contentHash)) continue;
    seen.add(reading.document.contentHash);
    const cutter = new BlockCutter(reading);
    for (const block of blocksOf(reading)) {
      for (const sentence of cutter.cut(block)) sentences.push(sentence);
      characters += block.end - block.start;
      if (characters < CHARACTERS_PER_TURN) continue;
      characters = 0;
      await setImmediate(undefined, { signal });
    }
  }
  return sentences;
}

function blocksOf({ document }: Reading): readonly Block[] {
  return document.blocks.length > 0 ? document.blocks : guessBlocks(document.text);
}

/** Cuts the blocks of one document, in order, remembering what stands above and before. */
class BlockCutter {
  readonly #reading: Reading;
  readonly #titleTerms: readonly string[];
  #headings: { level: number; text: string }[] = [];
  #section: Section;
  #leadIn: Sentence | null = null;
  #header: Sentence | null = null;
  #follower = new QuestionFollower<Sentence>();

  constructor(reading: Reading) {
    this.#reading = reading;
    this.#titleTerms = tokenise(reading.document.title || reading.hit.title || opening(reading.document.text));
    this.#section = this.#openSection();
  }

  cut(block: Block): Sentence[] {
    const { text } = this.#reading.document;
    const whole = { start: block.start, end: Math.min(block.end, text.length) };
    // A block that begins or ends inside a character cannot be quoted faithfully.
    if (!isGraphemeBoundary(text, whole.start) || !isGraphemeBoundary(text, whole.end)) return [];
    const span = withoutMarker(text, trimSpan(text, whole));
    if (block.kind === "heading") {
      this.#enterHeading(block.level, text.slice(span.start, span.end));
      return [];
    }
    if (block.kind !== "list-item" && block.kind !== "table-row") this.#leadIn = null;
    const header = block.kind === "table-row" ? this.#header : null;
    this.#follower.enterBlock(block.kind);
    const sentences = pieces(text, span, block.kind).map((piece) => this.#sentence(piece, block.kind, header));
    this.#header = block.kind === "table-row" ? (this.#header ?? sentences[0] ?? null) : null;
    const last = sentences.at(-1);
    if (block.kind === "paragraph" && last && /[:：]$/.test(text.slice(last.start, last.end))) this.#leadIn = last;
    return sentences;
  }

  #sentence(span: Span, kind: Block["kind"], header: Sentence | null): Sentence {
    const text = this.#reading.document.text.slice(span.start, span.end);
    const terms = tokenise(text);
    const asked = this.#follower.questionBefore(text);
    const sentence: Sentence = {
      ...span,
      reading: this.#reading,
      section: this.#section,
      kind,
      terms,
      leadIn: this.#leadIn,
      header,
      asked,
    };
    this.#follower.pass(sentence, text);
    return sentence;
  }

  #enterHeading(level: number, heading: string): void {
    this.#headings = [...this.#headings.filter((above) => above.level < level), { level, text: heading }];
    this.#section = this.#openSection();
    this.#follower = new QuestionFollower();
    this.#leadIn = null;
    this.#header = null;
  }

  #openSection(): Section {
    return {
      reading: this.#reading,
      heading: this.#headings.at(-1)?.text ?? "",
      headingTerms: this.#headings.flatMap(({ text }) => tokenise(text)),
      titleTerms: this.#titleTerms,
    };
  }
}

/** The verbatim text of a sentence. */
export function textOf({ reading, start, end }: Sentence): string {
  return reading.document.text.slice(start, end);
}

/** What stands first in a text without a title most often names what it is about; the next sentence does not stand first. */
function opening(text: string): string {
  return text
    .trimStart()
    .slice(0, OPENING_LENGTH)
    .split(/\n|[。！？]|[.!?]\s/, 1)
    .join("");
}

/** The span without a list bullet, number, quote or heading mark that the extraction left in the text. */
function withoutMarker(text: string, span: Span): Span {
  const marker = MARKERS.exec(text.slice(span.start, Math.min(span.end, span.start + 12)));
  return marker ? trimSpan(text, { start: span.start + marker[0].length, end: span.end }) : span;
}

function pieces(text: string, span: Span, kind: Block["kind"]): Span[] {
  if (span.end <= span.start) return [];
  if (kind === "table-row") return span.end - span.start <= MAX_LENGTH ? [span] : [];
  if (kind === "code") return lines(text, span);
  if (kind === "list-item" && span.end - span.start <= WHOLE_ITEM_LENGTH) return [span];
  return splitSentences(text, span.start, span.end).flatMap((sentence) => cutLongSpan(text, sentence, MAX_LENGTH));
}

function lines(text: string, { start, end }: Span): Span[] {
  const found = text.slice(start, end).matchAll(/[^\r\n]+/g);
  return Array.from(found, (line) => trimSpan(text, { start: start + line.index, end: start + line.index + line[0].length })).filter(
    (line) => line.end > line.start && line.end - line.start <= MAX_LENGTH,
  );
}
