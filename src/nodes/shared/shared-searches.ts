import type { Hit } from "../../domain/hit.ts";
import type { Effects, KeptReplies } from "../../domain/ports/effects.ts";
import type { SearchQuery } from "../../domain/ports/sources.ts";
import { foldQuery } from "../../domain/queries.ts";
import { unlessAborted } from "../../util/abort.ts";

/** `sent` are the words that the source was sent; absent in old recordings. */
export interface SearchResult {
  readonly hits: Hit[];
  readonly gaps: string | null;
  readonly sent?: string;
}

interface Entry {
  readonly ended: PromiseWithResolvers<SearchResult | null>;
  result: SearchResult | null;
}

const MAX_SEARCHES = 500;
const searchesOf = new WeakMap<object, Map<string, Entry>>();

/**
 * Asks a source what no other part of the run has asked it, or is asking. Otherwise takes that result (`isReused`); a failed search is tried again.
 * Uses no clock, so that a replay shares the same searches.
 */
export async function searchOnce(
  { source, query }: { readonly source: string; readonly query: SearchQuery },
  { effects, timeoutMs }: { readonly effects: Effects; readonly timeoutMs: number },
  search: () => Promise<SearchResult>,
): Promise<SearchResult & { readonly isReused: boolean }> {
  const searches = searchesOf.get(effects.execution) ?? new Map<string, Entry>();
  searchesOf.set(effects.execution, searches);
  const { limit: _, ...asked } = query;
  const key = JSON.stringify([source, { ...asked, text: foldQuery(query.text) }]);
  const known = searches.get(key);
  const result = known === undefined ? null : (known.result ?? (await joinSearch(key, known, { effects, timeoutMs })));
  if (result !== null) return { ...result, isReused: true };
  const entry: Entry = { ended: Promise.withResolvers(), result: null };
  if (searches.size < MAX_SEARCHES) searches.set(key, entry);
  try {
    entry.result = await search();
    return { ...entry.result, isReused: false };
  } catch (error) {
    if (searches.get(key) === entry) searches.delete(key);
    throw error;
  } finally {
    entry.ended.resolve(entry.result);
  }
}

/** Waits in an effect, because a task that runs code delays the results of all others. */
function joinSearch(key: string, { ended }: Entry, { effects, timeoutMs }: { effects: Effects; timeoutMs: number }) {
  const live = (signal: AbortSignal, replies: KeptReplies): Promise<SearchResult | null> =>
    replies.whileWaiting(() => unlessAborted(ended.promise, signal));
  return effects.perform<SearchResult | null>({ kind: "memo", request: { shared: key }, timeoutMs, live }).catch(() => {
    effects.signal.throwIfAborted();
    return null;
  });
}
