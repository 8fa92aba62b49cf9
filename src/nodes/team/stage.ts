import { Budget } from "../../domain/budget.ts";
import type { Effects, GraphNode } from "../../domain/ports/effects.ts";
import { pendingChildren, teamSteps } from "../../domain/team.ts";
import type { RosterRegistry } from "./roster.ts";
import { type TeamStateValue, type TeamUpdate, teamOf } from "./state.ts";

export function createStageNode({ rosters }: { readonly rosters: RosterRegistry }): GraphNode<TeamStateValue, TeamUpdate> {
  return async (state, effects: Effects) => {
    const { task, turn, downloads } = state;
    const team = teamOf(task);
    const turns = teamSteps(team);
    const children = state.children.length > 0 ? state.children : pendingChildren(team);
    const started = { startedAt: state.startedAt || effects.now(), turn: turn + 1 };
    const current = [...(turns[turn]?.children ?? [])];
    if (current.length === 0) return { ...started, current };
    rosters.open(effects, children).change(
      current.map((id) => ({ id, status: "running" })),
      effects,
    );
    const left = turns.slice(turn).flatMap((one) => one.children).length;
    // While model calls are left, every child gets at least one.
    const share = Budget.ofChildren(task.limits, effects.spent(), downloads).share(left, 1);
    return { ...started, children, current, share: { ...task.limits, ...share } };
  };
}
