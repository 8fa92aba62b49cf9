import { failureOf } from "../../domain/failure.ts";
import type { RankedHit } from "../../domain/hit.ts";
import { hashJson } from "../../domain/json.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { SemanticRanker } from "../../domain/ports/semantic-ranker.ts";
import type { LedgerEntry } from "../../domain/report.ts";
import { DossierError, toDossierError } from "../../errors.ts";
import { cutForMeaning, semanticText } from "../../ranking/fuse-semantic.ts";

/** One score for each hit, null where there are none, and what the ledger says of it. */
export interface Judged {
  readonly scores: number[] | null;
  readonly entry: LedgerEntry;
}

export interface JudgeContext {
  /** The name that the run was told at its start. */
  readonly name: string;
  /** What is configured now; a replay needs none. */
  readonly semantic: SemanticRanker | null;
  readonly question: string;
  readonly timeoutMs: number;
  readonly effects: Effects;
}

/**
 * Has the hits judged by meaning, as one effect that the journal knows by the question and the hashes of the texts. Where that fails the
 * event `rerank-failed` tells of it, and nothing is lost.
 * @throws the reason of the run's signal
 */
export async function judgeByMeaning(hits: readonly RankedHit[], context: JudgeContext): Promise<Judged> {
  const { name, question, timeoutMs, effects } = context;
  const startedAt = effects.now();
  const texts = hits.map(semanticText);
  const request = { ranker: name, question, texts: texts.map(hashJson) };
  const live = (signal: AbortSignal) => score(texts, context, signal);
  const entry = { what: "rerank", source: name, target: question } as const;
  try {
    const scores: number[] = await effects.perform({ kind: "semantic", request, timeoutMs, live });
    const ms = effects.elapsedMs(startedAt);
    return { scores, entry: { ...entry, outcome: "found", results: scores.length, failure: null, detail: null, ms } };
  } catch (error) {
    effects.signal.throwIfAborted();
    const cause = toDossierError(error);
    const failure = failureOf(cause, "unreachable");
    const message = `${cause.message} The order of the words stands.`;
    effects.emit({ type: "rerank-failed", ranker: name, failure, message });
    const ms = effects.elapsedMs(startedAt);
    return { scores: null, entry: { ...entry, outcome: "failed", results: 0, failure, detail: message, ms } };
  }
}

async function score(texts: readonly string[], { name, semantic, question, timeoutMs }: JudgeContext, signal: AbortSignal) {
  if (timeoutMs === 0) throw new DossierError("timeout", "No time was left to rank the hits by meaning.");
  if (semantic?.name !== name) throw new DossierError("unreachable", `The ranking by ${name} is no longer configured.`);
  return semantic.score(cutForMeaning(question), texts, signal);
}
