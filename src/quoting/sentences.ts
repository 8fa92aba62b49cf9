import { type AnalyzedDocument, listAt, rowsAbove, SENTENCE_IS, stringAt, termId } from "../domain/analysis.ts";
import type { Block } from "../domain/document.ts";
import type { Reading } from "../domain/ports/analyst.ts";
import { blocksOf } from "../ranking/analyze-text.ts";
import type { Span } from "../ranking/sentences.ts";
import { tokenize } from "../ranking/tokenize.ts";

/** A document and its place among all sentences. */
export interface ReadText {
  readonly reading: Reading;
  readonly document: AnalyzedDocument;
  readonly blocks: readonly Block[];
  readonly titleTerms: ReadonlySet<string>;
  /** The index of the first sentence. */
  readonly first: number;
}

export interface Sentence extends Span {
  readonly index: number;
  readonly of: ReadText;
  readonly section: number;
  readonly kind: Block["kind"];
  readonly flags: number;
  /** The indexes of the sentences that belong to it if it is a row of a table, see `rowsAbove`. */
  readonly above: readonly number[];
}

/** The sentences of several documents, one document after another. Of documents with equal texts, only the first one counts. */
export class Sentences {
  readonly texts: readonly ReadText[];
  readonly length: number;

  constructor(readings: readonly Reading[]) {
    const texts: ReadText[] = [];
    let first = 0;
    const distinct = new Map(readings.toReversed().map((reading) => [reading.document.contentHash, reading]));
    for (const reading of readings.filter((one) => distinct.get(one.document.contentHash) === one)) {
      const { document, hit } = reading;
      const titleTerms = new Set(tokenize(document.title || hit.title));
      texts.push({ reading, document, blocks: blocksOf(document), titleTerms, first });
      first += document.analysis.starts.length;
    }
    this.texts = texts;
    this.length = first;
  }

  at(index: number): Sentence | undefined {
    const of = this.textAt(index);
    return of && sentenceOf(of, index);
  }

  /** Returns the text that the sentence with this index stands in. */
  textAt(index: number): ReadText | undefined {
    return index >= this.length ? undefined : this.texts.findLast(({ first }) => first <= index);
  }

  slice(from: number, to: number): Sentence[] {
    return Array.from({ length: to - from }, (_, i) => this.at(from + i)).filter((sentence) => sentence !== undefined);
  }
}

function sentenceOf(of: ReadText, index: number): Sentence {
  const { analysis } = of.document;
  const at = index - of.first;
  return {
    index,
    of,
    start: analysis.starts[at] ?? 0,
    end: analysis.ends[at] ?? 0,
    section: analysis.sections[at] ?? 0,
    kind: of.blocks[analysis.blocks[at] ?? 0]?.kind ?? "paragraph",
    flags: analysis.flags[at] ?? 0,
    above: rowsAbove(analysis, at).map((row) => of.first + row),
  };
}

export function isIn(text: ReadText, term: string): boolean {
  return text.titleTerms.has(term) || termId(text.document.analysis, term) >= 0;
}

export function termsOf({ of, index }: Sentence): Set<string> {
  const { terms, tokens } = of.document.analysis;
  return new Set(Array.from(listAt(tokens, index - of.first), (id) => stringAt(terms, id)));
}

export function textOf({ of, start, end }: Sentence): string {
  return of.document.text.slice(start, end);
}

export function isQuotable({ flags }: Sentence): boolean {
  return (flags & SENTENCE_IS.quotable) !== 0;
}

export function isQuotableBeside({ flags }: Sentence): boolean {
  return (flags & SENTENCE_IS.quotableBeside) !== 0;
}
