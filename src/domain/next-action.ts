import type { NextAction, TodoStatus } from "./plan.ts";

/** What was said of a task that was executed; each may be missing. */
export interface SaidOfTask {
  readonly taskCompleted?: boolean | undefined;
  readonly shouldContinue?: boolean | undefined;
  readonly nextAction?: NextAction | undefined;
  readonly status?: TodoStatus | undefined;
}

export interface Flow {
  readonly taskCompleted: boolean;
  readonly shouldContinue: boolean;
  readonly nextAction: NextAction;
}

/**
 * What comes next, without contradictions: `nextAction` counts most, then `taskCompleted`, then `shouldContinue`; what these leave open
 * the status says. What is completed is not skipped. A task that is neither completed nor to be continued is skipped. Where nothing is said it goes on.
 */
export function flowOf(said: SaidOfTask): Flow {
  const wanted = said.nextAction ?? inferred(said);
  const nextAction = wanted === "skip" && said.taskCompleted === true ? "complete" : wanted;
  return {
    nextAction,
    taskCompleted: nextAction === "complete",
    shouldContinue: nextAction === "continue" || nextAction === "retry",
  };
}

function inferred({ taskCompleted, shouldContinue, status }: SaidOfTask): NextAction {
  if (taskCompleted === true) return "complete";
  const byStatus = status === undefined ? null : ACTIONS[status];
  if (shouldContinue === true) return byStatus === "retry" ? "retry" : "continue";
  if (shouldContinue === false) return taskCompleted === undefined && (byStatus ?? "complete") === "complete" ? "complete" : "skip";
  if (taskCompleted === false && byStatus === "complete") return "continue";
  return byStatus ?? "continue";
}

const ACTIONS: Readonly<Record<TodoStatus, NextAction>> = {
  pending: "continue",
  executing: "continue",
  completed: "complete",
  failed: "retry",
  skipped: "skip",
};
