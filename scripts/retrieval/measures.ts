/**
 * Returns the normalized discounted cumulative gain (Järvelin and Kekäläinen 2002) of the first `depth` results. As in trec_eval's
 * ndcg_cut, the gain is the grade and the discount is log2(rank + 1). Returns 0 if no document is relevant.
 */
export function ndcg(ranking: readonly string[], grades: ReadonlyMap<string, number>, depth: number): number {
  const discounted = (gains: readonly number[]): number =>
    gains.slice(0, depth).reduce((sum, gain, i) => sum + Math.max(0, gain) / Math.log2(i + 2), 0);
  const ideal = discounted([...grades.values()].sort((a, b) => b - a));
  return ideal === 0 ? 0 : discounted(ranking.map((id) => grades.get(id) ?? 0)) / ideal;
}

/** Returns the share of the relevant documents that are in the first `depth` results, or 0 if no document is relevant. */
export function recall(ranking: readonly string[], grades: ReadonlyMap<string, number>, depth: number): number {
  const relevant = [...grades].filter(([, grade]) => grade > 0).map(([id]) => id);
  const found = new Set(ranking.slice(0, depth));
  return relevant.length === 0 ? 0 : relevant.filter((id) => found.has(id)).length / relevant.length;
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
