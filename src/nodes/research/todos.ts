import { isGraphBubbleUp } from "@langchain/langgraph";
import { type PaidBudget, refusedBudget } from "../../domain/budget.ts";
import { mergeFindings, NOTHING_FOUND } from "../../domain/citations.ts";
import type { JsonValue } from "../../domain/json.ts";
import type { PlannedTodo, Todo } from "../../domain/plan.ts";
import type { Executed, Findings } from "../../domain/ports/analyst.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import { isChecked } from "../../domain/report.ts";
import { DossierError, toDossierError } from "../../errors.ts";
import type { Gathered, ResearchStateValue, ResearchUpdate, TodoStateValue } from "./state.ts";

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

export function newTodo(planned: PlannedTodo, planRound: number): Todo {
  const path = `todo:${planned.id.replace(/[\s/]+/g, "_")}`;
  const unanswered = { rounds: 0, answeredBy: null, result: null, feedback: null, citations: [], ms: 0 };
  return { ...planned, status: "pending", planRound, ...unanswered, path };
}

/** In UTF-16 code units. */
const MAX_RESULT_LENGTH = 500;

/** Returns how a todo stands that was executed. */
export function endOf(ending: NonNullable<TodoStateValue["ending"]>, summary: string, findings: Findings): Partial<Todo> {
  if (ending === "completed") return completedWith(summary || firstNote(findings), null);
  if (ending === "exhausted") return completedWith(firstNote(findings), summary);
  return { status: ending, result: null, feedback: summary, answeredBy: null };
}

export function completedWith(result: string, feedback: string | null) {
  const short = result.slice(0, MAX_RESULT_LENGTH).toWellFormed();
  return { status: "completed", result: short, feedback, answeredBy: "execution" } as const;
}

/** Returns the first sentence whose quotes hold; `""` if there is none. */
export function firstNote({ claims }: Findings): string {
  return claims.find(isChecked)?.text ?? "";
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
