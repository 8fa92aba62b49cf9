import { isGraphBubbleUp } from "@langchain/langgraph";
import type { JsonValue } from "../../domain/json.ts";
import type { Todo } from "../../domain/plan.ts";
import type { Effects, GraphNode } from "../../domain/ports/effects.ts";
import type { Executed } from "../../domain/ports/research-analyst.ts";
import { DossierError } from "../../errors.ts";
import type { ResearchStateValue, ResearchUpdate } from "./state.ts";

/** Where the branches of the todos come together: only here the state has what all of them have found. */
export function createCollectNode(): GraphNode<ResearchStateValue, ResearchUpdate> {
  // The step of the todos before it is one of the run's as well.
  return async () => ({ steps: 2 });
}

/** The todos of the latest plan that have been worked on, with what they found. */
export function executedOf({ todos, work }: Pick<ResearchStateValue, "todos" | "work">): Executed[] {
  return todos.flatMap((todo) => {
    const done = work.find((one) => one.todo.id === todo.id);
    return done === undefined ? [] : [{ todo, findings: done.findings }];
  });
}

/** Tells readers how the todos stand; a run's todos are those that were told last. */
export function sayTodos(todos: readonly Todo[], effects: Pick<Effects, "emit">): void {
  effects.emit({ type: "component", component: "todo-list", props: { todos: [...todos] } as unknown as JsonValue, partial: false });
}

/** Errors that say of the run, not of what one of its parts does, that it cannot go on. */
const OF_THE_RUN: readonly string[] = ["run_closed", "fenced", "cancelled", "replay_diverged", "storage_unavailable", "draining"];

/** Throws what is no failure of a part: a wait, a drain, the end of the run or of its ownership. @throws `error` itself */
export function passOn(error: unknown, effects: Pick<Effects, "signal">): void {
  if (isGraphBubbleUp(error)) throw error;
  effects.signal.throwIfAborted();
  if (error instanceof DossierError && OF_THE_RUN.includes(error.code)) throw error;
}
