import type { GraphNode } from "../../domain/ports/effects.ts";
import type { SearchSource } from "../../domain/ports/sources.ts";
import { emitFound } from "../../gathering/found.ts";
import { givenUrls } from "../../gathering/given-material.ts";
import { readingMsLeft } from "../../gathering/limits.ts";
import { HITS_PER_SOURCE, isAboutGiven, type Search, searchesFor } from "../../gathering/plan.ts";
import { mergeSearches, searchSources } from "../../gathering/search.ts";
import { lookAgain, type SecondLookDeps } from "../../gathering/second-look.ts";
import type { ExecutorStateValue, ExecutorUpdate } from "./state.ts";

export interface SearchDeps extends SecondLookDeps {
  readonly sources: ReadonlyMap<string, SearchSource>;
  readonly searchTimeoutMs: number;
}

/** What the user gave may wait for its analysis for this share of the time that is left for searching and reading. */
const GIVEN_SHARE = 0.5;

/**
 * Asks the sources the queries that the user gave or a model wrote. If there are none, all sources are asked the question. Where nothing
 * relevant is found, a model may rewrite the queries once, and the sources are asked again.
 */
export function createSearchNode({ sources, searchTimeoutMs, analyst }: SearchDeps): GraphNode<ExecutorStateValue, ExecutorUpdate> {
  return async (state, effects) => {
    const { task } = state;
    const ask = (searches: readonly Search[]) => {
      const leftMs = readingMsLeft(state, effects);
      const timeoutMs = Math.min(searchTimeoutMs, leftMs);
      const givenTimeoutMs = Math.max(timeoutMs, Math.floor(leftMs * GIVEN_SHARE));
      return searchSources(searches, { sources, task, timeoutMs, givenTimeoutMs, effects });
    };
    const searches = searchesFor(state.queries, task);
    const given = [...givenUrls(task), ...state.leads];
    const asked = await ask(searches);
    emitFound(state.hits, [...given, ...asked.hits], effects);
    if (isAboutGiven(state.queries, task)) return { hits: [...given, ...asked.hits], ledger: asked.entries };
    const again = await lookAgain(searches, asked, { state, analyst, limit: HITS_PER_SOURCE, effects });
    const entries = [...asked.entries, ...again.ledger];
    if (again.searches.length === 0) return { hits: [...given, ...asked.hits], ledger: entries };
    const second = await ask(again.searches);
    emitFound([...state.hits, ...given, ...asked.hits], second.hits, effects);
    return { hits: [...given, ...mergeSearches(asked.hits, second.hits)], queries: again.queries, ledger: [...entries, ...second.entries] };
  };
}
