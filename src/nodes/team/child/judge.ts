import type { Effects } from "../../../domain/ports/effects.ts";
import { answerIn } from "../../../domain/report.ts";
import type { Task } from "../../../domain/request.ts";
import type { Child, ChildSpec } from "../../../domain/team.ts";
import { isServerId } from "../../../domain/tool.ts";
import type { DossierError } from "../../../errors.ts";
import type { AgentStateValue } from "../../../graphs/agent/state.ts";
import { type Equipped, offeredTools } from "../../agent/offered-tools.ts";

/** The most of a child's answer that is kept, in UTF-16 code units. */
const MAX_OUTPUT_LENGTH = 12_000;
const ANSWERED = ["answered", "finish_task", "no_progress"];

export type ChildResult = Pick<Child, "id" | "status" | "success" | "output" | "error" | "executionTimeMs" | "iterations" | "unknownTools">;

/** What an agent that has come to its end means for its team: at a cap, or without an answer in its own words, it has failed. */
export function judge(state: AgentStateValue, spec: ChildSpec, effects: Pick<Effects, "elapsedMs">): ChildResult {
  const { answer, report, termination, thinks, startedAt, waitedMs, outcomes } = state;
  const called = outcomes.filter(({ failure }) => failure === "unknown_tool").map(({ name }) => name);
  const result = {
    id: spec.id,
    executionTimeMs: Math.max(0, effects.elapsedMs(startedAt) - waitedMs),
    iterations: thinks,
    unknownTools: [...new Set([...missingTools(spec, state), ...called])],
  };
  const output = report === null ? "" : answerIn(report).slice(0, MAX_OUTPUT_LENGTH).toWellFormed();
  const answered = ANSWERED.includes(termination?.reason ?? "") && answer !== null && output.trim() !== "";
  if (answered) return { ...result, status: "completed", success: true, output, error: null };
  return { ...result, status: "failed", success: false, output: null, error: errorOf(state, spec) };
}

/** A child whose agent broke off; `startedAt` is when it began in this execution. */
export function broken(error: DossierError, spec: ChildSpec, task: Task, elapsedMs: number): ChildResult {
  const { code, message } = error;
  return {
    id: spec.id,
    status: "failed",
    success: false,
    output: null,
    error: { code, message },
    executionTimeMs: elapsedMs,
    iterations: 0,
    unknownTools: missingTools(spec, { task, offered: null }),
  };
}

/** Tools that it was given and that this run does not have; of tools of servers nothing is known before they were asked. */
function missingTools({ tools = [] }: ChildSpec, { task: { part: _, ...task }, offered }: Equipped): string[] {
  const there = offeredTools({ task, offered });
  const asked = offered !== null || !task.tools.some(isServerId);
  return tools.filter((name) => !there.includes(name) && (asked || !name.includes("__")));
}

function errorOf({ failure, termination, thinks, task }: AgentStateValue, { id }: ChildSpec): NonNullable<Child["error"]> {
  if (failure !== null) return failure;
  const reason = termination?.reason ?? "no_answer";
  if (reason === "time_budget") return { code: "timeout", message: `${id} used up its ${Math.round(task.part?.timeoutMs ?? 0)} ms.` };
  if (reason === "step_cap") return { code: "step_cap", message: `${id} did not finish within ${thinks} iterations.` };
  if (reason === "no_progress") return { code: "no_progress", message: `${id} made no progress: ${termination?.detail ?? "no answer"}.` };
  if (reason.endsWith("_cap") || reason.endsWith("_budget"))
    return { code: reason, message: `${id} used up its share of the run's budget.` };
  return { code: "no_answer", message: `${id} gave no answer${termination?.detail == null ? "" : `: ${termination.detail}`}.` };
}
