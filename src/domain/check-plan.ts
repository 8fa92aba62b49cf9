import { z } from "zod";
import type { Fault } from "../errors.ts";
import { MAX_TODOS, type PlannedTodo, PlanSchema } from "./plan.ts";

/** Ids stand in paths of events. */
const ID = /^[\p{L}\p{N}_.-]+$/u;

/** Of a plan as somebody wrote it, what can be read of its ids and references. */
interface Referring {
  readonly id: string | null;
  readonly dependsOn: readonly (string | null)[];
}
const LooseTodoSchema = z
  .object({
    id: z.string().trim().nullable().catch(null),
    dependsOn: z.array(z.string().trim().nullable().catch(null)).catch([]),
  })
  .catch({ id: null, dependsOn: [] });
const LoosePlanSchema = z.object({ todos: z.array(LooseTodoSchema) });

/**
 * Everything that is wrong with what should be a plan, in its shape as in its ids and references, each with a JSON pointer below the
 * plan; empty where it can be executed.
 */
export function planFaults(plan: unknown): Fault[] {
  const { error } = PlanSchema.safeParse(plan);
  const shape = (error?.issues ?? []).map(({ path, message }) => ({ path: path.map((step) => `/${String(step)}`).join(""), message }));
  const { data } = LoosePlanSchema.safeParse(plan);
  if (data === undefined) return shape;
  if (data.todos.length === 0)
    return [{ path: "/todos", message: "must have at least one todo; reject the plan to have nothing executed" }];
  return [...shape, ...referenceFaults(data.todos)];
}

/** Those of as many todos and references as a plan may have. */
function referenceFaults(all: readonly Referring[]): Fault[] {
  const known = new Set(all.map(({ id }) => id));
  const todos = all.slice(0, MAX_TODOS).map(({ id, dependsOn }) => ({ id, dependsOn: dependsOn.slice(0, MAX_TODOS) }));
  const ids = todos.map(({ id }) => id);
  const closing = closingEdges(todos).filter(({ at, index }) => todos[at]?.dependsOn[index] !== ids[at]);
  return todos.flatMap(({ id, dependsOn }, at): Fault[] => [
    ...(id !== null && id !== "" && !ID.test(id) ? [{ path: `/todos/${at}/id`, message: "may have letters, digits, _ . - alone" }] : []),
    ...(id !== null && id !== "" && ids.indexOf(id) < at
      ? [{ path: `/todos/${at}/id`, message: `${id} is the id of an earlier todo` }]
      : []),
    ...dependsOn.flatMap((other, index): Fault[] => {
      const path = `/todos/${at}/dependsOn/${index}`;
      if (other === null) return [];
      if (other === id) return [{ path, message: "is the todo itself" }];
      if (!known.has(other)) return [{ path, message: `there is no todo ${other}` }];
      return closing.some((edge) => edge.at === at && edge.index === index) ? [{ path, message: "closes a circle of todos" }] : [];
    }),
  ]);
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
function closingEdges(todos: readonly Referring[]): { readonly at: number; readonly index: number }[] {
  // The first of a name is the one that is meant.
  const places = new Map(todos.map(({ id }, at) => [id, at] as const).reverse());
  const dropped: { at: number; index: number }[] = [];
  const done = new Set<number>();
  const open = new Set<number>();
  const visit = (at: number): void => {
    if (done.has(at)) return;
    open.add(at);
    for (const [index, other] of (todos[at]?.dependsOn ?? []).entries()) {
      const next = other === null ? undefined : places.get(other);
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
