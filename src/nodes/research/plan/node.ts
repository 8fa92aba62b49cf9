import { overdrawn, refusedBudget, type SpentBudget } from "../../../domain/budget.ts";
import type { Effects } from "../../../domain/ports/effects.ts";
import type { GraphNode } from "../../../domain/ports/node.ts";
import type { Planning, PlanningView, ResearchAnalyst } from "../../../domain/ports/research-analyst.ts";
import type { ToolServers } from "../../../domain/ports/tool-servers.ts";
import type { LedgerEntry } from "../../../domain/report.ts";
import type { OfferedTool } from "../../../domain/tool.ts";
import { toDossierError } from "../../../errors.ts";
import { OWN_TOOLS } from "../../agent/offered-tools.ts";
import { gatheringMsLeft } from "../../time-budget.ts";
import { serversInTurn } from "../../tool-servers/fit-offer.ts";
import { listMore, listOffered, unlisted } from "../../tool-servers/list-offered.ts";
import { namesIn, type ToolDeps, withOffered } from "../../tool-servers/with-offered.ts";
import { passOn } from "../fatal.ts";
import { sayTodos } from "../say-todos.ts";
import type { ResearchStateValue, ResearchUpdate } from "../state.ts";
import { adoptPlan } from "./adopt-plan.ts";

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
    sayTodos(todos, effects);
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
    passOn(error, effects);
    const spent = refusedBudget(toDossierError(error));
    if (spent === null) throw error;
    return { planning: NO_PLANNING, spent };
  }
}

function viewOf(state: ResearchStateValue, deps: ToolDeps, effects: Effects): PlanningView {
  const { offered } = state;
  const { question, language, systemContext, history, models, limits, sources, tools: allowed } = state.task;
  // A todo may be an agent's where there is a model.
  const own = [...namesIn(allowed, null), ...(models === null ? [] : OWN_TOOLS)];
  return {
    ...{ question, language, systemContext, history, models, limits, sources },
    timeoutMs: Math.floor(gatheringMsLeft(state, effects) * PLANNING_SHARE),
    round: state.planRound + 1,
    tools: withOffered(deps, offered).describe([...own, ...serversInTurn(offered ?? []).map(({ name }) => name)]),
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
  const planned = msLeft > 0 && overdrawn(task.limits, effects.spent(), "gather", NO_CALL) === null;
  if (!planned) return { offered, ledger: [] };
  if (offered === null) return listOffered({ task, offered }, servers, effects, msLeft);
  // Where the planner has only not finished, no time has passed in which a server could have come back.
  const tried = needsMorePlanning ? [] : [...unlisted(ledger, offered)];
  const ids = tried.filter(([, times]) => times < MAX_LISTINGS).map(([server]) => server);
  return listMore({ task, offered, ids }, servers, effects, msLeft);
}
