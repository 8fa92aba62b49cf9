import { z } from "zod";
import type { Fault } from "../errors.ts";
import { fieldsOf, listOf, textOf } from "../util/json-fields.ts";
import { issueFaults, plainIssue } from "./plain-issue.ts";
import { MAX_TODOS, type PlannedTodo, PlannedTodoSchema, TodoSchema } from "./plan.ts";

/** Limits the plan of a model, because each todo costs model calls. */
const MAX_NEW_TODOS = 8;
const MAX_ID_LENGTH = 40;
/** Event paths contain the ids of todos, so an id must not contain a slash. */
const ID = /^[\p{L}\p{N}_.-]+$/u;

/** Drops empty and repeated todos, drops unknown and cyclic dependencies, and corrects ids. `earlier` has the previous plan's ids. */
export function normalizePlan(
  proposed: readonly PlannedTodo[],
  earlier: readonly string[] = [],
  maxNew: number = MAX_NEW_TODOS,
): PlannedTodo[] {
  const { kept, idOf } = assignIds(proposed, new Set(earlier), maxNew);
  const ids = new Set([...kept.map(({ id }) => id), ...earlier]);
  const plan = kept.map((todo) => {
    const waits = new Set(todo.dependsOn.map((id) => idOf.get(id.trim()) ?? validId(id)).filter((id) => ids.has(id) && id !== todo.id));
    return { ...todo, dependsOn: [...waits].slice(0, MAX_TODOS) };
  });
  const closing = closingEdges(plan);
  return plan.map((todo, at) => ({ ...todo, dependsOn: todo.dependsOn.filter((_, index) => !closing.has(`${at} ${index}`)) }));
}

function assignIds(proposed: readonly PlannedTodo[], earlier: ReadonlySet<string>, maxNew: number) {
  const idOf = new Map<string, string>();
  const byWords = new Map<string, PlannedTodo>();
  const taken = new Set<string>();
  let left = maxNew;
  for (const todo of proposed.filter(({ description }) => /[\p{L}\p{N}]/u.test(description))) {
    const words = comparable(todo.description);
    const wanted = validId(todo.id);
    const isNew = !earlier.has(wanted) || taken.has(wanted);
    if (!byWords.has(words) && (byWords.size === MAX_TODOS || (isNew && left === 0))) continue;
    if (!byWords.has(words)) {
      const id = wanted === "" || taken.has(wanted) ? freeId(byWords.size + 1, taken.union(earlier)) : wanted;
      byWords.set(words, { ...todo, id });
      taken.add(id);
      if (isNew) left -= 1;
    }
    const { id = "" } = byWords.get(words) ?? {};
    if (!idOf.has(todo.id.trim())) idOf.set(todo.id.trim(), id);
  }
  return { kept: [...byWords.values()], idOf };
}

function comparable(description: string): string {
  return description
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\s\p{P}]+/gu, " ")
    .trim();
}

function validId(id: string): string {
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

interface References {
  readonly id: string | null;
  readonly dependsOn: readonly (string | null)[];
}

/** Returns the dependencies that close a cycle with those before them, as `todo index`. */
function closingEdges(todos: readonly References[]): ReadonlySet<string> {
  const positions = new Map(todos.map(({ id }, at) => [id, at] as const).reverse());
  const kept = todos.map((): number[] => []);
  const reaches = (from: number, to: number, seen: Set<number>): boolean => {
    if (from === to) return true;
    if (seen.has(from)) return false;
    seen.add(from);
    return kept[from]?.some((next) => reaches(next, to, seen)) === true;
  };
  const closing = new Set<string>();
  for (const [at, { dependsOn }] of todos.entries()) {
    for (const [index, other] of dependsOn.entries()) {
      const next = other === null ? undefined : positions.get(other);
      if (next === undefined) continue;
      if (reaches(next, at, new Set())) closing.add(`${at} ${index}`);
      else kept[at]?.push(next);
    }
  }
  return closing;
}

/** Users may send back the todos that the API shows. Fields such as `status` are ignored. */
const SHOWN_FIELDS = Object.fromEntries(Object.keys(TodoSchema.shape).map((key) => [key, z.unknown().optional()]));
const EditedTodoSchema = z.strictObject({ ...SHOWN_FIELDS, ...PlannedTodoSchema.shape });
const EditedPlanSchema = z.strictObject({ todos: z.array(EditedTodoSchema).max(MAX_TODOS) });

export function planFaults(plan: unknown): Fault[] {
  const shape = issueFaults(EditedPlanSchema.safeParse(plan, { error: plainIssue }).error?.issues ?? []);
  const { todos: list } = fieldsOf(plan);
  if (!Array.isArray(list)) return shape;
  if (list.length === 0) return [{ path: "/todos", message: "must have at least one todo; reject the plan if nothing should be executed" }];
  const todos = list.map(fieldsOf).map(({ id, dependsOn, description }) => {
    return { id: idOrNull(id), dependsOn: listOf(dependsOn).map(idOrNull), description: textOf(description) };
  });
  return [...shape, ...referenceFaults(todos), ...(todos.length > MAX_TODOS ? [] : repeatFaults(todos))];
}

function idOrNull(value: unknown): string | null {
  return typeof value === "string" ? value.trim() : null;
}

function repeatFaults(todos: readonly { readonly id: string | null; readonly description: string }[]): Fault[] {
  const descriptions = todos.map(({ description }) => comparable(description));
  return descriptions.flatMap((words, at): Fault[] => {
    const first = descriptions.indexOf(words);
    if (words === "" || first === at) return [];
    return [{ path: `/todos/${at}/description`, message: `repeats the description of ${todos[first]?.id ?? `todo ${first + 1}`}` }];
  });
}

function referenceFaults(all: readonly References[]): Fault[] {
  const known = new Set(all.map(({ id }) => id));
  const todos = all.slice(0, MAX_TODOS).map(({ id, dependsOn }) => ({ id, dependsOn: dependsOn.slice(0, MAX_TODOS) }));
  const ids = todos.map(({ id }) => id);
  const closing = closingEdges(todos);
  return todos.flatMap(({ id, dependsOn }, at): Fault[] => [
    ...(id ? idFaults(id, at, ids) : []),
    ...dependsOn.flatMap((other, index): Fault[] => {
      const path = `/todos/${at}/dependsOn/${index}`;
      if (other === null) return [];
      if (other === id) return [{ path, message: "is the id of this todo, which cannot depend on itself" }];
      if (!known.has(other)) return [{ path, message: `names the todo ${other}, which the plan does not have` }];
      return closing.has(`${at} ${index}`) ? [{ path, message: "closes a cycle of dependencies" }] : [];
    }),
  ]);
}

function idFaults(id: string, at: number, ids: readonly (string | null)[]): Fault[] {
  const path = `/todos/${at}/id`;
  const faults = ID.test(id) ? [] : [{ path, message: "can contain only letters, digits, _ . -" }];
  return ids.indexOf(id) < at ? [...faults, { path, message: `${id} is the id of an earlier todo` }] : faults;
}
