import type { Effects } from "../../../domain/ports/effects.ts";
import type { GraphNode } from "../../../domain/ports/node.ts";
import { pendingChildren, turnsOf } from "../../../domain/team.ts";
import type { Rosters } from "../roster.ts";
import { shareOf } from "../shares.ts";
import type { TeamStateValue, TeamUpdate } from "../state.ts";
import { teamOf } from "../team-of.ts";

export interface StageDeps {
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
