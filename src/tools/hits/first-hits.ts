import { type Hit, mergeHits } from "../../domain/hit.ts";

/** The first `limit` hits, each address once: an index can hold a work twice. */
export function firstHits(hits: readonly Hit[], limit: number): Hit[] {
  return mergeHits([], hits).slice(0, limit);
}
