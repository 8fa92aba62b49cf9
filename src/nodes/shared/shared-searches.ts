import type { Hit } from "../../domain/hit.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { SearchQuery } from "../../domain/ports/sources.ts";
import { queryKey } from "../../domain/queries.ts";
import type { LedgerEntry } from "../../domain/report.ts";
import { unlessAborted } from "../../util/abort.ts";

/** `sent` are the words that the source was sent; absent in old recordings. */
export interface SearchResult {
  readonly hits: Hit[];
  readonly gaps: string | null;
  readonly sent?: string;
  readonly leftOut?: readonly LedgerEntry[];
}

interface Entry {
  readonly ended: PromiseWithResolvers<SearchResult | null>;
  result: SearchResult | null;
  /** The length of the result as JSON. */
  characters: number;
}

type Searches = Map<string, Entry>;

/** In UTF-16 code units of JSON, for all results that a run shares. */
const MAX_CHARACTERS = 8_000_000;
const searchesOf = new WeakMap<object, Searches>();

/**
 * Asks a source what no other part of the run has asked it, or is asking. Otherwise takes that result (`isReused`). After a failed search
 * one of those who waited for it asks again, in what is left of its `timeoutMs`, and the others wait for that. All times are those of the
 * run's journal, so that a replay shares the same searches. @throws DossierError `timeout` if the other search does not end in time
 */
export async function searchOnce(
  { source, query }: { readonly source: string; readonly query: SearchQuery },
  { effects, timeoutMs }: { readonly effects: Effects; readonly timeoutMs: number },
  search: (timeoutMs: number) => Promise<SearchResult>,
): Promise<SearchResult & { readonly isReused: boolean }> {
  const searches: Searches = searchesOf.get(effects.execution) ?? new Map();
  searchesOf.set(effects.execution, searches);
  const key = JSON.stringify([source, queryKey(query)]);
  const startedAt = effects.now();
  const leftMs = (): number => Math.max(0, timeoutMs - effects.elapsedMs(startedAt));
  for (let known = searches.get(key); known !== undefined; known = searches.get(key)) {
    const result = known.result ?? (await joinSearch(key, known, { effects, timeoutMs: leftMs() }));
    if (result !== null) return { ...result, isReused: true };
  }
  const entry: Entry = { ended: Promise.withResolvers(), result: null, characters: 0 };
  searches.set(key, entry);
  try {
    entry.result = await search(leftMs());
    entry.characters = JSON.stringify(entry.result).length;
    dropOldest(searches);
    return { ...entry.result, isReused: false };
  } catch (error) {
    searches.delete(key);
    throw error;
  } finally {
    entry.ended.resolve(entry.result);
  }
}

/** Forgets the oldest results, which are asked for again, while all are larger than allowed. A search that has not ended is kept. */
function dropOldest(searches: Searches): void {
  let characters = [...searches.values()].reduce((sum, one) => sum + one.characters, 0);
  for (const [key, one] of searches) {
    if (characters <= MAX_CHARACTERS) return;
    if (one.result === null) continue;
    characters -= one.characters;
    searches.delete(key);
  }
}

/** Waits in an effect, because a task that runs code delays the results of all others. Returns null if the search failed. */
function joinSearch(key: string, { ended }: Entry, { effects, timeoutMs }: { effects: Effects; timeoutMs: number }) {
  const live = (signal: AbortSignal): Promise<SearchResult | null> => unlessAborted(ended.promise, signal);
  return effects.perform<SearchResult | null>({ kind: "memo", request: { shared: key }, timeoutMs, live });
}
