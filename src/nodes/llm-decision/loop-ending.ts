import type { SpentBudget } from "../../domain/budget.ts";
import type { LoopEnding } from "../../domain/events.ts";
import type { Task } from "../../domain/request.ts";
import type { ToolCall, ToolOutcome } from "../../domain/tool.ts";
import { withoutProgress } from "../without-progress.ts";

/** Steps of a run that belong to the report: the last decision, search, rerank, download, summarize. */
export const REPORT_STEPS = 5;
/** A round is a decision and its tools; the user's word may come between them. */
const STEPS_PER_ROUND = 2;
const STEPS_WITH_USER = 3;

interface LoopView {
  readonly task: Task;
  readonly round: number;
  readonly outcomes: readonly ToolOutcome[];
  readonly gatheringMsLeft: number;
  /** Whether a tool is offered whose calls the user has to agree to. */
  readonly asksUser: boolean;
}

export interface EarlyEnding {
  readonly ending: LoopEnding;
  /** Which budget cut the gathering short, where one did. */
  readonly spent: SpentBudget | null;
}

/** Why the loop ends before the analyst is asked again, or null: at the cap nothing is paid for a decision that cannot count. */
export function endingBeforeDecision({ task, round, outcomes, gatheringMsLeft, asksUser }: LoopView): EarlyEnding | null {
  if (round > 0 && withoutProgress(outcomes, round)) return { ending: "no_progress", spent: null };
  if (round >= task.limits.optionalToolLoops) return { ending: "cap", spent: null };
  if (gatheringMsLeft === 0) return { ending: "budget", spent: "time_budget" };
  // Without a tool there is no round to take, and nothing is cut short.
  if (task.tools.length > 0 && round >= roundsWithin(task.limits.steps, asksUser)) return { ending: "budget", spent: "step_cap" };
  return null;
}

/** Why the loop ends after a decision, or null when there are calls to make. */
export function endingAfterDecision(calls: readonly ToolCall[], round: number): LoopEnding | null {
  if (calls.length > 0) return null;
  return round === 0 ? "no_tools" : "sufficient";
}

function roundsWithin(steps: number, asksUser: boolean): number {
  return Math.max(0, Math.floor((steps - REPORT_STEPS) / (asksUser ? STEPS_WITH_USER : STEPS_PER_ROUND)));
}
