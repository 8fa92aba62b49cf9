import { earlierQuestions } from "../../domain/history.ts";
import type { GraphNode } from "../../domain/ports/effects.ts";
import { emitFound } from "../../gathering/found.ts";
import { readingMsLeft } from "../../gathering/limits.ts";
import { KEEP, type RankDeps, rankFound, unreadDocuments } from "../../gathering/rank.ts";
import { queriesOf } from "../../ranking/relevance.ts";
import type { ExecutorStateValue, ExecutorUpdate } from "./state.ts";

export function createRerankNode(deps: RankDeps): GraphNode<ExecutorStateValue, ExecutorUpdate> {
  return async (state, effects) => {
    const { task } = state;
    // The words of a question in another language than the sources' stand in none of their texts. A ranking service, too, is sent only what
    // the user gave to search for.
    const written = state.queries.map(({ text }) => text);
    const question = [...(task.queries === undefined ? [task.question] : []), ...written].join("\n");
    // The quoting search also needs the other texts: it weighs words by their rarity among all that it reads.
    const queries = task.models === null ? undefined : queriesOf(task.question, earlierQuestions(task.history), written);
    const { ranked, spare, recalled, entries, left } = await rankFound(state.hits, deps, {
      ...{ task, question, queries, keep: KEEP, timeoutMs: readingMsLeft(state, effects), effects },
    });
    emitFound(state.hits, recalled, effects);
    const ledger = [...unreadDocuments(left, task), ...entries];
    return { ranked, spare, hits: recalled, ...(ledger.length > 0 && { ledger }) };
  };
}
