import type { Hit, RankedHit } from "../../domain/hit.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { Ranker } from "../../domain/ports/ranker.ts";
import type { SemanticRanker } from "../../domain/ports/semantic-ranker.ts";
import type { LedgerEntry } from "../../domain/report.ts";
import type { Task } from "../../domain/request.ts";
import { fuseSemantic, SEMANTIC_DEPTH } from "../../ranking/fuse-semantic.ts";
import { judgeByMeaning } from "./judge-by-meaning.ts";

export interface RankDeps {
  readonly ranker: Ranker;
  /** What ranks by meaning; null where nothing is configured. A replay needs none. */
  readonly semantic: SemanticRanker | null;
}

export interface RankContext {
  readonly task: Task;
  /** What the hits were looked for with. */
  readonly question: string;
  readonly language: string;
  readonly keep: number;
  /** What is left for a ranking by meaning. */
  readonly timeoutMs: number;
  readonly effects: Effects;
}

/** Whatever comes after has to wait for it, so that it must not take long. */
const SEMANTIC_TIMEOUT_MS = 10_000;

/**
 * Cleans, scores and diversifies what was found; keeps the best. Where the run was told of a ranking by meaning, the best by words are
 * judged by it too, and both orders are fused; where it fails the order of the words stands as it is without one. `entries` tell the ledger of it.
 */
export async function rankFound(
  hits: readonly Hit[],
  { ranker, semantic }: RankDeps,
  { task, question, language, keep, timeoutMs: leftMs, effects }: RankContext,
): Promise<{ ranked: RankedHit[]; entries: LedgerEntry[] }> {
  const { semantic: name } = task;
  const byWords = (most: number) => ranker({ question, language, keep: most }, hits);
  if (name === undefined) return { ranked: byWords(keep), entries: [] };
  const best = byWords(SEMANTIC_DEPTH);
  if (best.length < 2) return { ranked: best, entries: [] };
  const timeoutMs = Math.max(0, Math.min(SEMANTIC_TIMEOUT_MS, leftMs));
  const { scores, entry } = await judgeByMeaning(best, { name, semantic, question, timeoutMs, effects });
  return { ranked: scores === null ? byWords(keep) : fuseSemantic(best, scores, keep), entries: [entry] };
}
