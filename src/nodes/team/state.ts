import { Annotation } from "@langchain/langgraph";
import type { Block } from "../../domain/blocks.ts";
import type { Limits } from "../../domain/limits.ts";
import type { Citation, Claim } from "../../domain/report.ts";
import type { Task } from "../../domain/task.ts";
import type { Child, ChildSpec, Team } from "../../domain/team.ts";
import { DossierError } from "../../errors.ts";
import type { KnownReading } from "../../gathering/reading.ts";
import { accumulated, counted, hitChannel, latest, runChannels } from "../shared/channels.ts";

/** The claims and citations of a child, numbered as in the child's answer. */
export interface ChildWork {
  readonly id: string;
  readonly blocks: readonly Block[];
  readonly claims: readonly Claim[];
  readonly citations: readonly Citation[];
}

function mergeChildren(known: readonly Child[], changed: readonly Child[]): Child[] {
  return [...new Map([...known, ...changed].map((child) => [child.id, child])).values()];
}

export const TeamState = Annotation.Root({
  ...runChannels(),
  turn: latest(0),
  current: latest<string[]>([]),
  share: latest<Limits | null>(null),
  children: Annotation<Child[], readonly Child[]>({ reducer: mergeChildren, default: () => [] }),
  work: accumulated<ChildWork>(),
  hits: hitChannel(),
  readings: accumulated<KnownReading>(),
  downloads: counted(),
});

export type TeamStateValue = typeof TeamState.State;
export type TeamUpdate = Partial<typeof TeamState.Update>;

export type ChildTurn = Pick<TeamStateValue, "task" | "startedAt" | "children" | "work" | "hits" | "readings"> & {
  readonly id: string;
  readonly share: Limits;
};

export function teamOf({ team }: Task): Team {
  if (team === undefined) throw new DossierError("internal", "The graph `team` was started with a task that has no team.");
  return team;
}

export function specOf(task: Task, id: string): ChildSpec {
  const spec = teamOf(task).children.find((child) => child.id === id);
  if (spec === undefined) throw new DossierError("internal", `The team has no child ${id}.`);
  return spec;
}
