import { earlierQuestions } from "../../domain/history.ts";
import { DOCUMENTS_SOURCE } from "../../domain/hit.ts";
import type { GraphNode } from "../../domain/ports/effects.ts";
import type { SearchSource } from "../../domain/ports/sources.ts";
import type { PlannedQuery } from "../../domain/queries.ts";
import type { Task } from "../../domain/request.ts";
import { sinceOf } from "../../gathering/dates.ts";
import { givenUrls } from "../../gathering/given-material.ts";
import { readingMsLeft } from "../../gathering/limits.ts";
import { searchLanguage } from "../../ranking/language.ts";
import { isBareRequest } from "../../ranking/query-terms.ts";
import { limitOf, mergeSearches, planSearches, type Search, searchSources } from "../shared/search-sources.ts";
import { emitFound } from "../shared/sources.ts";
import { lookAgain, type SecondLookDeps } from "./second-look.ts";
import type { ExecutorStateValue, ExecutorUpdate } from "./state.ts";

export interface SearchDeps extends SecondLookDeps {
  readonly sources: ReadonlyMap<string, SearchSource>;
  readonly searchTimeoutMs: number;
}

const HITS_PER_SOURCE = 20;
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

/** Returns what the sources are asked: the queries or, where a model gave none that go to a source, the words of the question. */
export function searchesFor(queries: readonly PlannedQuery[], task: Task): Search[] {
  const written = planSearches(queries, task, HITS_PER_SOURCE);
  if (written.length > 0 || task.queries !== undefined) return written;
  const all = questionSearches(task);
  return isAboutGiven(queries, task) ? all.filter(({ source }) => source === DOCUMENTS_SOURCE) : all;
}

/** "Summarize this" is about what the user gave, and has no word to search for. */
function isAboutGiven(queries: readonly PlannedQuery[], { given = [], question }: Task): boolean {
  return queries.length === 0 && given.length > 0 && isBareRequest(question);
}

function questionSearches(task: Task): Search[] {
  const { question, language, history, sources } = task;
  const earlier = earlierQuestions(history);
  const words = { text: question, language: searchLanguage(language, question), limit: HITS_PER_SOURCE };
  const query = { ...words, ...(earlier !== "" && { context: earlier }), ...sinceOf(task) };
  return sources.map((source) => ({ source, query: { ...query, limit: limitOf(source, task, HITS_PER_SOURCE) } }));
}
