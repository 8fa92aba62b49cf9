import { budgetOf, refusedBudget, type SpentBudget } from "../../domain/budget.ts";
import { repairPlan } from "../../domain/normalize-plan.ts";
import type { PlannedTodo, Todo } from "../../domain/plan.ts";
import type { Effects, GraphNode } from "../../domain/ports/effects.ts";
import type { Planning, PlanningView, ResearchAnalyst } from "../../domain/ports/research-analyst.ts";
import type { ToolServers } from "../../domain/ports/tools.ts";
import type { LedgerEntry } from "../../domain/report.ts";
import type { OfferedTool } from "../../domain/tool.ts";
import { toDossierError } from "../../errors.ts";
import { OWN_TOOLS } from "../agent/request.ts";
import { gatheringMsLeft } from "../shared/limits.ts";
import { listAdditional, listOffered, callableNames, interleaveServers, type ToolDeps, failedListings, toolboxWith } from "../shared/tool-servers.ts";
import type { ResearchStateValue, ResearchUpdate } from "./state.ts";
import { emitTodos, rethrowControlFlow } from "./todos.ts";

/** `tools` are those that a todo may use, whoever works on it. */
export interface PlanDeps extends ToolDeps {
  readonly research: ResearchAnalyst;
}

/** The most of the gathering's time that one planning may take: what it plans needs time too. */
const PLANNING_SHARE = 0.5;

/** Asks the planner for the todos; what cannot be paid any more leaves the plan as it is. */
export function createPlanNode(deps: PlanDeps): GraphNode<ResearchStateValue, ResearchUpdate> {
  return async (state, effects) => {
    const startedAt = state.startedAt || effects.now();
    const begun = { ...state, startedAt };
    const { offered, ledger } = await offerToPlan(
      begun,
      deps.servers,
      Math.floor(gatheringMsLeft(begun, effects) * PLANNING_SHARE),
      effects,
    );
    const { planning, spent } = await ask(viewOf({ ...begun, offered }, deps, effects), deps.research, effects);
    const planRound = state.planRound + 1;
    // Of a rejected plan nothing was executed: what takes its place is a plan of its own.
    const before = state.rejection === null ? state.todos : [];
    const { todos, changed } = adoptPlan(planning.todos, before, state.task.question, planRound);
    emitTodos(todos, effects);
    return {
      steps: 1,
      startedAt,
      offered,
      planCalls: 1,
      planRound,
      needsMorePlanning: planning.needsMorePlanning,
      question: planning.question === null || planning.question.trim() === "" ? null : planning.question,
      rejection: null,
      reasonUnused: planning.reasonUnused === true,
      // A plan that stays as it was takes nothing away from what was said of it.
      feedback: changed ? null : state.feedback,
      todos: { plan: todos },
      gaveUp: !changed,
      ledger: [...ledger, ...(planning.ledger ?? [])],
      ...(spent !== null && { spent }),
    };
  };
}

const NO_PLANNING: Planning = { todos: [], needsMorePlanning: false, question: null };

/** @throws DossierError what neither the budget nor the analyst's own rules can answer for */
async function ask(
  view: PlanningView,
  research: ResearchAnalyst,
  effects: Effects,
): Promise<{ readonly planning: Planning; readonly spent: SpentBudget | null }> {
  try {
    return { planning: await research.plan(view, effects), spent: null };
  } catch (error) {
    rethrowControlFlow(error, effects);
    const spent = refusedBudget(toDossierError(error));
    if (spent === null) throw error;
    return { planning: NO_PLANNING, spent };
  }
}

function viewOf(state: ResearchStateValue, deps: ToolDeps, effects: Effects): PlanningView {
  const { offered } = state;
  const { question, language, systemContext, history, models, limits, sources, tools: allowed } = state.task;
  // A todo may be an agent's where there is a model.
  const own = [...callableNames(allowed, null), ...(models === null ? [] : OWN_TOOLS)];
  return {
    ...{ question, language, systemContext, history, models, limits, sources },
    timeoutMs: Math.floor(gatheringMsLeft(state, effects) * PLANNING_SHARE),
    round: state.planRound + 1,
    tools: toolboxWith(deps, offered).describe([...own, ...interleaveServers(offered ?? []).map(({ name }) => name)]),
    todos: state.todos,
    feedback: state.feedback,
    rejection: state.rejection,
    asked: state.asked,
  };
}

/** How often a server that cannot be asked is tried in a run. */
const MAX_LISTINGS = 3;

const NO_CALL = { inputTokens: 0, outputTokens: 0, costUsd: 0 };

/** What servers offer to the planner, and to the todos after it; null where they have not been asked. */
interface PlanningOffer {
  readonly offered: OfferedTool[] | null;
  readonly ledger: readonly LedgerEntry[];
}

type Before = Pick<ResearchStateValue, "task" | "offered" | "ledger" | "needsMorePlanning">;

/**
 * Asks the servers in scope before the first plan, once for the whole run, and those that could not be asked anew before a plan that
 * comes later, after todos or an answer of the user. Where no model may plan any more, none is asked.
 */
async function offerToPlan(before: Before, servers: ToolServers, msLeft: number, effects: Effects): Promise<PlanningOffer> {
  const { task, offered, ledger, needsMorePlanning } = before;
  const planned = msLeft > 0 && budgetOf(task.limits, effects).refusal("gather", NO_CALL) === null;
  if (!planned) return { offered, ledger: [] };
  if (offered === null) return listOffered({ task, offered }, servers, effects, msLeft);
  // Where the planner has only not finished, no time has passed in which a server could have come back.
  const tried = needsMorePlanning ? [] : [...failedListings(ledger, offered)];
  const ids = tried.filter(([, times]) => times < MAX_LISTINGS).map(([server]) => server);
  return listAdditional({ task, offered, ids }, servers, effects, msLeft);
}

/** The plan that is to be executed, and whether the planner has changed anything. */
interface Adopted {
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
