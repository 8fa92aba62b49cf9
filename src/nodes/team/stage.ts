import { WRITING_SHARE } from "../../domain/budget.ts";
import type { Effects, GraphNode } from "../../domain/ports/effects.ts";
import type { Limits } from "../../domain/request.ts";
import { pendingChildren, turnsOf } from "../../domain/team.ts";
import type { Rosters } from "./roster.ts";
import { type TeamStateValue, type TeamUpdate, teamOf } from "./state.ts";

interface StageDeps {
  readonly rosters: Rosters;
}

/** Says whose turn it is, and what each of them may spend. */
export function createStageNode({ rosters }: StageDeps): GraphNode<TeamStateValue, TeamUpdate> {
  return async (state, effects: Effects) => {
    const { task, turn, downloads } = state;
    const team = teamOf(task);
    const turns = turnsOf(team);
    const children = state.children.length > 0 ? state.children : pendingChildren(team);
    const begun = { startedAt: state.startedAt || effects.now(), turn: turn + 1 };
    const current = turns[turn]?.children ?? [];
    if (current.length === 0) return { ...begun, current: [] };
    const roster = rosters.open(effects, children);
    roster.change(
      current.map((id) => ({ id, status: "running" })),
      effects,
    );
    const count = turns.slice(turn).flatMap((one) => one.children).length;
    return { ...begun, children, current: [...current], share: shareOf(task.limits, downloads, count, effects) };
  };
}

/** The supervisor's. */
const KEPT_CALLS = 1;

/** What all children may spend together; the rest is kept for the answer. */
export function childrensLimits(limits: Limits): Limits {
  return {
    ...limits,
    modelCalls: Math.max(0, limits.modelCalls - KEPT_CALLS),
    tokens: Math.floor(limits.tokens * (1 - WRITING_SHARE)),
    costUsd: limits.costUsd === null ? null : limits.costUsd * (1 - WRITING_SHARE),
  };
}

/** What is left for each of `count` children; what one of them leaves over goes to those after it. */
function shareOf(limits: Limits, downloads: number, count: number, effects: Effects): Limits {
  const whole = childrensLimits(limits);
  const spent = effects.spent();
  return {
    ...limits,
    modelCalls: eachOf(whole.modelCalls - spent.modelCalls, count),
    tokens: eachOf(whole.tokens - spent.inputTokens - spent.outputTokens, count),
    costUsd: whole.costUsd === null ? null : Math.max(0, whole.costUsd - spent.costUsd) / count,
    downloads: eachOf(limits.downloads - downloads, count),
  };
}

/** One at least, as long as there is one: who comes first has it. */
function eachOf(left: number, count: number): number {
  return left <= 0 ? 0 : Math.max(1, Math.floor(left / count));
}
