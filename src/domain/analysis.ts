import type { StoredDocument } from "./document.ts";

/** Lists in one array. List `i` is `values` from `offsets[i]` to `offsets[i + 1]`. */
export interface Lists {
  readonly offsets: Uint32Array;
  readonly values: Uint32Array;
}

/** Distinct strings in one. String `i` is `text` from `offsets[i]` to `offsets[i + 1]`. A million strings of their own would take 40 MB. */
export interface Strings {
  readonly offsets: Uint32Array;
  readonly text: string;
}

/** The words of the beginning of a text, for finding copies, as 32-bit hashes. All lists but `runs` are sorted and distinct. */
export interface SampledWords {
  /** The number of terms. */
  readonly length: number;
  /** The number of words, see `wordCountOf`. */
  readonly size: number;
  readonly hasUnspaced: boolean;
  readonly runLength: number;
  /** The runs of `runLength` terms in reading order. */
  readonly runs: Uint32Array;
  readonly shingles: Uint32Array;
  readonly numbers: Uint32Array;
  readonly names: Uint32Array;
  readonly terms: Uint32Array;
  /** How often each of `terms` occurs. */
  readonly counts: Uint32Array;
}

/** The sentences and terms of a text. A sentence is an index into the arrays of sentences; a term is an index into `terms`. */
export interface TextAnalysis {
  /** The distinct terms of all sentences, sorted by UTF-16 code units. */
  readonly terms: Strings;
  /** UTF-16 offsets of each sentence; ends are exclusive. */
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** The block of each sentence; 0 if the document has no blocks. */
  readonly blocks: Uint32Array;
  /** The section of each sentence. A heading begins a section. */
  readonly sections: Uint32Array;
  /** The first row of the table of each sentence; -1 if it is no row or in the first row. */
  readonly firstRows: Int32Array;
  /** Bits, see `SENTENCE_IS`. */
  readonly flags: Uint8Array;
  /** The terms of each sentence in reading order, repeats included. */
  readonly tokens: Lists;
  /** The sentences with each term, ascending. */
  readonly holders: Lists;
  /** The distinct terms of the heading of each section, and the section around it; -1 if there is none. */
  readonly headings: Lists;
  readonly parents: Int32Array;
  readonly words: SampledWords;
}

/** The bits of `TextAnalysis.flags`. */
export const SENTENCE_IS = {
  /** The sentence can be quoted alone. */
  quotable: 1,
  /** The sentence can be quoted together with its neighbors. */
  quotableBeside: 2,
  /** The sentence is a table's first row, and other rows follow. */
  firstRow: 4,
  /** The sentence is a table's first row, and the sentence before it is the table's caption. */
  captioned: 8,
} as const;

export interface AnalyzedDocument extends StoredDocument {
  readonly analysis: TextAnalysis;
}

/** Returns the sentences that belong to a row of a table: the caption, often with the unit, and the first row. Empty for other sentences. */
export function rowsAbove({ firstRows, flags }: TextAnalysis, sentence: number): readonly number[] {
  const row = firstRows[sentence] ?? -1;
  if (row < 0) return NONE;
  const isCaptioned = ((flags[row] ?? 0) & SENTENCE_IS.captioned) !== 0;
  return isCaptioned ? [row - 1, row] : [row];
}

const NONE: readonly number[] = [];

/** Returns the id of a term, its index in `terms`; -1 if no sentence contains it. */
export function termId({ terms }: Pick<TextAnalysis, "terms">, term: string): number {
  const count = terms.offsets.length - 1;
  let [from, to] = [0, count];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (stringAt(terms, middle) < term) from = middle + 1;
    else to = middle;
  }
  return from < count && stringAt(terms, from) === term ? from : -1;
}

export function stringAt({ offsets, text }: Strings, index: number): string {
  return text.slice(offsets[index], offsets[index + 1]);
}

export function listAt({ offsets, values }: Lists, index: number): Uint32Array {
  return values.subarray(offsets[index], offsets[index + 1]);
}
