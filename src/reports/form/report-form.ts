import type { Labels } from "../labels.ts";

/**
 * A report as every format shows it: which words stand where, and no markup. All texts are clean (see `cleanText`). What a
 * format leaves out of it, it leaves out on purpose; what is not in here is in none.
 */
export interface ReportForm {
  /** `en` or `zh`: of the words that are ours. */
  readonly language: string;
  readonly labels: Labels;
  readonly title: string;
  /** Why there is no answer; empty where there is one. */
  readonly noAnswer: readonly string[];
  /** What could not be searched, called or read, where there is no answer; empty where there is one. */
  readonly notReached: readonly string[];
  /** An answer that cites nothing, as it was said, by paragraphs; it has no sections. Empty for all other reports. */
  readonly said: readonly string[];
  readonly sections: readonly Section[];
  /** What of a planned question could not be answered, a sentence each. */
  readonly unanswered: readonly string[];
  /** Passages that may not answer the question; empty where there is an answer. */
  readonly closest: readonly QuotedPassage[];
  /** Says that sentences are missing at the end; null where none is. */
  readonly cutOff: string | null;
  readonly notes: readonly Note[];
  /** "Verified n/m"; null where there is nothing to verify. */
  readonly verified: string | null;
  /** What a model should have done and rules did. */
  readonly byRules: readonly string[];
  /** Those that are quoted, in the order of their first note. */
  readonly sources: readonly SourceLine[];
  readonly ledger: readonly LedgerRow[];
  /** Entries of the ledger that are not among the rows. */
  readonly ledgerLeftOut: number;
  /** Null while the run is under way. */
  readonly receipt: Receipt | null;
}

export interface Section {
  /** Empty where the sentences stand under no subtopic. */
  readonly heading: string;
  readonly sentences: readonly Sentence[];
}

export interface Sentence {
  readonly text: string;
  readonly supported: boolean;
  /** None where no quote bears the sentence out. */
  readonly marks: readonly Mark[];
  /** How many independent origins it has; empty where that is nothing to tell. */
  readonly origins: string;
}

/** A number in the text that leads to a note. */
interface Mark {
  readonly number: number;
  /** Whether the note quotes a work that no longer stands. */
  readonly retracted: boolean;
}

/** A quote and its place. */
export interface QuotedPassage {
  readonly quote: string;
  readonly source: SourceLine;
  /** The first digits of the document's hash and the offsets, as in `aaaaaaaaaaaa 3–34`. */
  readonly hash: string;
  readonly offsets: string;
}

/** What a number in the text leads to. */
export interface Note extends QuotedPassage {
  readonly number: number;
}

export interface SourceLine {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly retracted: boolean;
  /** Authors, venue, year and DOI, as far as they are known. */
  readonly details: readonly string[];
  /** An address as people write it. */
  readonly address: string;
  /** Where a reader may go, http or https, encoded; null for files of the corpus and whatever else is no link. */
  readonly href: string | null;
  /** The numbers of its notes. */
  readonly notes: readonly number[];
}

export interface LedgerRow {
  readonly what: string;
  readonly place: string;
  readonly outcome: string;
  readonly failed: boolean;
  readonly ms: string;
}

/** What the run took and how it ended. */
export interface Receipt {
  readonly rows: readonly (readonly [name: string, value: string])[];
  /** By model; empty where none was asked. */
  readonly models: readonly (readonly string[])[];
}

type Noted = Pick<ReportForm, "sections" | "notes">;

/**
 * Whether the notes are numbered from 1 in the order in which the text first refers to them. Formats whose readers number footnotes by
 * themselves show other numbers where they are not.
 */
export function isInOrder(form: Noted): boolean {
  return [...referred(form)].every((number, index) => number === index + 1);
}

/** The notes that no sentence refers to. */
export function unreferred(form: Noted): readonly Note[] {
  const numbers = referred(form);
  return form.notes.filter(({ number }) => !numbers.has(number));
}

/** The numbers of the notes that sentences refer to, in the order of the text. */
function referred({ sections, notes }: Noted): ReadonlySet<number> {
  const known = new Set(notes.map(({ number }) => number));
  const numbers = sections.flatMap(({ sentences }) => sentences.flatMap(({ marks }) => marks.map(({ number }) => number)));
  return new Set(numbers.filter((number) => known.has(number)));
}
