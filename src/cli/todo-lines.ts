import type { RunEvent } from "../domain/events.ts";
import { type Todo, TodoSchema } from "../domain/plan.ts";

/** Tells what has changed since the todos were told last; what is no list of todos changes nothing. */
export function openTodoLines(): (event: RunEvent) => string[] {
  const known = new Map<string, string>();
  return (event) => {
    if (event.type !== "component" || event.component !== "todo-list") return [];
    const { todos } = event.props as { todos?: unknown };
    const read = Array.isArray(todos) ? todos.flatMap((todo) => TodoSchema.safeParse(todo).data ?? []) : [];
    return read.flatMap((todo) => {
      const state = `${todo.status} ${todo.planRound}`;
      if (known.get(todo.id) === state) return [];
      known.set(todo.id, state);
      return [lineOf(todo)];
    });
  };
}

function lineOf({ id, status, description, feedback, answeredBy }: Todo): string {
  const how = status === "completed" && answeredBy !== null && answeredBy !== "execution" ? ` by ${answeredBy}` : "";
  const why = (status === "failed" || status === "skipped") && feedback ? `: ${feedback}` : "";
  return `  todo ${id} ${status}${how}${status === "pending" ? `: ${description}` : why}`;
}
