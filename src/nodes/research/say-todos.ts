import type { JsonValue } from "../../domain/json.ts";
import type { Todo } from "../../domain/plan.ts";
import type { Effects } from "../../domain/ports/effects.ts";

/** Tells readers how the todos stand; a run's todos are those that were told last. */
export function sayTodos(todos: readonly Todo[], effects: Pick<Effects, "emit">): void {
  effects.emit({ type: "component", component: "todo-list", props: { todos: [...todos] } as unknown as JsonValue, partial: false });
}
