import type { Fault } from "../errors.ts";
import { MAX_TODOS, type Plan, type PlannedTodo } from "./plan.ts";

/** What is wrong with the ids and references of a plan, each with a JSON pointer below the plan; empty where it can be executed. */
export function planFaults({ todos }: Plan): Fault[] {
  if (todos.length === 0) return [{ path: "/todos", message: "must have at least one todo; reject the plan to have nothing executed" }];
  const ids = todos.map(({ id }) => id);
  const faults = todos.flatMap(({ id, dependsOn }, at): Fault[] => [
    ...(ids.indexOf(id) < at ? [{ path: `/todos/${at}/id`, message: `${id} is the id of an earlier todo` }] : []),
    ...dependsOn.flatMap((other, index): Fault[] => {
      const path = `/todos/${at}/dependsOn/${index}`;
      if (other === id) return [{ path, message: "is the todo itself" }];
      return ids.includes(other) ? [] : [{ path, message: `there is no todo ${other}` }];
    }),
  ]);
  if (faults.length > 0) return faults;
  const closing = closingEdges(todos);
  return closing.map(({ at, index }) => ({ path: `/todos/${at}/dependsOn/${index}`, message: "closes a circle of todos" }));
}

/**
 * A plan that can be executed, made of whatever a planner brought forth: ids are unique, references lead to todos of the plan or to
 * those that are `known` from before, nothing waits for itself, and there are at most 20.
 */
export function repairPlan(planned: readonly PlannedTodo[], known: ReadonlySet<string> = new Set()): PlannedTodo[] {
  const named = withOwnIds(planned.filter(({ description }) => description.trim() !== "").slice(0, MAX_TODOS));
  const ids = new Set([...known, ...named.map(({ id }) => id)]);
  const referring = named.map((todo) => ({
    ...todo,
    dependsOn: [...new Set(todo.dependsOn)].filter((other) => other !== todo.id && ids.has(other)),
  }));
  const closing = closingEdges(referring);
  return referring.map((todo, at) => {
    const dropped = closing.filter((edge) => edge.at === at).map(({ index }) => index);
    return dropped.length === 0 ? todo : { ...todo, dependsOn: todo.dependsOn.filter((_, index) => !dropped.includes(index)) };
  });
}

function withOwnIds(todos: readonly PlannedTodo[]): PlannedTodo[] {
  const taken = new Set(todos.map(({ id }) => id));
  const seen = new Set<string>();
  return todos.map((todo) => {
    let { id } = todo;
    for (let next = 2; seen.has(id) || (id !== todo.id && taken.has(id)); next += 1) id = `${todo.id}-${next}`;
    seen.add(id);
    return { ...todo, id };
  });
}

/** The references that would have to go so that no todo waits for itself, in the order of the plan. */
function closingEdges(todos: readonly PlannedTodo[]): { readonly at: number; readonly index: number }[] {
  const places = new Map(todos.map(({ id }, at) => [id, at]));
  const dropped: { at: number; index: number }[] = [];
  const done = new Set<number>();
  const open = new Set<number>();
  const visit = (at: number): void => {
    if (done.has(at)) return;
    open.add(at);
    for (const [index, other] of (todos[at]?.dependsOn ?? []).entries()) {
      const next = places.get(other);
      if (next === undefined) continue;
      if (open.has(next)) dropped.push({ at, index });
      else visit(next);
    }
    open.delete(at);
    done.add(at);
  };
  for (const at of todos.keys()) visit(at);
  return dropped.sort((a, b) => a.at - b.at || a.index - b.index);
}
