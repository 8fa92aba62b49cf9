import { END, Send } from "@langchain/langgraph";
import { MAX_PLAN_CALLS } from "../../domain/plan.ts";
import { downloadsIn } from "../../nodes/download/download-cap.ts";
import type { BranchState, ResearchStateValue, TodoStateValue } from "./state.ts";

/** The last plan that a user rejects ends the run. */
export const MAX_REJECTIONS = 3;
/** The steps that a plan needs to its end: planning, todos, collecting, verifying, summing up. */
const STEPS_OF_A_PLAN = 5;
/** The step in which the user answers the planner. */
const CLARIFYING = 1;

export type AfterPlan = "plan" | "clarify" | "approve" | "summarise" | Send[];

/** To the user, to the planner again, or to the todos; where nothing is left to be done, to the report. */
export function afterPlan(state: ResearchStateValue): AfterPlan {
  if (mayPlan(state, STEPS_OF_A_PLAN + CLARIFYING)) {
    if (state.question !== null) return "clarify";
    if (state.needsMorePlanning) return "plan";
  }
  if (state.task.planApproval === true && !state.approved) return "approve";
  return branches(state);
}

/** A rejection goes to the planner; where that may not be asked any more, the user is asked for a plan of their own. */
export function afterApproval(state: ResearchStateValue): AfterPlan {
  if (state.approved) return branches(state);
  // Rules would make the very same plan again.
  const nothingElse = state.reasonUnused && state.task.models === null;
  if (nothingElse || state.rejections >= MAX_REJECTIONS || stepsLeft(state) < STEPS_OF_A_PLAN) return "summarise";
  return state.planCalls < MAX_PLAN_CALLS && state.spent === null ? "plan" : "approve";
}

/** Todos that were postponed are sent again; what has ended is judged. */
export function afterTodos(state: ResearchStateValue): "verify" | Send[] {
  const sent = branches(state);
  return sent === "summarise" ? "verify" : sent;
}

/** What was not accepted is planned again, as often as that may be. */
export function afterVerification(state: ResearchStateValue): "plan" | "summarise" {
  return !isAccepted(state) && state.spent === null && mayPlan(state, STEPS_OF_A_PLAN) ? "plan" : "summarise";
}

export function afterAssessment({ ending }: TodoStateValue): "work" | typeof END {
  return ending === null ? "work" : END;
}

/** Whether nothing failed and the judges are content. */
function isAccepted({ todos, feedback }: ResearchStateValue): boolean {
  return feedback === null && todos.every(({ status }) => status !== "failed");
}

function mayPlan(state: ResearchStateValue, steps: number): boolean {
  return state.planCalls < MAX_PLAN_CALLS && stepsLeft(state) >= steps && state.spent === null;
}

function stepsLeft({ task, steps }: ResearchStateValue): number {
  return task.limits.steps - steps;
}

/** All pending todos at once: among themselves they see to who begins when. */
function branches({ task, offered, startedAt, todos, work, ledger }: ResearchStateValue): Send[] | "summarise" {
  const downloads = downloadsIn([...ledger, ...work.flatMap((one) => one.ledger)]);
  const pending = todos.filter(({ status }) => status === "pending");
  const given = { task, offered, startedAt, todos, work, downloads };
  return pending.length === 0 ? "summarise" : pending.map(({ id }) => new Send("todo", { ...given, id } satisfies BranchState));
}
