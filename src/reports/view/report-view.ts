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
  /** What reports of earlier versions have in place of `missing`. */
  readonly unanswered: readonly string[];
  readonly closest: readonly QuotedPassage[];
  readonly notes: readonly Note[];
  readonly sources: readonly SourceLine[];
  readonly ledger: readonly LedgerRow[];
  readonly ledgerLeftOut: number;
  readonly struck: readonly (readonly [sentence: string, why: string])[];
  readonly places: readonly Places[];
  /** Null while the run is in progress. */
  readonly receipt: Receipt | null;
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

/** Where quotes stand in the text of one document. */
export interface Places {
  /** The first digits of the SHA-256 of the text. */
  readonly hash: string;
  /** Such as `[1] 120–164`, in UTF-16 code units; without a number for a closest passage. */
  readonly spans: readonly string[];
}

export interface LedgerRow {
  readonly what: string;
  readonly place: string;
  readonly outcome: string;
}

export interface Receipt {
  readonly rows: readonly (readonly [name: string, value: string])[];
  readonly models: readonly (readonly string[])[];
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
