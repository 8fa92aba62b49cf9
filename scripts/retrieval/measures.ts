/**
 * Normalised discounted cumulated gain of the first `depth` (Järvelin and Kekäläinen 2002), with the grade as the gain and
 * log2(place + 1) as the discount, as trec_eval's ndcg_cut has it; 0 where nothing is relevant.
 */
export function ndcg(ranking: readonly string[], grades: ReadonlyMap<string, number>, depth: number): number {
  const discounted = (gains: readonly number[]): number =>
    gains.slice(0, depth).reduce((sum, gain, i) => sum + Math.max(0, gain) / Math.log2(i + 2), 0);
  const ideal = discounted([...grades.values()].sort((a, b) => b - a));
  return ideal === 0 ? 0 : discounted(ranking.map((id) => grades.get(id) ?? 0)) / ideal;
}

/** The share of the relevant documents among the first `depth`; 0 where nothing is relevant. */
export function recall(ranking: readonly string[], grades: ReadonlyMap<string, number>, depth: number): number {
  const relevant = [...grades].filter(([, grade]) => grade > 0).map(([id]) => id);
  const found = new Set(ranking.slice(0, depth));
  return relevant.length === 0 ? 0 : relevant.filter((id) => found.has(id)).length / relevant.length;
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
