import { canonicalJson } from "../../domain/json.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { Tool, Toolbox } from "../../domain/ports/tool.ts";
import type { Task } from "../../domain/request.ts";
import type { ThreadResult, ToolOutcome } from "../../domain/tool.ts";
import { sinceLastChange } from "../optional-tool/plan-calls.ts";

/** The run that would use what tools brought in earlier runs of its thread. */
export interface ThreadView {
  readonly task: Task;
  readonly tools: Toolbox;
  /** The names of the tools that the run may call. */
  readonly offered: readonly string[];
  /** Of this run. */
  readonly outcomes: readonly ToolOutcome[];
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The run has waited or was interrupted: another run of the thread may have changed something meanwhile. */
  readonly isResumed: boolean;
}

interface ThreadState extends Pick<ThreadView, "task" | "outcomes"> {
  readonly startedAt: number;
}

export function threadView(
  { task, outcomes, startedAt }: ThreadState,
  { tools, offered }: Pick<ThreadView, "tools" | "offered">,
  effects: Effects,
): ThreadView {
  return { task, tools, offered, outcomes, now: effects.now(), isResumed: hasPaused(startedAt, effects) };
}

/** Whether a run has stood still since `startedAt`: it waited for its user, or its process ended. */
function hasPaused(startedAt: number, effects: Effects): boolean {
  return effects.now() - startedAt > effects.elapsedMs(startedAt);
}

/** The part of the task that decides, with the arguments, where a search of the agent looks. */
export function searchScope({ sources, language, semantic }: Task): string {
  return canonicalJson({ sources, language, semantic: semantic ?? null });
}

/** The tool of a result, where this run may call it and it would look in the same places. */
export function toolOf({ name, scope }: ThreadResult, { tools, offered, task }: ThreadView): Tool | null {
  const isSame = scope === undefined || scope === searchScope(task);
  return isSame && offered.includes(name) ? (tools.get(name) ?? null) : null;
}

/** Whether an equal call of this run is answered from the result. */
export function isUsable(result: ThreadResult, view: ThreadView): boolean {
  const { task, outcomes, tools, now, isResumed } = view;
  const tool = toolOf(result, view);
  if (tool === null || isResumed || tool.kind !== "query" || tool.confirm === true || result.outdated === true) return false;
  const isRecent = now - result.at <= (task.reuseSeconds ?? 0) * 1000;
  // A change that this run has made may make it untrue.
  return isRecent && sinceLastChange(outcomes, tools).length === outcomes.length;
}
