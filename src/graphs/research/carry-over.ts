import { addressOf, type Hit } from "../../domain/hit.ts";
import type { JsonValue } from "../../domain/json.ts";
import type { EarlierFindings, FindEarlier } from "../../domain/ports/earlier-findings.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { Recalled, RecallView, ResearchAnalyst } from "../../domain/ports/research-analyst.ts";
import type { Citation, LedgerEntry, Source } from "../../domain/report.ts";
import { emitFound } from "../../nodes/emit-found.ts";
import type { ReadHit } from "../executor/state.ts";

const FIND_TIMEOUT_MS = 30_000;

export interface RecallDeps {
  readonly research: ResearchAnalyst;
  readonly findEarlier: FindEarlier;
}

/** What is known, with what has to be loaded to check its quotes. */
export interface CarriedOver extends Recalled {
  readonly hits: readonly Hit[];
  readonly read: readonly ReadHit[];
  readonly ledger: readonly LedgerEntry[];
}

/**
 * What answers a todo already. What an earlier run of the thread has borne out keeps its quotes: an effect, so that a replay gets it from
 * the journal, and only where that run has answered the very todo.
 */
export async function recallWithQuotes(view: RecallView, deps: RecallDeps, effects: Effects): Promise<CarriedOver | null> {
  const known = deps.research.recall(view);
  if (known === null) return null;
  const { earlierRun } = known;
  const earlier = earlierRun === undefined ? null : await findEarlier(earlierRun, deps.findEarlier, effects);
  const quoted = earlier === null ? null : deps.research.recall({ ...view, earlier });
  const read = readBy(quoted?.findings.citations ?? [], earlier);
  const hits = read.map(({ hit: { score: _, origin: __, alternatives: ___, ...hit } }) => hit);
  emitFound([], hits, effects);
  return { ...(quoted ?? known), hits, read, ledger: hits.map(asReused) };
}

function findEarlier(earlierRun: string, find: FindEarlier, effects: Effects): Promise<EarlierFindings | null> {
  return effects.perform<EarlierFindings | null>({
    kind: "memo",
    request: { of: "findings of an earlier run", run: earlierRun } satisfies JsonValue,
    timeoutMs: FIND_TIMEOUT_MS,
    live: () => find(effects.runId, earlierRun),
  });
}

/** The sources of these quotes as this run's own readings. */
function readBy(citations: readonly Citation[], earlier: EarlierFindings | null): ReadHit[] {
  const sources = new Map((earlier?.sources ?? []).map((source) => [source.id, source]));
  const read = citations.flatMap(({ sourceId, contentHash }): ReadHit[] => {
    const source = sources.get(sourceId);
    return source === undefined ? [] : [asRead(source, contentHash)];
  });
  return [...new Map(read.map((one) => [`${one.hit.id} ${one.contentHash}`, one])).values()];
}

function asReused(hit: Hit): LedgerEntry {
  const place = { what: "download" as const, source: hit.foundBy, target: addressOf(hit) };
  return { ...place, outcome: "reused", results: 1, failure: null, detail: "From an earlier run of the thread.", ms: 0 };
}

function asRead({ status, failure, score, origin, ...source }: Source, contentHash: string): ReadHit {
  const hit = { ...source, contentHash: null, snippet: "", score: score ?? 0, origin: origin ?? source.id, alternatives: [] };
  return { hit, status: status === "snippet" ? "snippet" : "read", contentHash, failure };
}
