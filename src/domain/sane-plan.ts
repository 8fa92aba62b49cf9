import { MAX_TODOS, type PlannedTodo } from "./plan.ts";

/** More are not begun at once: a plan that is too fine costs a model call for each of its crumbs. */
const MAX_NEW = 8;
const MAX_ID_LENGTH = 40;

/**
 * A plan as it may be executed, in its order. Todos without words are left out, and of equal ones all but the first; ids are made of
 * letters, digits, `_`, `.` and `-`, and unique; what a todo waits for is in the plan or among `earlier`, the ids of todos that there are already, and
 * never the todo itself, not even in a circle: the edge that would close it is dropped. At most 20 todos, of which at most 8 are new.
 */
export function sanePlan(proposed: readonly PlannedTodo[], earlier: readonly string[] = []): PlannedTodo[] {
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
export function bareWords(description: string): string {
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
