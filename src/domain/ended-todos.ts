import type { Todo } from "./plan.ts";

/** The todos of a run that has ended: those that it did not come to the end of are skipped, and say so in the words `why`. */
export function endedTodos(todos: readonly Todo[], why: string): Todo[] {
  return todos.map((todo) => {
    if (todo.status !== "pending" && todo.status !== "executing") return todo;
    return { ...todo, status: "skipped", feedback: todo.feedback || why };
  });
}
