import { budgetOf } from "../../domain/budget.ts";
import { normalizePlan } from "../../domain/normalize-plan.ts";
import { MAX_TODOS, type PlannedTodo, PlannedTodoSchema, type Todo } from "../../domain/plan.ts";
import type { Planning, PlanningView, ResearchAnalyst } from "../../domain/ports/analyst.ts";
import type { Effects, GraphNode } from "../../domain/ports/effects.ts";
import type { DocumentStore } from "../../domain/ports/sources.ts";
import type { ToolServers } from "../../domain/ports/tools.ts";
import { taskView } from "../../domain/request.ts";
import { BUILT_IN_TOOLS } from "../agent/request.ts";
import { gatheringMsLeft } from "../shared/limits.ts";
import {
  callableNames,
  failedListings,
  interleaveServers,
  listAdditional,
  listOffered,
  type ToolDeps,
  toolboxWith,
} from "../shared/tool-servers.ts";
import { type EarlierWork, earlierWork, recallWork } from "./earlier-answers.ts";
import type { ResearchStateValue, ResearchUpdate, TodoWork } from "./state.ts";
import { catchRefusal, emitTodos } from "./todos.ts";

export interface PlanDeps extends ToolDeps {
  readonly research: ResearchAnalyst;
  readonly documents: DocumentStore;
}

const PLANNING_SHARE = 0.5;

/** Asks the planner for todos. If the budget is spent, the plan stays as it is. */
export function createPlanNode(deps: PlanDeps): GraphNode<ResearchStateValue, ResearchUpdate> {
  return async (state, effects) => {
    const startedAt = state.startedAt || effects.now();
    const started = { ...state, startedAt };
    const { offered, ledger } = await listToolsToPlan(started, deps.servers, planningMs(started, effects), effects);
    // Nothing of a rejected plan was executed, so the new plan replaces it.
    const before = state.rejection === null ? state.todos : [];
    const scope = [...state.task.sources, ...callableNames(state.task.tools, offered)];
    const earlier = earlierWork(state.task, scope, startedAt).filter(({ todo }) => before.every(({ id }) => id !== todo.id));
    const view = { ...viewOf({ ...started, offered }, deps, effects), ...(earlier.length > 0 && { earlier }) };
    const { result, spent } = await catchRefusal(() => deps.research.plan(view, effects), effects);
    const planning: Planning = result ?? { todos: [], needsMorePlanning: false, question: null };
    const planRound = state.planRound + 1;
    const answered = spent === null ? earlier.map(({ todo }) => todo) : [];
    const adopted = adoptPlan(planning.todos, before, state.task.question, planRound, answered);
    const { todos, changed, work } = await recallAdopted(adopted, earlier, deps.documents, effects);
    emitTodos(todos, effects);
    return {
      steps: 1,
      startedAt,
      offered,
      planCalls: 1,
      planRound,
      needsMorePlanning: planning.needsMorePlanning,
      question: mayAsk(state) ? planning.question?.trim() || null : null,
      rejection: null,
      reasonUnused: planning.reasonUnused === true,
      feedback: changed ? null : state.feedback,
      todos: { plan: todos },
      work,
      gaveUp: !changed,
      ledger: [...ledger, ...(planning.ledger ?? [])],
      ...(spent !== null && { spent }),
    };
  };
}

/** The planner may ask one question in a run, before deep work only. */
function mayAsk({ task, asked }: Pick<ResearchStateValue, "task" | "asked">): boolean {
  return task.depth === "deep" && task.clarify !== false && asked.length === 0;
}

function planningMs(state: Pick<ResearchStateValue, "task" | "startedAt">, effects: Effects): number {
  return Math.floor(gatheringMsLeft(state, effects) * PLANNING_SHARE);
}

function viewOf(state: ResearchStateValue, deps: ToolDeps, effects: Effects): PlanningView {
  const { task, offered, todos, feedback, rejection, asked } = state;
  const own = [...callableNames(task.tools, null), ...(task.models === null ? [] : BUILT_IN_TOOLS)];
  const tools = toolboxWith(deps, offered).describe([...own, ...interleaveServers(offered ?? []).map(({ name }) => name)]);
  const progress = { round: state.planRound + 1, todos, feedback, rejection, asked, mayAsk: mayAsk(state) };
  return { ...taskView(task), sources: task.sources, timeoutMs: planningMs(state, effects), tools, ...progress };
}

const MAX_LISTINGS = 3;

const NO_CALL = { inputTokens: 0, outputTokens: 0, costUsd: 0 };

async function listToolsToPlan(state: ResearchStateValue, servers: ToolServers, msLeft: number, effects: Effects) {
  const { task, offered, ledger, needsMorePlanning } = state;
  const planned = msLeft > 0 && budgetOf(task.limits, effects).limitExceededBy("gather", NO_CALL) === null;
  if (!planned) return { offered, ledger: [] };
  if (offered === null) return listOffered({ task, offered }, servers, effects, msLeft);
  // After `needsMorePlanning`, the planner is asked again at once, so failed servers had no time to recover.
  const tried = needsMorePlanning ? [] : [...failedListings(ledger, offered)];
  const ids = tried.filter(([, times]) => times < MAX_LISTINGS).map(([server]) => server);
  return listAdditional({ task, offered, ids }, servers, effects, msLeft);
}

export function newTodo(planned: PlannedTodo, planRound: number): Todo {
  const path = `todo:${planned.id.replace(/[\s/]+/g, "_")}`;
  const unanswered = { rounds: 0, answeredBy: null, result: null, feedback: null, citations: [], ms: 0 };
  return { ...planned, status: "pending", planRound, ...unanswered, path };
}

interface AdoptedPlan {
  readonly todos: Todo[];
  readonly changed: boolean;
}

/** Adds the evidence of earlier answers that the plan has. If it is gone, the todo is executed. */
async function recallAdopted(plan: AdoptedPlan, earlier: readonly EarlierWork[], documents: DocumentStore, effects: Effects) {
  const work: TodoWork[] = [];
  let { todos, changed } = plan;
  for (const known of earlier.filter(({ todo }) => plan.todos.includes(todo))) {
    const recalled = await recallWork(known, documents, effects);
    if (recalled !== null) work.push(recalled);
    else todos = todos.map((todo) => (todo === known.todo ? newTodo(PlannedTodoSchema.parse(todo), todo.planRound) : todo));
    changed ||= recalled === null;
  }
  return { todos, changed, work };
}

/**
 * A plan that names a completed todo drops the other completed todos that it does not need. Any other plan keeps all completed todos. Of
 * `earlier`, which earlier runs of the thread answered, a plan has what it names or needs; a plan without todos has all.
 */
export function adoptPlan(
  planned: readonly PlannedTodo[],
  todos: readonly Todo[],
  question: string,
  planRound: number,
  earlier: readonly Todo[] = [],
): AdoptedPlan {
  const own = todos.filter(({ status }) => status === "completed");
  const completed = [...own, ...earlier];
  const ids = completed.map(({ id }) => id);
  const repaired = normalizePlan(reuseCompletedIds(planned, completed), ids, MAX_TODOS);
  if (repaired.length === 0) {
    if (todos.length > 0 || earlier.length > 0) return { todos: todos.length > 0 ? [...todos] : [...earlier], changed: false };
    return { todos: [newTodo(wholeQuestion(question), planRound)], changed: true };
  }
  const whole = repaired.some(({ id }) => own.some((todo) => todo.id === id));
  const named = repaired.map((todo) => completed.find(({ id }) => id === todo.id) ?? newTodo(todo, planRound));
  const isNeeded = ({ id }: Todo): boolean => named.every((todo) => todo.id !== id) && repaired.some((todo) => todo.dependsOn.includes(id));
  const kept = [...keptTodos(repaired, todos, whole, planRound), ...earlier.filter(isNeeded)];
  return { todos: keepOrder([...kept, ...named], todos), changed: named.some(({ status }) => status === "pending") };
}

function reuseCompletedIds(planned: readonly PlannedTodo[], completed: readonly Todo[]): PlannedTodo[] {
  const taken = new Set(planned.map(({ id }) => id));
  const olds = new Map(completed.filter(({ id }) => !taken.has(id)).map(({ id, description }) => [description.trim(), id]));
  const renamed = new Map(planned.flatMap(({ id, description }) => [[id, olds.get(description.trim()) ?? id] as const]));
  const idOf = (id: string): string => renamed.get(id) ?? id;
  return planned.map((todo) => ({ ...todo, id: idOf(todo.id), dependsOn: todo.dependsOn.map(idOf) }));
}

/**
 * Returns the todos that a plan does not name and that stay. Each todo that it adds stands for one that failed, in a `whole` plan also for
 * one that was skipped.
 */
function keptTodos(repaired: readonly PlannedTodo[], todos: readonly Todo[], whole: boolean, planRound: number): Todo[] {
  const ids = new Set(repaired.map(({ id }) => id));
  const rest = todos.filter(({ id }) => !ids.has(id));
  const needed = new Set(repaired.flatMap(({ dependsOn }) => dependsOn));
  const completed = rest.filter(({ id, status }) => status === "completed" && (!whole || needed.has(id)));
  const replacements = repaired.filter(({ id }) => todos.every((todo) => todo.id !== id)).length;
  const skipped = rest.filter(({ status }) => status === "skipped");
  const failed = rest.filter(({ status }) => status === "failed");
  if (whole && replacements > 0) {
    const dropped = [...failed, ...skipped].slice(replacements);
    return [...completed, ...dropped.map((todo): Todo => ({ ...todo, status: "skipped" }))];
  }
  const left = failed.slice(replacements);
  if (whole) return [...completed, ...left, ...skipped];
  return [...completed, ...left, ...skipped.map((todo) => (todo.dependsOn.some((id) => ids.has(id)) ? newTodo(todo, planRound) : todo))];
}

function keepOrder(all: readonly Todo[], todos: readonly Todo[]): Todo[] {
  const before = todos.flatMap(({ id }) => all.find((todo) => todo.id === id) ?? []);
  return [...before, ...all.filter((todo) => !before.includes(todo))];
}

function wholeQuestion(question: string): PlannedTodo {
  return { id: "T1", description: question.slice(0, 2_000).toWellFormed(), doneCriteria: "", keyFacts: [], priority: 1, dependsOn: [] };
}
