import { addressOf, type Hit, type RankedHit } from "../../domain/hit.ts";
import type { DocumentReader } from "../../domain/ports/document-reader.ts";
import type { DocumentStore } from "../../domain/ports/document-store.ts";
import type { GraphNode } from "../../domain/ports/node.ts";
import type { LedgerEntry } from "../../domain/report.ts";
import { scopeOf } from "../../domain/request.ts";
import type { ExecutorStateValue, ExecutorUpdate, ReadHit } from "../executor/state.ts";
import { readingMsLeft } from "../time-budget.ts";
import { downloadCap } from "./download-cap.ts";
import { placesOf, readHit } from "./read-hit.ts";

export interface DownloadDeps {
  readonly reader: DocumentReader;
  readonly documents: DocumentStore;
  readonly downloadTimeoutMs: number;
}

/**
 * Fetches the best hits at the same time, as many as the run may download; what came with its content is not fetched
 * again, nor is what the run has read before. Downloads that are left over go to other addresses of the same texts, one for each of the best, where the first
 * address fails.
 */
export function createDownloadNode({ reader, documents, downloadTimeoutMs }: DownloadDeps): GraphNode<ExecutorStateValue, ExecutorUpdate> {
  return async (state, effects) => {
    const { downloads } = state.task.limits;
    const brought = state.ranked.flatMap((hit): ReadHit[] =>
      hit.contentHash === null ? [] : [{ hit, status: "read", contentHash: hit.contentHash, failure: null }],
    );
    const known = new Map(state.known.map(({ sourceId, contentHash }) => [sourceId, contentHash]));
    const reused = state.ranked.flatMap((hit): ReadHit[] => {
      const contentHash = hit.contentHash === null ? known.get(hit.id) : undefined;
      return contentHash === undefined ? [] : [{ hit, status: "read", contentHash, failure: null }];
    });
    const wanted = state.ranked.filter((hit) => hit.contentHash === null && !known.has(hit.id));
    const missing = wanted.slice(0, downloads);
    const addresses = withAlternatives(missing, state.hits, downloads - missing.length);
    const timeoutMs = (): number => Math.min(downloadTimeoutMs, readingMsLeft(state, effects));
    const context = { reader, documents, timeoutMs, scope: scopeOf(state.task), effects };
    const fetched = await Promise.all(addresses.map((hits) => readHit(hits, context)));
    const read = [...brought, ...reused, ...fetched.flatMap((one) => one.read)].sort((a, b) => b.hit.score - a.hit.score);
    const unread = missing.length === 0 ? downloadCap(wanted) : [];
    return { read, ledger: [...reused.map(({ hit }) => reusedEntry(hit)), ...fetched.flatMap((one) => one.entries), ...unread] };
  };
}

/** Taken from the run's own documents. */
function reusedEntry(hit: RankedHit): LedgerEntry {
  const place = { what: "download" as const, source: hit.foundBy, target: addressOf(hit) };
  return { ...place, outcome: "reused", results: 1, failure: null, detail: null, ms: 0 };
}

/** Each hit with at most one other address of its text, for as many of the best as there are downloads to `spare`. */
function withAlternatives(missing: readonly RankedHit[], hits: readonly Hit[], spare: number): [RankedHit, ...RankedHit[]][] {
  const byId = new Map(hits.map((hit) => [hit.id, hit]));
  let left = spare;
  return missing.map((hit) => {
    const other = hit.alternatives.flatMap((id) => byId.get(id) ?? []).find(({ contentHash }) => contentHash === null);
    if (other === undefined || left === 0) return placesOf(hit);
    left -= 1;
    return [...placesOf(hit), ...placesOf({ ...other, score: hit.score, origin: hit.origin, alternatives: [] })];
  });
}
