import { earlierQuestions } from "../../domain/history.ts";
import type { GraphNode } from "../../domain/ports/effects.ts";
import type { SearchSource } from "../../domain/ports/sources.ts";
import type { Task } from "../../domain/request.ts";
import { searchLanguage } from "../../ranking/language.ts";
import { readingMsLeft } from "../shared/limits.ts";
import { planSearches, type Search, searchSources } from "../shared/search-sources.ts";
import { emitFound } from "../shared/sources.ts";
import type { ExecutorStateValue, ExecutorUpdate } from "./state.ts";

export interface SearchDeps {
  readonly sources: ReadonlyMap<string, SearchSource>;
  readonly searchTimeoutMs: number;
}

const HITS_PER_SOURCE = 20;

/** Asks the sources the queries that a model wrote. If none fits a source of the run, all sources are asked the question. */
export function createSearchNode({ sources, searchTimeoutMs }: SearchDeps): GraphNode<ExecutorStateValue, ExecutorUpdate> {
  return async (state, effects) => {
    const { task } = state;
    const timeoutMs = Math.min(searchTimeoutMs, readingMsLeft(state, effects));
    const written = planSearches(state.queries, task, HITS_PER_SOURCE);
    const { hits, entries } = await searchSources(written.length > 0 ? written : questionSearches(task), {
      sources,
      task,
      timeoutMs,
      effects,
    });
    emitFound(state.hits, hits, effects);
    return { hits, ledger: entries };
  };
}

function questionSearches({ question, language, history, sources }: Task): Search[] {
  const earlier = earlierQuestions(history);
  const words = { text: question, language: searchLanguage(language, question), limit: HITS_PER_SOURCE };
  const query = { ...words, ...(earlier !== "" && { context: earlier }) };
  return sources.map((source) => ({ source, query }));
}
