import { budgetOf } from "../../domain/budget.ts";
import { normalizePlan } from "../../domain/normalize-plan.ts";
import { MAX_TODOS, type PlannedTodo, plannedTodo, type Todo } from "../../domain/plan.ts";
import type { Planning, PlanningView, ResearchAnalyst } from "../../domain/ports/analyst.ts";
import type { Effects, GraphNode } from "../../domain/ports/effects.ts";
import type { DocumentStore } from "../../domain/ports/sources.ts";
import type { ToolServers } from "../../domain/ports/tools.ts";
import { taskView } from "../../domain/task.ts";
import { gatheringMsLeft } from "../../gathering/limits.ts";
import { BUILT_IN_TOOLS } from "../agent/request.ts";
import {
  callableNames,
  failedListings,
  interleaveServers,
  listAdditional,
  listOffered,
  type ToolDeps,
  toolboxWith,
} from "../shared/tool-servers.ts";
import { earlierWork, recallWork } from "./earlier-answers.ts";
import type { ResearchStateValue, ResearchUpdate } from "./state.ts";
import { catchRefusal, emitTodos, newTodo } from "./todos.ts";

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
    const earlier = before.length > 0 ? [] : earlierWork(state.task, scope, startedAt);
    const view = { ...viewOf({ ...started, offered }, deps, effects), ...(earlier.length > 0 && { earlier }) };
    const { result, spent } = await catchRefusal(() => deps.research.plan(view, effects), effects);
    const planning: Planning = result ?? { todos: [], needsMorePlanning: false, question: null };
    const planRound = state.planRound + 1;
    const answered = spent === null ? earlier.map(({ todo }) => todo) : [];
    const { todos, changed } = adoptPlan(planning.todos, before, state.task.question, planRound, answered);
    const adopted = earlier.filter(({ todo }) => todos.includes(todo));
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
      work: await recallWork(adopted, deps.documents, effects),
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

/**
 * A plan that names a completed todo drops the other completed todos that it does not need. Any other plan keeps all completed todos. Of
 * `earlier`, which earlier runs of the thread answered, a first plan has what it names or needs; a plan without todos has all.
 */
export function adoptPlan(
  planned: readonly PlannedTodo[],
  before: readonly Todo[],
  question: string,
  planRound: number,
  earlier: readonly Todo[] = [],
) {
  const todos = [...before, ...earlier];
  const completed = todos.filter(({ status }) => status === "completed");
  const ids = completed.map(({ id }) => id);
  const repaired = normalizePlan(reuseCompletedIds(planned, completed), ids, MAX_TODOS);
  if (repaired.length === 0) {
    if (todos.length > 0) return { todos, changed: false };
    return { todos: [newTodo(plannedTodo("T1", question), planRound)], changed: true };
  }
  const whole = before.length === 0 || repaired.some(({ id }) => ids.includes(id));
  const named = repaired.map((todo) => completed.find(({ id }) => id === todo.id) ?? newTodo(todo, planRound));
  const kept = keptTodos(repaired, todos, whole, planRound);
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
