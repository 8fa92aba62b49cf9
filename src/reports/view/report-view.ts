import type { Labels } from "../labels.ts";
import type { BlockView, HeadingView, Sentence } from "./block-view.ts";
import type { SourceLine } from "./source-line.ts";

/** The content of a report for every file format. `cleanText` has cleaned all texts. */
export interface ReportView {
  readonly language: "en" | "zh";
  readonly labels: Labels;
  /** Name and version of the program that writes the file; empty while the run is in progress. */
  readonly program: string;
  readonly title: string;
  /** When the run ended and how many sources are quoted; null while the run is in progress. */
  readonly dated: string | null;
  /**
   * Lines below the lead: whether the report answers the question and what is missing, how many sentences have which support, how many were
   * left out and why, and what a model failed to do.
   */
  readonly standing: readonly string[];
  readonly noAnswer: readonly string[];
  /** Lists of what was not read: files, each with the reason and what to do, and without an answer what else failed. */
  readonly notReached: readonly { readonly title: string; readonly lines: readonly string[] }[];
  /** An answer without citations and blocks has these paragraphs instead of `blocks`. */
  readonly uncitedParagraphs: readonly string[];
  readonly blocks: readonly BlockView[];
  /** How many of the first blocks stand before the lines of `standing`: the lead, or the first section of a report without one; 0 for a report of quotes only. */
  readonly leadLength: number;
  /** The headings of a long report, of the two highest levels; empty for a short one. */
  readonly contents: readonly HeadingView[];
  readonly closest: readonly QuotedPassage[];
  readonly notes: readonly Note[];
  readonly sources: readonly SourceLine[];
  /** The id of the run; empty while it is in progress. */
  readonly run: string;
  /** Where it looked; of a run that has ended also the sentences left out, the places of the quotes, and the receipt. */
  readonly appendix: readonly AppendixPart[];
}

export interface QuotedPassage {
  readonly quote: string;
  readonly source: SourceLine;
}

export interface Note extends QuotedPassage {
  readonly number: number;
  /** Whether a sentence of the report is or contains the quote, so that the note need not repeat it. */
  readonly isInText: boolean;
  /** The calculations of computed sentences whose first quote this is. */
  readonly calculations: readonly string[];
}

/** Its tables stand before its lines. */
export interface AppendixPart {
  readonly title: string;
  readonly tables: readonly AppendixTable[];
  readonly lines: readonly string[];
}

export interface AppendixTable {
  /** Empty for a table of names and values. */
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The width of each column as a share of 1. */
  readonly shares: readonly number[];
  /** Indices of columns of numbers. */
  readonly numbers: readonly number[];
}

/** Returns the sentences of a block, in order. */
export function sentencesIn(block: BlockView): readonly Sentence[] {
  if (block.kind === "heading" || block.kind === "code") return [];
  if (block.kind === "paragraph") return block.sentences;
  return block.kind === "table" ? block.rows.map(({ sentence }) => sentence) : block.items.flatMap(({ sentences }) => sentences);
}

type Noted = Pick<ReportView, "blocks" | "notes">;

/** Whether the notes are numbered in the order of first reference, as Word and Markdown renderers number footnotes. */
export function isInOrder(view: Noted): boolean {
  return [...referencedNumbers(view)].every((number, index) => number === index + 1);
}

export function unreferencedNotes(view: Noted): readonly Note[] {
  const numbers = referencedNumbers(view);
  return view.notes.filter(({ number }) => !numbers.has(number));
}

export function referencedNumbers({ blocks, notes }: Noted): ReadonlySet<number> {
  const known = new Set(notes.map(({ number }) => number));
  const numbers = blocks.flatMap(sentencesIn).flatMap(({ citations }) => citations.map(({ number }) => number));
  return new Set(numbers.filter((number) => known.has(number)));
}
