import type { GraphPicture } from "../domain/ports/operations.ts";
import type { Report } from "../domain/report.ts";
import type { Task } from "../domain/request.ts";
import type { Termination } from "../domain/run.ts";

/** What a finished graph has brought forth. */
export interface GraphOutcome {
  readonly termination: Termination;
  readonly report: Report | null;
}

/** As much of a compiled LangGraph graph as the engine needs. */
export interface RunnableGraph {
  invoke(input: unknown, config: Record<string, unknown>): Promise<Record<string, unknown>>;
}

/** A graph under its name, with the way from a task to its input and from its final state to a report. */
export interface GraphDefinition {
  readonly name: string;
  readonly description: string;
  readonly needsModel: boolean;
  /** The roles that a model plays in it; what they are told by is named in its recordings. */
  readonly roles: readonly string[];
  /** Whether it plans todos, so that its runs have them, and may wait for the user to approve the plan. */
  readonly plans?: boolean;
  /** The steps without which it could not write a report; a lower limit ends the gathering, never the report. */
  readonly minSteps: number;
  readonly graph: RunnableGraph;
  readonly picture: GraphPicture;
  /** Changes when the graph's shape or the program does; a crashed run that meets another one begins its segment again. */
  readonly fingerprint: string;
  input(task: Task): Record<string, unknown>;
  outcome(state: Record<string, unknown>): GraphOutcome;
}

export type GraphRegistry = ReadonlyMap<string, GraphDefinition>;
