import { type Hit, mergeHits } from "../domain/hit.ts";
import type { Effects } from "../domain/ports/effects.ts";
import { stripUnknownAddresses } from "../evidence/address-filter.ts";

/** Says `source-found` for every hit that was not known; returns how many hits there are now. */
export function emitFound(known: readonly Hit[], found: readonly Hit[], effects: Effects): number {
  const ids = new Set(known.map((hit) => hit.id));
  const all = mergeHits(known, found);
  for (const hit of all.filter(({ id }) => !ids.has(id))) {
    const { snippet: _, ...source } = hit;
    effects.emit({
      type: "source-found",
      source: { ...source, title: stripUnknownAddresses(source.title, [source.url]), score: null, status: "found", failure: null },
    });
  }
  return all.length;
}
