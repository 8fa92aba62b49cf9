import type { SpentBudget } from "../domain/budget.ts";
import type { Hit } from "../domain/hit.ts";
import type { Analyst } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import { type PlannedQuery, queryKey } from "../domain/queries.ts";
import type { LedgerEntry } from "../domain/report.ts";
import { type Task, taskView } from "../domain/task.ts";
import { stripUnknownAddresses } from "../evidence/address-filter.ts";
import { COVERAGE } from "../ranking/compute-hits.ts";
import { MIN_COVERAGE } from "../ranking/query-coverage.ts";
import { keywords } from "../ranking/query-terms.ts";
import { firstLines, knownAddresses, shownQuery } from "./found.ts";
import { gatheringMsLeft } from "./limits.ts";
import { planSearches, type Search } from "./plan.ts";
import type { Searched } from "./search.ts";
import { threadHits } from "./thread.ts";

export interface SecondLookDeps {
  readonly analyst: Pick<Analyst, "rewrite">;
}

interface SecondLook {
  readonly queries: readonly PlannedQuery[];
  /** Empty if the sources are not to be asked again. */
  readonly searches: readonly Search[];
  readonly ledger: readonly LedgerEntry[];
}

interface SearchingState {
  readonly task: Task;
  readonly startedAt: number;
  readonly hits: readonly Hit[];
  readonly ledger: readonly LedgerEntry[];
  readonly spent: SpentBudget | null;
}

interface LookContext extends SecondLookDeps {
  readonly state: SearchingState;
  readonly limit: number;
  readonly effects: Effects;
}

/** A decision may use the same share of the time. */
const REWRITING_SHARE = 0.5;
const BEST_SHOWN = 5;

/**
 * Asks the analyst for other queries if nothing relevant to those that were asked is known: neither their hits nor the results of tools
 * are relevant by titles and snippets.
 */
export async function lookAgain(asked: readonly Search[], { hits, entries }: Searched, context: LookContext): Promise<SecondLook> {
  const { state, analyst, limit, effects } = context;
  const { task } = state;
  const nothing: SecondLook = { queries: [], searches: [], ledger: [] };
  const { sourceFacts: sources } = task;
  if (analyst.rewrite === undefined || sources === undefined || !mayAskModel(state, effects)) return nothing;
  if (entries.every(({ outcome }) => outcome === "failed")) return nothing;
  const texts = [...new Set(asked.map(({ query }) => query.text))];
  // Of a question only these words are sent to most sources.
  const words = asked.map(({ query: { text, written } }) => (written === true ? text : keywords(text).join(" ")));
  const coverage = await effects.compute(COVERAGE, [...new Set(words)], [...state.hits, ...hits, ...threadHits(task)]);
  if (coverage >= MIN_COVERAGE) return nothing;
  const timeoutMs = Math.floor(gatheringMsLeft(state, effects) * REWRITING_SHARE);
  const best = hits.slice(0, BEST_SHOWN).map(firstLines);
  const { queries, ledger = [] } = await analyst.rewrite({ ...taskView(task), timeoutMs, sources, asked: texts, best }, effects);
  const known = new Set(asked.map(keyOf));
  const searches = planSearches(queries, task, limit)
    .filter((search) => !known.has(keyOf(search)))
    .map((search): Search => ({ ...search, asked: { ...search.asked, rewritten: true } }));
  if (searches.length === 0) return { ...nothing, ledger };
  const addresses = knownAddresses(state);
  const shown = (text: string): string => stripUnknownAddresses(text, addresses);
  effects.emit({
    type: "queries-rewritten",
    queries: queries.map((query) => shownQuery(query, addresses)),
    from: texts.map(shown),
    relevance: Number(coverage.toFixed(3)),
  });
  return { queries, searches, ledger };
}

/** Not if the user gave the queries, the gathering was ended by a budget, its time is over, or the model failed before. */
function mayAskModel(state: SearchingState, effects: Effects): boolean {
  const { models, queries } = state.task;
  if (models === null || queries !== undefined) return false;
  const failed = state.ledger.some(({ what, outcome }) => what === "model" && outcome === "failed");
  return !failed && state.spent === null && gatheringMsLeft(state, effects) > 0;
}

function keyOf({ source, query: { limit: _limit, ...query } }: Search): string {
  return JSON.stringify([source, queryKey(query)]);
}
