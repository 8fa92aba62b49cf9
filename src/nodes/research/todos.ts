import { isGraphBubbleUp } from "@langchain/langgraph";
import { type PaidBudget, refusedBudget } from "../../domain/budget.ts";
import { mergeFindings, NOTHING_FOUND } from "../../domain/citations.ts";
import type { JsonValue } from "../../domain/json.ts";
import type { Todo } from "../../domain/plan.ts";
import type { Executed } from "../../domain/ports/analyst.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import { DossierError, toDossierError } from "../../errors.ts";
import type { Gathered, ResearchStateValue, ResearchUpdate } from "./state.ts";

/** Counts one step for this node and one for all parallel branches of the node `todo`. */
export async function collectNode(): Promise<ResearchUpdate> {
  return { steps: 2 };
}

export function executedOf({ todos, work }: Pick<ResearchStateValue, "todos" | "work">): Executed[] {
  return todos.flatMap((todo) => {
    const done = work.find((one) => one.todo.id === todo.id);
    return done === undefined ? [] : [{ todo, findings: done.findings }];
  });
}

export const NOTHING_GATHERED: Gathered = { findings: NOTHING_FOUND, hits: [], ranked: [], read: [], ledger: [] };

export function joinGathered(before: Gathered, more: Gathered): Gathered {
  return {
    findings: mergeFindings([before.findings, more.findings]),
    hits: [...before.hits, ...more.hits],
    ranked: [...before.ranked, ...more.ranked],
    read: [...before.read, ...more.read],
    ledger: [...before.ledger, ...more.ledger],
  };
}

export function emitTodos(todos: readonly Todo[], effects: Pick<Effects, "emit">): void {
  effects.emit({ type: "component", component: "todo-list", props: { todos: [...todos] } as unknown as JsonValue, partial: false });
}

const RUN_ERRORS: readonly string[] = [
  "run_closed",
  "fenced",
  "cancelled",
  "replay_diverged",
  "storage_unavailable",
  "storage_damaged",
  "draining",
];

/** Rethrows errors that are not failures, such as a wait for the user or an abort. */
export function rethrowControlFlow(error: unknown, effects: Pick<Effects, "signal">): void {
  if (isGraphBubbleUp(error)) throw error;
  effects.signal.throwIfAborted();
  if (error instanceof DossierError && RUN_ERRORS.includes(error.code)) throw error;
}

type MaybeRefused<T> = { readonly result: T; readonly spent: null } | { readonly result: null; readonly spent: PaidBudget };

/** Returns the result of `work`, or the budget that refused its model call. @throws any other error of `work` */
export async function catchRefusal<T>(work: () => Promise<T>, effects: Pick<Effects, "signal">): Promise<MaybeRefused<T>> {
  try {
    return { result: await work(), spent: null };
  } catch (error) {
    rethrowControlFlow(error, effects);
    const spent = refusedBudget(toDossierError(error));
    if (spent === null) throw error;
    return { result: null, spent };
  }
}
