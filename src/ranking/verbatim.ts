import { isUnspaced } from "./tokenise.ts";

/** So many terms in a row are not found twice by chance, nor because one fact is told twice; a Chinese term is a pair of characters. */
const RUN = 5;
const UNSPACED_RUN = 8;

/** A text as a row of terms, to see how much of it stands word for word in another. */
export interface Row {
  readonly terms: readonly string[];
  /** How many terms make a run; texts of other scripts have nothing in common anyway. */
  readonly run: number;
  readonly runs: ReadonlySet<string>;
}

/** The row of a text's terms, as `tokenise` gives them. */
export function rowOf(terms: readonly string[]): Row {
  const unspaced = terms.filter(isUnspaced).length;
  const run = unspaced * 2 > terms.length ? UNSPACED_RUN : RUN;
  return { terms, run, runs: new Set(terms.slice(run - 1).map((_, i) => runAt(terms, i, run))) };
}

/** The share of the terms of `part` that stand in runs which `whole` has as well, 0 to 1; 0 where `part` has no run. */
export function verbatimShare(part: Row, whole: Row): number {
  if (part.run !== whole.run) return 0;
  let covered = 0;
  let until = 0;
  for (let at = 0; at + part.run <= part.terms.length; at++) {
    if (!whole.runs.has(runAt(part.terms, at, part.run))) continue;
    covered += at + part.run - Math.max(at, until);
    until = at + part.run;
  }
  return covered === 0 ? 0 : covered / part.terms.length;
}

function runAt(terms: readonly string[], at: number, run: number): string {
  return terms.slice(at, at + run).join(" ");
}
