import { isCompanyRow } from "./company-rows.ts";
import type { Evidence } from "./evidence.ts";
import type { Scored } from "./scoring.ts";

/** Lighter words only frame the question. */
const TELLING_WEIGHT = 1;
const MET = 0.7;

/**
 * Raises the rows of each company that a question compares to the score of the best one: tables whose rows speak of a
 * name that no better table speaks of, so that a rarer or longer name does not take all the places.
 */
export function raiseEachCompany(evidence: Evidence, scored: readonly Scored[]): Scored[] {
  const tables = [...Map.groupBy(scored.filter(isCandidate), ({ sentence }) => sentence.reading.document.contentHash).entries()]
    .map(([hash, rows]) => ({ hash, best: rows.reduce((most, { score }) => Math.max(most, score), 0), names: namesIn(evidence, rows) }))
    .sort((a, b) => b.best - a.best);
  const top = tables[0]?.best ?? 0;
  const known = new Set<number>();
  const factors = new Map<string, number>();
  for (const { hash, best, names } of tables) {
    if (names.some((name) => !known.has(name))) factors.set(hash, top / best);
    for (const name of names) known.add(name);
  }
  return scored.map((entry) =>
    isCandidate(entry) ? { ...entry, score: entry.score * (factors.get(entry.sentence.reading.document.contentHash) ?? 1) } : entry,
  );
}

function isCandidate({ score, sentence }: Scored): boolean {
  return score > 0 && isCompanyRow(sentence);
}

/** The indexes of the telling concepts that some of the rows speak of themselves. */
function namesIn({ concepts, own }: Evidence, rows: readonly Scored[]): number[] {
  return concepts.flatMap(({ weight }, i) =>
    weight >= TELLING_WEIGHT && rows.some(({ index }) => (own[index]?.[i] ?? 0) >= MET) ? [i] : [],
  );
}
