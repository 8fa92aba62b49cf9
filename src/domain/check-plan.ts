import { z } from "zod";
import type { Fault } from "../errors.ts";
import { MAX_TODOS, type PlannedTodo, PlannedTodoSchema, TodoSchema } from "./plan.ts";
import { bareWords } from "./sane-plan.ts";

/** Ids stand in paths of events. */
const ID = /^[\p{L}\p{N}_.-]+$/u;

/** What a run shows of a todo may come back with it; how the todo stands is the run's to say, and not read. */
const OWN_TO_RUN = Object.fromEntries(Object.keys(TodoSchema.shape).map((key) => [key, z.unknown().optional()]));
const EditedTodoSchema = z.strictObject({ ...OWN_TO_RUN, ...PlannedTodoSchema.shape });
const EditedPlanSchema = z.strictObject({ todos: z.array(EditedTodoSchema).max(MAX_TODOS) });

/** Of a plan as somebody wrote it, what can be read of its ids and references. */
interface Referring {
  readonly id: string | null;
  readonly dependsOn: readonly (string | null)[];
}
const LooseTodoSchema = z
  .object({
    id: z.string().trim().nullable().catch(null),
    dependsOn: z.array(z.string().trim().nullable().catch(null)).catch([]),
    description: z.string().catch(""),
  })
  .catch({ id: null, dependsOn: [], description: "" });
const LoosePlanSchema = z.object({ todos: z.array(LooseTodoSchema) });

/**
 * Everything that is wrong with what should be a plan, in its shape as in its ids, words and references, each with a JSON pointer below
 * the plan; empty where it can be executed.
 */
export function planFaults(plan: unknown): Fault[] {
  const shape = (EditedPlanSchema.safeParse(plan).error?.issues ?? []).flatMap(shapeFaults);
  const { data } = LoosePlanSchema.safeParse(plan);
  if (data === undefined) return shape;
  if (data.todos.length === 0)
    return [{ path: "/todos", message: "must have at least one todo; reject the plan to have nothing executed" }];
  return [...shape, ...referenceFaults(data.todos), ...(data.todos.length > MAX_TODOS ? [] : repeated(data.todos))];
}

/** An unknown field is named itself, not the todo around it. */
function shapeFaults(issue: z.core.$ZodIssue): Fault[] {
  if (issue.code !== "unrecognized_keys") return [{ path: pointer(issue.path), message: issue.message }];
  return issue.keys.map((key) => ({ path: pointer([...issue.path, key]), message: "is not a known field" }));
}

function pointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

/** Todos that say what an earlier one says would be executed twice. */
function repeated(todos: readonly { readonly id: string | null; readonly description: string }[]): Fault[] {
  const said = todos.map(({ description }) => bareWords(description));
  return said.flatMap((words, at): Fault[] => {
    const first = said.indexOf(words);
    if (words === "" || first === at) return [];
    return [{ path: `/todos/${at}/description`, message: `says the same as that of ${todos[first]?.id ?? `todo ${first + 1}`}` }];
  });
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
