import { setImmediate } from "node:timers/promises";
import type { Block } from "../../domain/document.ts";
import type { Reading } from "../../domain/ports/analyst.ts";
import { cutLongSpan, isGraphemeBoundary, type Span, splitSentences, trimSpan } from "../../ranking/sentences.ts";
import { tokenize } from "../../ranking/tokenize.ts";

export interface Section {
  readonly reading: Reading;
  readonly headingTerms: ReadonlySet<string>;
  readonly titleTerms: ReadonlySet<string>;
}

export interface Sentence extends Span {
  readonly section: Section;
  readonly kind: Block["kind"];
  readonly terms: ReadonlySet<string>;
  /** The caption before the table and the first row. Empty for sentences that are no table rows. */
  readonly above: readonly Sentence[];
}

/** In UTF-16 code units. Longer sentences and rows are cut. */
const MAX_LENGTH = 600;
const MAX_CAPTION = 120;
const COMPLETE = /[.。!！?？]\s*$/;
const QUESTION_END = /[?？؟]["'”’」』»)）\]*_\s]*$/;
const NAVIGATION = /\s[|›»·•>/→]\s/g;
const MIN_NAVIGATION_MARKS = 3;
const CHARACTERS_PER_TURN = 100_000;

export async function collectSentences(readings: readonly Reading[], signal?: AbortSignal): Promise<Sentence[]> {
  const sentences: Sentence[] = [];
  const seen = new Set<string>();
  let characters = 0;
  for (const reading of readings) {
    const { blocks, text, contentHash } = reading.document;
    if (seen.has(contentHash)) continue;
    seen.add(contentHash);
    const cutter = new BlockCutter(reading);
    const whole: Block = { kind: "paragraph", start: 0, end: text.length, level: 0 };
    for (const block of blocks.length > 0 ? blocks : [whole]) {
      for (const sentence of cutter.cut(block)) sentences.push(sentence);
      characters += block.end - block.start;
      if (characters < CHARACTERS_PER_TURN) continue;
      characters = 0;
      await setImmediate(undefined, { signal });
    }
  }
  return sentences;
}

export function textOf({ section, start, end }: Sentence): string {
  return section.reading.document.text.slice(start, end);
}

export function isQuotable(sentence: Sentence): boolean {
  return (sentence.terms.size > 1 || sentence.kind === "list-item") && isQuotableBeside(sentence);
}

export function isQuotableBeside(sentence: Sentence): boolean {
  if (sentence.kind === "heading" || sentence.kind === "code" || sentence.terms.size === 0) return false;
  const text = textOf(sentence);
  if (QUESTION_END.test(text)) return false;
  return sentence.kind === "table-row" || /[.。!！]/.test(text) || (text.match(NAVIGATION)?.length ?? 0) < MIN_NAVIGATION_MARKS;
}

class BlockCutter {
  readonly #reading: Reading;
  readonly #titleTerms: ReadonlySet<string>;
  #headings: { level: number; terms: readonly string[] }[] = [];
  #section: Section;
  #table: Sentence[] = [];
  #last: Sentence | null = null;

  constructor(reading: Reading) {
    this.#reading = reading;
    this.#titleTerms = new Set(tokenize(reading.document.title || reading.hit.title));
    this.#section = this.#openSection();
  }

  cut({ kind, level, ...block }: Block): Sentence[] {
    const { text } = this.#reading.document;
    const whole = { start: block.start, end: Math.min(block.end, text.length) };
    // A block that begins or ends inside a character cannot be quoted word for word.
    if (!isGraphemeBoundary(text, whole.start) || !isGraphemeBoundary(text, whole.end)) return [];
    const span = trimSpan(text, whole);
    if (kind === "heading") {
      const terms = tokenize(text.slice(span.start, span.end));
      this.#headings = [...this.#headings.filter((above) => above.level < level), { level, terms }];
      this.#section = this.#openSection();
    }
    if (kind !== "table-row" || level === 1) this.#table = [];
    const sentences = cutBlock(text, span, kind).map((piece) => this.#sentence(piece, kind));
    const [first] = sentences;
    if (kind === "table-row" && this.#table.length === 0 && first !== undefined) this.#table = [...this.#caption(first), first];
    this.#last = sentences.at(-1) ?? this.#last;
    return sentences;
  }

  #sentence(span: Span, kind: Block["kind"]): Sentence {
    const { text } = this.#reading.document;
    const terms = new Set(tokenize(text.slice(span.start, span.end)));
    return { ...span, section: this.#section, kind, terms, above: this.#table };
  }

  #caption(row: Sentence): Sentence[] {
    const last = this.#last;
    const isShort = last?.section === row.section && last.kind === "paragraph" && last.end - last.start <= MAX_CAPTION;
    return isShort && !COMPLETE.test(textOf(last)) ? [last] : [];
  }

  #openSection(): Section {
    const headingTerms = new Set(this.#headings.flatMap(({ terms }) => terms));
    return { reading: this.#reading, headingTerms, titleTerms: this.#titleTerms };
  }
}

function cutBlock(text: string, span: Span, kind: Block["kind"]): Span[] {
  if (span.end <= span.start) return [];
  const wholes = kind === "table-row" ? [span] : splitSentences(text, span.start, span.end);
  return wholes.flatMap((whole) => cutLongSpan(text, whole, MAX_LENGTH));
}
