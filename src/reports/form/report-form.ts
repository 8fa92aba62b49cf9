import type { Labels } from "../labels.ts";

/** A report without markup. All texts are clean (see `cleanText`). */
export interface ReportForm {
  readonly language: string;
  readonly labels: Labels;
  readonly title: string;
  readonly noAnswer: readonly string[];
  /** Failed searches, calls and reads; empty if there is an answer. */
  readonly notReached: readonly string[];
  /** Paragraphs of an answer without citations, in place of sections. */
  readonly said: readonly string[];
  readonly sections: readonly Section[];
  readonly unanswered: readonly string[];
  readonly closest: readonly QuotedPassage[];
  readonly cutOff: string | null;
  readonly notes: readonly Note[];
  /** "Verified n/m"; null if there is nothing to verify. */
  readonly verified: string | null;
  /** Work that rules did instead of a model. */
  readonly byRules: readonly string[];
  readonly sources: readonly SourceLine[];
  readonly ledger: readonly LedgerRow[];
  readonly ledgerLeftOut: number;
  /** Null during the run. */
  readonly receipt: Receipt | null;
}

export interface Section {
  readonly heading: string;
  readonly sentences: readonly Sentence[];
}

export interface Sentence {
  readonly text: string;
  readonly supported: boolean;
  readonly marks: readonly Mark[];
  readonly origins: string;
}

interface Mark {
  readonly number: number;
  readonly retracted: boolean;
}

export interface QuotedPassage {
  readonly quote: string;
  readonly source: SourceLine;
  readonly hash: string;
  readonly offsets: string;
}

export interface Note extends QuotedPassage {
  readonly number: number;
}

export interface SourceLine {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly retracted: boolean;
  readonly details: readonly string[];
  readonly address: string;
  /** http or https, encoded; null for everything else. */
  readonly href: string | null;
  readonly notes: readonly number[];
}

export interface LedgerRow {
  readonly what: string;
  readonly place: string;
  readonly outcome: string;
  readonly failed: boolean;
  readonly ms: string;
}

export interface Receipt {
  readonly rows: readonly (readonly [name: string, value: string])[];
  readonly models: readonly (readonly string[])[];
}

type Noted = Pick<ReportForm, "sections" | "notes">;

/** Notes are numbered by first reference; otherwise formats that number footnotes themselves show other numbers. */
export function isInOrder(form: Noted): boolean {
  return [...referred(form)].every((number, index) => number === index + 1);
}

export function unreferred(form: Noted): readonly Note[] {
  const numbers = referred(form);
  return form.notes.filter(({ number }) => !numbers.has(number));
}

function referred({ sections, notes }: Noted): ReadonlySet<number> {
  const known = new Set(notes.map(({ number }) => number));
  const numbers = sections.flatMap(({ sentences }) => sentences.flatMap(({ marks }) => marks.map(({ number }) => number)));
  return new Set(numbers.filter((number) => known.has(number)));
}
