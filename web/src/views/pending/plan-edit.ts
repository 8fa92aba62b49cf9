import type { JsonValue } from "../../../../src/domain/json.ts";
import { fieldsOf, isFields, listOf, textOf, textsIn } from "../../../../src/util/json-fields.ts";

/** A todo of the plan in the form. Fields that the form does not show go back as they came. */
export interface EditedTodo {
  readonly id: string;
  readonly description: string;
  readonly dependsOn: readonly string[];
  readonly others: Readonly<Record<string, JsonValue>>;
}

export function readPlan(plan: unknown): EditedTodo[] {
  const todos = listOf(fieldsOf(plan)["todos"]).filter(isFields);
  return todos.map(({ id, description, dependsOn, ...others }) => ({
    id: textOf(id),
    description: textOf(description),
    dependsOn: textsIn(dependsOn),
    // They came as JSON.
    others: others as EditedTodo["others"],
  }));
}

export function writePlan(todos: readonly EditedTodo[]): JsonValue {
  return {
    todos: todos.map(({ id, description, dependsOn, others }) => ({
      ...others,
      id,
      description: description.trim(),
      dependsOn: [...dependsOn],
    })),
  };
}

export function reword(todos: readonly EditedTodo[], id: string, description: string): EditedTodo[] {
  return todos.map((todo) => (todo.id === id ? { ...todo, description } : todo));
}

/** Moves a todo by `steps` places, as far as the list goes. */
export function move(todos: readonly EditedTodo[], id: string, steps: number): EditedTodo[] {
  const from = todos.findIndex((todo) => todo.id === id);
  const to = Math.max(0, Math.min(todos.length - 1, from + steps));
  const todo = todos[from];
  if (todo === undefined) return [...todos];
  return todos.toSpliced(from, 1).toSpliced(to, 0, todo);
}

/** Todos that depended on the removed one depend on it no more. */
export function remove(todos: readonly EditedTodo[], id: string): EditedTodo[] {
  return todos.filter((todo) => todo.id !== id).map((todo) => ({ ...todo, dependsOn: todo.dependsOn.filter((other) => other !== id) }));
}

/** Adds or takes away that a todo waits for another one. */
export function toggleDependency(todos: readonly EditedTodo[], id: string, on: string): EditedTodo[] {
  return todos.map((todo) => {
    if (todo.id !== id) return todo;
    const rest = todo.dependsOn.filter((other) => other !== on);
    return { ...todo, dependsOn: rest.length < todo.dependsOn.length ? rest : [...rest, on] };
  });
}

/** Returns the todos that this one may wait for: not itself, and none that waits for it, directly or through others. */
export function possibleDependencies(todos: readonly EditedTodo[], id: string): EditedTodo[] {
  const waiting = new Set([id]);
  // Each round finds those that wait for one more todo in between.
  for (let found = 0; found < waiting.size; ) {
    found = waiting.size;
    for (const todo of todos) if (todo.dependsOn.some((other) => waiting.has(other))) waiting.add(todo.id);
  }
  return todos.filter((todo) => !waiting.has(todo.id));
}

export function add(todos: readonly EditedTodo[]): EditedTodo[] {
  const ids = new Set(todos.map(({ id }) => id));
  let number = todos.length + 1;
  while (ids.has(`N${number}`)) number += 1;
  return [...todos, { id: `N${number}`, description: "", dependsOn: [], others: {} }];
}
