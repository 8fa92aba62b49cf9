/** Shares of all shingles of both texts: in both, only in the extracted text (surplus), only in the expected text (missing). They add up to 1. */
export interface Match {
  readonly both: number;
  readonly surplus: number;
  readonly missing: number;
}

export interface Scores {
  readonly f1: number;
  readonly precision: number;
  readonly recall: number;
}

const SHINGLE_TOKENS = 4;
/** Matches what Python's `\w+` matches: letters, numbers and the underscore, but no combining marks. */
const TOKEN = /[\p{L}\p{N}_]+/gu;

/**
 * Compares two texts by their shingles of four tokens, as article-extraction-benchmark does. Repeated shingles count each time.
 * A text of one to three tokens is one shingle; an empty text has none.
 */
export function matchTexts(expected: string, extracted: string): Match {
  const wanted = shinglesOf(expected);
  const found = shinglesOf(extracted);
  const counts = { both: 0, surplus: 0, missing: 0 };
  for (const shingle of new Set([...wanted.keys(), ...found.keys()])) {
    const difference = (found.get(shingle) ?? 0) - (wanted.get(shingle) ?? 0);
    counts.both += Math.min(found.get(shingle) ?? 0, wanted.get(shingle) ?? 0);
    counts.surplus += Math.max(0, difference);
    counts.missing += Math.max(0, -difference);
  }
  // With shares instead of counts, a long page weighs no more than a short one.
  const all = counts.both + counts.surplus + counts.missing || 1;
  return { both: counts.both / all, surplus: counts.surplus / all, missing: counts.missing / all };
}

function shinglesOf(text: string): Map<string, number> {
  const tokens = text.match(TOKEN) ?? [];
  const shingles = new Map<string, number>();
  const last = Math.max(0, tokens.length - SHINGLE_TOKENS);
  for (let at = 0; at <= last && tokens.length > 0; at++) {
    const shingle = tokens.slice(at, at + SHINGLE_TOKENS).join(" ");
    shingles.set(shingle, (shingles.get(shingle) ?? 0) + 1);
  }
  return shingles;
}

/**
 * Averages precision and recall over the pages, and computes F1 from the averages. As in the benchmark, a page with an empty result
 * counts only for recall, and a page without an article only for precision.
 */
export function scoresOf(matches: readonly Match[]): Scores {
  const precision = mean(matches.filter(({ both, surplus }) => both + surplus > 0).map(precisionOf));
  const recall = mean(matches.filter(({ both, missing }) => both + missing > 0).map(recallOf));
  return { f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall), precision, recall };
}

function precisionOf({ both, surplus }: Match): number {
  return both / (both + surplus);
}

function recallOf({ both, missing }: Match): number {
  return both / (both + missing);
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
