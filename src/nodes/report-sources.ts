import { type Hit, mergeHits, type RankedHit } from "../domain/hit.ts";
import type { Source } from "../domain/report.ts";
import { stripUnknownAddresses } from "../evidence/address-filter.ts";
import type { ReadHit } from "./executor/state.ts";

/** What was found, what of it was ranked, and what became of those that were looked into. */
export interface Found {
  readonly hits: readonly Hit[];
  readonly ranked: readonly RankedHit[];
  readonly read: readonly ReadHit[];
}

/** The most sources a report lists; those that were read come first. */
const MAX_SOURCES = 100;

/** The sources of a report, each once, the best first. @param origins of those that were read, by id */
export function sourcesOf({ hits, ranked, read }: Found, origins: ReadonlyMap<string, string>): Source[] {
  const looked = new Map(read.map((one) => [one.hit.id, one]));
  const judged = new Map([...read.map(({ hit }) => hit), ...ranked].map((hit) => [hit.id, hit]));
  const sources = mergeHits([], hits).map(({ snippet: _, ...hit }): Source => {
    const one = looked.get(hit.id);
    const contentHash = one?.contentHash ?? hit.contentHash;
    const origin = origins.get(hit.id) ?? judged.get(hit.id)?.origin;
    const score = judged.get(hit.id)?.score ?? null;
    const looks = { score, contentHash, status: one?.status ?? "found", failure: one?.failure ?? null } as const;
    return { ...hit, title: stripUnknownAddresses(hit.title, [hit.url]), ...looks, ...(origin !== undefined && { origin }) };
  });
  return sources.sort((a, b) => (b.score ?? -1) - (a.score ?? -1)).slice(0, MAX_SOURCES);
}
