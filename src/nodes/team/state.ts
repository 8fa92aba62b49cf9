import { Annotation } from "@langchain/langgraph";
import { addFound, type Hit } from "../../domain/hit.ts";
import type { Citation, Claim, LedgerEntry, Report } from "../../domain/report.ts";
import type { Limits, Task } from "../../domain/request.ts";
import type { Termination } from "../../domain/run.ts";
import type { Child, ChildSpec, Team } from "../../domain/team.ts";
import { DossierError } from "../../errors.ts";
import type { AgentReading } from "../agent/state.ts";

/** What a child has said, sentence by sentence, and on what it stands; the citations' numbers are its own. */
export interface ChildWork {
  readonly id: string;
  readonly claims: readonly Claim[];
  readonly citations: readonly Citation[];
}

const latest = <T>(initial: T) => Annotation<T>({ reducer: (_, update) => update, default: () => initial });
const accumulated = <T>() => Annotation<T[], T[]>({ reducer: (known, found) => [...known, ...found], default: () => [] });

/** By id, in the order in which they were first named. */
function withChanged(known: readonly Child[], changed: readonly Child[]): Child[] {
  const byId = new Map([...known, ...changed].map((child) => [child.id, child]));
  return [...byId.values()];
}

/** Results and short texts; whatever is long lies in the document store under its hash. */
export const TeamState = Annotation.Root({
  task: Annotation<Task>,
  /** Milliseconds since 1970, on the run's own clock. */
  startedAt: latest(0),
  /** How many turns have begun. */
  turn: latest(0),
  /** Those whose turn it is, and what each of them may spend. */
  current: latest<string[]>([]),
  share: latest<Limits | null>(null),
  children: Annotation<Child[], Child[]>({ reducer: withChanged, default: () => [] }),
  work: accumulated<ChildWork>(),
  /** As each finder found them; one address may stand here more than once. */
  hits: Annotation<Hit[], Hit[]>({ reducer: addFound, default: () => [] }),
  readings: accumulated<AgentReading>(),
  ledger: accumulated<LedgerEntry>(),
  downloads: Annotation<number, number>({ reducer: (known, more) => known + more, default: () => 0 }),
  report: latest<Report | null>(null),
  termination: latest<Termination | null>(null),
});

export type TeamStateValue = typeof TeamState.State;
export type TeamUpdate = Partial<typeof TeamState.Update>;

/** What a child is sent: the team as it stood when its turn began. */
export type ChildTurn = Pick<TeamStateValue, "task" | "startedAt" | "children" | "work" | "hits" | "readings"> & {
  readonly id: string;
  readonly share: Limits;
};

/** @throws DossierError `internal` where the run was started without a team */
export function teamOf({ team }: Task): Team {
  if (team === undefined) throw new DossierError("internal", "The graph team was started without a team.");
  return team;
}

/** @throws DossierError `internal` where the team has no such child */
export function specOf(task: Task, id: string): ChildSpec {
  const spec = teamOf(task).children.find((child) => child.id === id);
  if (spec === undefined) throw new DossierError("internal", `The team has no child ${id}.`);
  return spec;
}
