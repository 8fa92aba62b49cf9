import type { LedgerEntry } from "../../../domain/report.ts";
import type { ResearchStateValue, TodoWork } from "../../../graphs/research/state.ts";

/** The most rows of one report. */
const MAX_ROWS = 2_000;

/** Where every part of the run looked, the todos first, in the order of the plan. */
export function ledgerOf(state: ResearchStateValue, works: readonly TodoWork[], ofTheSummary: readonly LedgerEntry[]): LedgerEntry[] {
  const ids = new Set(works.map(({ todo }) => todo.id));
  const replaced = state.work.filter(({ todo }) => !ids.has(todo.id));
  const ofTodos = [...works, ...replaced].flatMap(({ ledger }) => ledger);
  return [...ofTodos.slice(0, MAX_ROWS), ...state.ledger, ...ofTheSummary];
}
