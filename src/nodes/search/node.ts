import { earlierQuestions } from "../../domain/history.ts";
import type { GraphNode } from "../../domain/ports/node.ts";
import type { SearchSource } from "../../domain/ports/search-source.ts";
import { scopeOf } from "../../domain/request.ts";
import { searchLanguage } from "../../ranking/language.ts";
import { emitFound } from "../emit-found.ts";
import type { ExecutorStateValue, ExecutorUpdate } from "../executor/state.ts";
import { readingMsLeft } from "../time-budget.ts";
import { searchOne } from "./search-one.ts";

export interface SearchDeps {
  /** The adapters by id. A replay needs none of them. */
  readonly sources: ReadonlyMap<string, SearchSource>;
  readonly searchTimeoutMs: number;
}

/** The most hits asked of one source. */
const HITS_PER_SOURCE = 20;

/** Searches all sources in scope at the same time; one that cannot be searched is in the ledger and stops nobody. */
export function createSearchNode({ sources, searchTimeoutMs }: SearchDeps): GraphNode<ExecutorStateValue, ExecutorUpdate> {
  return async (state, effects) => {
    const timeoutMs = Math.min(searchTimeoutMs, readingMsLeft(state, effects));
    const { question, language, history } = state.task;
    const context = earlierQuestions(history);
    const query = {
      ...{ text: question, language: searchLanguage(language, question), limit: HITS_PER_SOURCE },
      ...(context !== "" && { context }),
    };
    const searched = await Promise.all(
      state.task.sources.map((id) =>
        searchOne(id, { sources, query, shownQuery: question, timeoutMs, scope: scopeOf(state.task), effects }),
      ),
    );
    const hits = searched.flatMap((one) => one.hits);
    emitFound(state.hits, hits, effects);
    return { hits, ledger: searched.map((one) => one.entry) };
  };
}
