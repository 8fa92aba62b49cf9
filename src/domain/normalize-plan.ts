import { z } from "zod";
import type { Fault } from "../errors.ts";
import { MAX_TODOS, type PlannedTodo, PlannedTodoSchema, TodoSchema } from "./plan.ts";

/** More are not begun at once: a plan that is too fine costs a model call for each of its crumbs. */
const MAX_NEW = 8;
const MAX_ID_LENGTH = 40;

/**
 * A plan as it may be executed, in its order. Todos without words are left out, and of equal ones all but the first; ids are made of
 * letters, digits, `_`, `.` and `-`, and unique; what a todo waits for is in the plan or among `earlier`, the ids of todos that there are already, and
 * never the todo itself, not even in a circle: the edge that would close it is dropped. At most 20 todos, of which at most 8 are new.
 */
export function normalizePlan(proposed: readonly PlannedTodo[], earlier: readonly string[] = []): PlannedTodo[] {
  const { kept, nameOf } = name(distinct(proposed), new Set(earlier));
  const ids = new Set([...kept.map(({ id }) => id), ...earlier]);
  const plan = kept.map((todo) => {
    const waits = new Set(todo.dependsOn.map(nameOf).filter((id) => ids.has(id) && id !== todo.id));
    return { ...todo, dependsOn: [...waits].slice(0, MAX_TODOS) };
  });
  return withoutCircles(plan);
}

interface Named {
  readonly todo: PlannedTodo;
  /** All the ids that it was called by. */
  readonly called: readonly string[];
}

function distinct(proposed: readonly PlannedTodo[]): Named[] {
  const worded = proposed.filter(({ description }) => /[\p{L}\p{N}]/u.test(description));
  const equal = Map.groupBy(worded, ({ description }) => bareWords(description));
  return [...equal.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ todo: first, called: [first, ...others].map(({ id }) => id) }],
  );
}

/** What a description says, whatever its case, spaces and punctuation: two todos with the same are one. */
function bareWords(description: string): string {
  return description
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\s\p{P}]+/gu, " ")
    .trim();
}

interface NamedPlan {
  readonly kept: readonly PlannedTodo[];
  readonly nameOf: (called: string) => string;
}

function name(todos: readonly Named[], earlier: ReadonlySet<string>): NamedPlan {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const kept: PlannedTodo[] = [];
  let left = MAX_NEW;
  for (const { todo, called } of todos) {
    const wanted = plain(todo.id);
    const isNew = !earlier.has(wanted) || taken.has(wanted);
    if (kept.length === MAX_TODOS || (isNew && left === 0)) continue;
    if (isNew) left -= 1;
    const id = wanted === "" || taken.has(wanted) ? freeId(kept.length + 1, new Set([...taken, ...earlier])) : wanted;
    taken.add(id);
    for (const one of called) if (!names.has(one.trim())) names.set(one.trim(), id);
    kept.push({ ...todo, id });
  }
  return { kept, nameOf: (called) => names.get(called.trim()) ?? plain(called) };
}

/** Ids stand in paths of events. */
function plain(id: string): string {
  const clean = id
    .trim()
    .replaceAll(/[^\p{L}\p{N}_.-]+/gu, "-")
    .replaceAll(/^-+|-+$/g, "");
  return clean.slice(0, MAX_ID_LENGTH).toWellFormed();
}

function freeId(from: number, taken: ReadonlySet<string>): string {
  let number = from;
  while (taken.has(`T${number}`)) number += 1;
  return `T${number}`;
}

function withoutCircles(plan: readonly PlannedTodo[]): PlannedTodo[] {
  const waitsFor = new Map<string, string[]>();
  const reaches = (from: string, to: string, seen: Set<string>): boolean => {
    if (from === to) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return (waitsFor.get(from) ?? []).some((next) => reaches(next, to, seen));
  };
  return plan.map((todo) => {
    const kept: string[] = [];
    waitsFor.set(todo.id, kept);
    for (const id of todo.dependsOn) if (!reaches(id, todo.id, new Set())) kept.push(id);
    return { ...todo, dependsOn: [...kept] };
  });
}

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
