/** How much of a score comes from the neighbours, where the text's own score counts 1. */
const WEIGHT = 0.5;
/** More neighbours are less alike. */
const NEIGHBOURS = 5;

/**
 * The scores with what each text owes to those most like it: what is worded like other texts that match well is likely
 * to be about the same. Half the mean score of its five nearest neighbours, by how near they are, is added to its own
 * (score regularisation, Diaz 2005; likeness is the cosine of (1 + ln tf) * idf). Scores and texts are in one order.
 */
export function leanOnNeighbours(
  scores: readonly number[],
  texts: readonly (readonly string[])[],
  idf: (term: string) => number,
): number[] {
  const likeness = likenesses(texts, idf);
  return scores.map((own, i) => {
    const row = likeness.subarray(i * texts.length, (i + 1) * texts.length);
    const near = nearest(row);
    const total = near.reduce((sum, j) => sum + (row[j] ?? 0), 0);
    const support = near.reduce((sum, j) => sum + (row[j] ?? 0) * (scores[j] ?? 0), 0);
    return own + (total > 0 ? (WEIGHT * support) / total : 0);
  });
}

/** The places of the greatest values, greatest first; of equals the first. */
function nearest(row: Float64Array): number[] {
  const near: number[] = [];
  row.forEach((value, j) => {
    if (value <= 0 || (near.length === NEIGHBOURS && value <= (row[near.at(-1) ?? 0] ?? 0))) return;
    const at = near.findIndex((other) => (row[other] ?? 0) < value);
    near.splice(at < 0 ? near.length : at, 0, j);
    if (near.length > NEIGHBOURS) near.pop();
  });
  return near;
}

/** How alike each two texts are, row by row; 0 for a text and itself. */
function likenesses(texts: readonly (readonly string[])[], idf: (term: string) => number): Float64Array {
  const size = texts.length;
  const holders = new Map<string, { text: number; weight: number }[]>();
  for (const [text, terms] of texts.entries()) {
    for (const [term, weight] of unitVector(terms, idf)) {
      const known = holders.get(term);
      if (known) known.push({ text, weight });
      else holders.set(term, [{ text, weight }]);
    }
  }
  const matrix = new Float64Array(size * size);
  for (const list of holders.values()) {
    for (const a of list) {
      for (const b of list) {
        const at = a.text * size + b.text;
        if (a !== b) matrix[at] = (matrix[at] ?? 0) + a.weight * b.weight;
      }
    }
  }
  return matrix;
}

function unitVector(terms: readonly string[], idf: (term: string) => number): [string, number][] {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const weights = [...counts].map(([term, count]): [string, number] => [term, (1 + Math.log(count)) * idf(term)]);
  const length = Math.sqrt(weights.reduce((sum, [, weight]) => sum + weight * weight, 0)) || 1;
  return weights.map(([term, weight]) => [term, weight / length]);
}
