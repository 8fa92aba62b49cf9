import type { Hit, RankedHit } from "../hit.ts";

/** Cleans, scores and diversifies hits; a pure function of its arguments. Best first, at most `keep`. */
export type Ranker = (query: { question: string; language: string; keep: number }, hits: readonly Hit[]) => RankedHit[];
