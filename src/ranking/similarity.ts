/** Pairs of neighbouring terms (and the term itself where there is only one), to compare wordings by. */
export function shingles(terms: readonly string[]): Set<string> {
  if (terms.length < 2) return new Set(terms);
  return new Set(terms.slice(1).map((term, i) => `${terms[i]} ${term}`));
}

/** |A ∩ B| / min(|A|, |B|), 0 to 1: 1 where the smaller is wholly inside the larger; 0 where either is empty. */
export function containment(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const common = intersectionSize(a, b);
  return common === 0 ? 0 : common / Math.min(a.size, b.size);
}

/** |A ∩ B|. Walking the smaller set keeps comparing a sentence with a page cheap. */
export function intersectionSize(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const [small, large] = a.size <= b.size ? [a, b] : [b, a];
  let common = 0;
  for (const term of small) if (large.has(term)) common++;
  return common;
}

/** Something to choose: `score` 0 to 1, `shingles` as its wording. */
export interface Candidate {
  readonly score: number;
  readonly shingles: ReadonlySet<string>;
  /** What it counts, where that matters: candidates with other figures are alike, not duplicates. */
  readonly figures?: string;
}

/**
 * Up to `limit` candidates by maximal marginal relevance (Carbonell and Goldstein 1998), in the order of choice:
 * each time the one with the highest `lambda * score - (1 - lambda) * similarity` to those chosen before. Candidates
 * whose containment in a chosen one reaches `duplicate` are never chosen. Of equals the earlier in the list wins.
 */
export function chooseDiverse<T extends Candidate>(
  candidates: readonly T[],
  { limit, lambda, duplicate }: { limit: number; lambda: number; duplicate: number },
): T[] {
  const chosen: T[] = [];
  const open = candidates.map((candidate) => ({ candidate, similarity: 0, copied: 0 }));
  while (chosen.length < limit && open.length > 0) {
    let best = 0;
    open.forEach((entry, i) => {
      if (marginal(entry, lambda) > marginal(open[best] ?? entry, lambda)) best = i;
    });
    const [next] = open.splice(best, 1);
    if (!next || next.copied >= duplicate) continue;
    chosen.push(next.candidate);
    for (const entry of open) {
      const alike = containment(entry.candidate.shingles, next.candidate.shingles);
      entry.similarity = Math.max(entry.similarity, alike);
      if (entry.candidate.figures === next.candidate.figures) entry.copied = Math.max(entry.copied, alike);
    }
  }
  return chosen;
}

function marginal({ candidate, similarity }: { candidate: Candidate; similarity: number }, lambda: number): number {
  return lambda * candidate.score - (1 - lambda) * similarity;
}
