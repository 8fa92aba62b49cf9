import { repairPlan } from "../../../domain/check-plan.ts";
import type { PlannedTodo, Todo } from "../../../domain/plan.ts";

/** The plan that is to be executed, and whether the planner has changed anything. */
export interface Adopted {
  readonly todos: Todo[];
  readonly changed: boolean;
}

/** A todo that has not begun. */
export function newTodo(planned: PlannedTodo, planRound: number): Todo {
  const path = `todo:${planned.id.replace(/[\s/]+/g, "_")}`;
  return {
    ...planned,
    status: "pending",
    planRound,
    rounds: 0,
    answeredBy: null,
    result: null,
    feedback: null,
    citations: [],
    ms: 0,
    path,
  };
}

/**
 * The latest plan, made of what a planner has brought forth and of the todos before it. A completed todo whose id it names stays as it
 * is. Where it names none of them it tells only of what failed, and all of them stay. A failed todo that a plan without new ones leaves
 * out stays failed; one for which a whole plan has nothing new in its place is skipped. An empty plan changes nothing; the very first one becomes the user's question.
 */
export function adoptPlan(planned: readonly PlannedTodo[], todos: readonly Todo[], question: string, planRound: number): Adopted {
  const completed = todos.filter(({ status }) => status === "completed");
  const repaired = repairPlan(underOldIds(planned, completed), new Set(completed.map(({ id }) => id)));
  if (repaired.length === 0) {
    if (todos.length > 0) return { todos: [...todos], changed: false };
    return { todos: [newTodo(wholeQuestion(question), planRound)], changed: true };
  }
  const whole = repaired.some(({ id }) => completed.some((todo) => todo.id === id));
  const named = repaired.map((todo) => completed.find(({ id }) => id === todo.id) ?? newTodo(todo, planRound));
  const kept = keptBeside(repaired, todos, whole, planRound);
  return { todos: inOrder([...kept, ...named], todos), changed: named.some(({ status }) => status === "pending") };
}

/** A todo in the very words of one that is completed is that one, under whatever id it comes. */
function underOldIds(planned: readonly PlannedTodo[], completed: readonly Todo[]): PlannedTodo[] {
  const taken = new Set(planned.map(({ id }) => id));
  const olds = new Map(completed.filter(({ id }) => !taken.has(id)).map(({ id, description }) => [description.trim(), id]));
  const renamed = new Map(planned.flatMap(({ id, description }) => [[id, olds.get(description.trim()) ?? id] as const]));
  const idOf = (id: string): string => renamed.get(id) ?? id;
  return planned.map((todo) => ({ ...todo, id: idOf(todo.id), dependsOn: todo.dependsOn.map(idOf) }));
}

/** The todos of earlier plans that stay although the new one does not name them. */
function keptBeside(repaired: readonly PlannedTodo[], todos: readonly Todo[], whole: boolean, planRound: number): Todo[] {
  const ids = new Set(repaired.map(({ id }) => id));
  const rest = todos.filter(({ id }) => !ids.has(id));
  const needed = new Set(repaired.flatMap(({ dependsOn }) => dependsOn));
  const completed = rest.filter(({ id, status }) => status === "completed" && (!whole || needed.has(id)));
  // A new todo takes the place of a failed one, the first of the first.
  const replacements = repaired.filter(({ id }) => todos.every((todo) => todo.id !== id)).length;
  const skipped = rest.filter(({ status }) => status === "skipped");
  const failed = rest.filter(({ status }) => status === "failed");
  // A whole plan with new todos says anew what there is to do: what it takes up no more is skipped, and has to be named.
  if (whole && replacements > 0) {
    const dropped = [...failed, ...skipped].slice(replacements);
    return [...completed, ...dropped.map((todo): Todo => ({ ...todo, status: "skipped" }))];
  }
  const left = failed.slice(replacements);
  if (whole) return [...completed, ...left, ...skipped];
  return [...completed, ...left, ...skipped.map((todo) => (todo.dependsOn.some((id) => ids.has(id)) ? newTodo(todo, planRound) : todo))];
}

/** Those of earlier plans first, in their order. */
function inOrder(all: readonly Todo[], todos: readonly Todo[]): Todo[] {
  const before = todos.flatMap(({ id }) => all.find((todo) => todo.id === id) ?? []);
  return [...before, ...all.filter((todo) => !before.includes(todo))];
}

function wholeQuestion(question: string): PlannedTodo {
  return { id: "T1", description: question.slice(0, 2_000).toWellFormed(), doneCriteria: "", keyFacts: [], priority: 1, dependsOn: [] };
}
