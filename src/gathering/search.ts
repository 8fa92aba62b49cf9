import { refusalOfDomain } from "../domain/domains.ts";
import { failureCodeOf } from "../domain/failures.ts";
import { boundHits, DOCUMENTS_SOURCE, type Hit } from "../domain/hit.ts";
import { nameFilesOnce } from "../domain/left-out.ts";
import type { Effects, KeptReplies } from "../domain/ports/effects.ts";
import type { SearchAnswer, SearchQuery, SearchSource } from "../domain/ports/sources.ts";
import { queryKey } from "../domain/queries.ts";
import type { LedgerEntry } from "../domain/report.ts";
import { scopeOf, type Task } from "../domain/task.ts";
import { DossierError, toDossierError } from "../errors.ts";
import { stripUnknownAddresses } from "../evidence/address-filter.ts";
import { keywords } from "../ranking/query-terms.ts";
import { RRF_K } from "../ranking/scoring.ts";
import { knownAddresses } from "./found.ts";
import { type InFlight, tableOf } from "./in-flight.ts";
import type { Search } from "./plan.ts";

export interface SearchContext {
  readonly sources: ReadonlyMap<string, SearchSource>;
  readonly task: Task;
  readonly timeoutMs: number;
  /** For what the user gave, which may wait for its analysis; `timeoutMs` if absent. */
  readonly givenTimeoutMs?: number;
  readonly effects: Effects;
}

export interface Searched {
  readonly hits: Hit[];
  readonly entries: LedgerEntry[];
}

/** Performs all searches at the same time. The lists of one source are merged by rank. Files that are not read have entries of their own. */
export async function searchSources(searches: readonly Search[], context: SearchContext): Promise<Searched> {
  const searched = await Promise.all(searches.map(async (search) => ({ ...search, ...(await searchOne(search, context)) })));
  return { hits: mergeBySource(searched), entries: nameFilesOnce(searched.flatMap(({ entries }) => entries)) };
}

/** Merges the hits of two rounds of searches by rank, for each source. */
export function mergeSearches(...rounds: readonly (readonly Hit[])[]): Hit[] {
  return mergeBySource(
    rounds.flatMap((hits) =>
      Array.from(
        Map.groupBy(hits, ({ foundBy }) => foundBy),
        ([source, own]) => ({ source, hits: own }),
      ),
    ),
  );
}

function mergeBySource(lists: readonly { readonly source: string; readonly hits: readonly Hit[] }[]): Hit[] {
  return [...Map.groupBy(lists, ({ source }) => source).values()].flatMap((own) => mergeByRank(own.map(({ hits }) => hits)));
}

/** Reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009) of lists that may share hits. */
function mergeByRank(lists: readonly (readonly Hit[])[]): Hit[] {
  const [only, second] = lists;
  if (second === undefined) return [...(only ?? [])];
  const scores = new Map<string, { readonly hit: Hit; score: number }>();
  for (const list of lists) {
    for (const [place, hit] of list.entries()) {
      const known = scores.get(hit.id) ?? { hit, score: 0 };
      scores.set(hit.id, { ...known, score: known.score + 1 / (RRF_K + place + 1) });
    }
  }
  return [...scores.values()].sort((a, b) => b.score - a.score).map(({ hit }) => hit);
}

/** Searches one source, together with the rest of the run, and tells the ledger. A failed search is a row of the ledger, not an error. */
async function searchOne({ source, query, asked = {} }: Search, context: SearchContext): Promise<Searched> {
  const { task, effects } = context;
  const startedAt = effects.now();
  const known = knownAddresses({ task, hits: [] });
  const shown = (text: string): string => (query.written === true ? stripUnknownAddresses(text, known) : text);
  const told = { ...asked, ...(asked.unused && { unused: asked.unused.map(shown) }) };
  const entry = { what: "search" as const, source, ...(Object.keys(told).length > 0 && { asked: told }) };
  try {
    const { hits, gaps, sent, leftOut = [], isReused } = await searchOnce(source, query, context);
    const outcome = isReused ? "reused" : hits.length > 0 ? "found" : "nothing";
    const ended = { outcome, results: hits.length, failure: null, ms: effects.elapsedMs(startedAt) } as const;
    const detail = gaps ?? (source === DOCUMENTS_SOURCE ? deletedDocuments(hits, query, task) : null);
    return { hits, entries: [{ ...entry, target: shown(sent ?? query.text), ...ended, detail }, ...leftOut] };
  } catch (error) {
    effects.signal.throwIfAborted();
    const cause = toDossierError(error);
    const { message } = cause;
    const failure = failureCodeOf(cause, "unreachable");
    const target = shown(query.written === true ? query.text : keywords(query.text).join(" ") || query.text);
    effects.emit({ type: "source-failed", source, query: target, failure, message });
    const failed = { outcome: "failed" as const, results: 0, failure, detail: message, ms: effects.elapsedMs(startedAt) };
    return { hits: [], entries: [{ ...entry, target, ...failed }] };
  }
}

/** `sent` is absent in old recordings. */
type SearchResult = Omit<SearchAnswer, "hits" | "sent"> & Partial<Pick<SearchAnswer, "sent">> & { readonly hits: Hit[] };

const searchesOf = new WeakMap<object, InFlight<SearchResult | null>>();

/**
 * Asks a source what no other part of the run has asked it, or is asking. Otherwise takes that result (`isReused`). After a failed search
 * one of those who waited for it asks again, in what is left of its time, and the others wait for that. All times are those of the run's
 * journal, so that a replay shares the same searches. @throws DossierError `timeout` if the other search does not end in time
 */
async function searchOnce(id: string, query: SearchQuery, context: SearchContext): Promise<SearchResult & { readonly isReused: boolean }> {
  const { effects } = context;
  const searches = tableOf(searchesOf, effects);
  const key = JSON.stringify([id, queryKey(query)]);
  const wholeMs = id === DOCUMENTS_SOURCE ? (context.givenTimeoutMs ?? context.timeoutMs) : context.timeoutMs;
  const startedAt = effects.now();
  const leftMs = (): number => Math.max(0, wholeMs - effects.elapsedMs(startedAt));
  while (searches.has(key)) {
    const result = await searches.join(key, { kind: "memo", timeoutMs: leftMs() }, effects);
    if (result) return { ...result, isReused: true };
  }
  searches.begin(key);
  let result: SearchResult | null = null;
  try {
    result = await performSearch(id, query, leftMs(), context);
    return { ...result, isReused: false };
  } finally {
    searches.end(key, result, result);
  }
}

/** Asks the source, or the journal. */
async function performSearch(id: string, query: SearchQuery, timeoutMs: number, context: SearchContext): Promise<SearchResult> {
  const { sources, task, effects } = context;
  const live = async (signal: AbortSignal, replies: KeptReplies): Promise<SearchResult> => {
    if (timeoutMs === 0) throw new DossierError("timeout", "The time of the run was used up before this search.");
    const source = sources.get(id);
    if (source === undefined) throw new DossierError("unreachable", `The source ${id} is no longer configured.`);
    const search = () => source.search(query, { signal, scope: scopeOf(task), replies, runId: effects.runId });
    const answer = await (source.track?.(search, signal) ?? search());
    return { ...answer, hits: boundHits(answer.hits) };
  };
  const found = await effects.perform({ kind: "search", request: { source: id, ...query }, timeoutMs, live });
  return withinDomains(found, query, task);
}

/** Leaves out results of sites that are not to be used, and says how many. */
function withinDomains(found: SearchResult, { language }: SearchQuery, { domains = [] }: Task): SearchResult {
  const hits = found.hits.filter(({ url }) => refusalOfDomain(domains, url) === null);
  const count = found.hits.length - hits.length;
  if (count === 0) return found;
  const left = /^zh\b/i.test(language)
    ? `${count} 条结果来自不可使用的域名`
    : `${count} results of domains that are not to be used were left out`;
  return { ...found, hits, gaps: found.gaps ? `${found.gaps}; ${left}` : left };
}

/** Says how many documents of the user were deleted since the run was created. The search finds all that are there, up to its limit. */
function deletedDocuments(hits: readonly Hit[], { limit, language }: SearchQuery, { given = [] }: Task): string | null {
  const documents = given.filter(({ foundBy }) => foundBy === DOCUMENTS_SOURCE);
  const count = documents.filter(({ id }) => !hits.some((hit) => hit.id === id)).length;
  if (count === 0 || hits.length >= limit) return null;
  if (/^zh\b/i.test(language)) return `${documents.length} 份文件中有 ${count} 份在查找之前已被删除`;
  return `${count} of ${documents.length} documents ${count === 1 ? "was" : "were"} deleted before this search`;
}
