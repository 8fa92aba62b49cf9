import { failureCodeOf } from "../../domain/failures.ts";
import { earlierQuestions } from "../../domain/history.ts";
import { boundHits, type Hit } from "../../domain/hit.ts";
import type { Effects, GraphNode, KeptReplies } from "../../domain/ports/effects.ts";
import type { SearchQuery, SearchSource } from "../../domain/ports/sources.ts";
import type { LedgerEntry } from "../../domain/report.ts";
import { scopeOf } from "../../domain/request.ts";
import { DossierError, toDossierError } from "../../errors.ts";
import { searchLanguage } from "../../ranking/language.ts";
import { readingMsLeft } from "../shared/limits.ts";
import { emitFound } from "../shared/sources.ts";
import type { ExecutorStateValue, ExecutorUpdate } from "./state.ts";

export interface SearchDeps {
  readonly sources: ReadonlyMap<string, SearchSource>;
  readonly searchTimeoutMs: number;
}

const HITS_PER_SOURCE = 20;

export function createSearchNode({ sources, searchTimeoutMs }: SearchDeps): GraphNode<ExecutorStateValue, ExecutorUpdate> {
  return async (state, effects) => {
    const timeoutMs = Math.min(searchTimeoutMs, readingMsLeft(state, effects));
    const { question, language, history } = state.task;
    const earlier = earlierQuestions(history);
    const words = { text: question, language: searchLanguage(language, question), limit: HITS_PER_SOURCE };
    const query = { ...words, ...(earlier !== "" && { context: earlier }) };
    const context = { sources, query, shownQuery: question, timeoutMs, scope: scopeOf(state.task), effects };
    const searched = await Promise.all(state.task.sources.map((id) => searchOne(id, context)));
    const hits = searched.flatMap((one) => one.hits);
    emitFound(state.hits, hits, effects);
    return { hits, ledger: searched.map((one) => one.entry) };
  };
}

interface SearchContext {
  readonly sources: ReadonlyMap<string, SearchSource>;
  readonly query: SearchQuery;
  readonly shownQuery: string;
  readonly timeoutMs: number;
  readonly scope: readonly string[];
  readonly effects: Effects;
}

export async function searchOne(id: string, context: SearchContext): Promise<{ hits: Hit[]; entry: LedgerEntry }> {
  const { sources, query, shownQuery, timeoutMs, scope, effects } = context;
  const startedAt = effects.now();
  const entry = { what: "search" as const, source: id, target: shownQuery };
  const live = async (signal: AbortSignal, replies: KeptReplies): Promise<{ hits: Hit[]; gaps: string | null }> => {
    if (timeoutMs === 0) throw new DossierError("timeout", "The time of the run was used up before this search.");
    const source = sources.get(id);
    if (source === undefined) throw new DossierError("unreachable", `The source ${id} is no longer configured.`);
    const hits = boundHits(await source.search(query, { signal, scope, replies }));
    return { hits, gaps: source.gaps?.(query.language) ?? null };
  };
  try {
    const { hits, gaps } = await effects.perform({ kind: "search", request: { source: id, ...query }, timeoutMs, live });
    const outcome = hits.length > 0 ? "found" : "nothing";
    return { hits, entry: { ...entry, outcome, results: hits.length, failure: null, detail: gaps, ms: effects.elapsedMs(startedAt) } };
  } catch (error) {
    effects.signal.throwIfAborted();
    const cause = toDossierError(error);
    const { message } = cause;
    const failure = failureCodeOf(cause, "unreachable");
    effects.emit({ type: "source-failed", source: id, query: shownQuery, failure, message });
    return { hits: [], entry: { ...entry, outcome: "failed", results: 0, failure, detail: message, ms: effects.elapsedMs(startedAt) } };
  }
}
