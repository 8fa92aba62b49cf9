import type { BaseCheckpointSaver } from "@langchain/langgraph";
import type { GraphPicture } from "../domain/ports/run-service.ts";
import type { TaskChanges } from "../domain/recording.ts";
import type { Report } from "../domain/report.ts";
import type { Termination } from "../domain/run.ts";
import type { Task } from "../domain/task.ts";
import { DossierError } from "../errors.ts";
import { givenEntries } from "../gathering/given-material.ts";

export interface RunnableGraph {
  invoke(input: unknown, config: Record<string, unknown>): Promise<Record<string, unknown>>;
  getState(config: Record<string, unknown>): Promise<{ readonly values: Record<string, unknown> }>;
}

export interface GraphDefinition {
  readonly name: string;
  readonly description: string;
  readonly needsModel: boolean;
  readonly roles: readonly string[];
  /** Only a graph that plans todos accepts `planApproval`. */
  readonly plans?: boolean;
  /** Whether it goes on after calls that a client's conversation has for the question. */
  readonly continues?: boolean;
  /** A run may take this many steps even if `limits.steps` is lower, so that it can always write a report. */
  readonly minSteps: number;
  readonly graph: RunnableGraph;
  readonly picture: GraphPicture;
  /** Differs if the graph or the version of Dossier differs. Unfinished runs then restart from their last wait, with recorded results. */
  readonly fingerprint: string;
  input(task: Task): Record<string, unknown>;
  /** What a fork writes into the state for what it changes in the task. Default: the changed task. */
  change?(state: Record<string, unknown>, changes: TaskChanges): Record<string, unknown>;
  outcome(state: Record<string, unknown>): { readonly termination: Termination; readonly report: Report | null };
}

export type GraphRegistry = ReadonlyMap<string, GraphDefinition>;

type GraphDescription = Omit<GraphDefinition, "graph" | "picture" | "fingerprint" | "input" | "outcome">;

interface CompiledGraph<Input> {
  invoke(
    input: Input,
    config: Record<string, unknown>,
  ): Promise<{ readonly report: Report | null; readonly termination: Termination | null }>;
  getGraphAsync(): Promise<{
    readonly nodes: Readonly<Record<string, unknown>>;
    readonly edges: readonly { readonly source: string; readonly target: string; readonly conditional?: boolean }[];
    drawMermaid(): string;
  }>;
}

export interface Compiling {
  readonly checkpointer: BaseCheckpointSaver;
  readonly fingerprintOf: (drawing: string) => string;
}

export async function defineGraph<Input>(
  about: GraphDescription,
  graph: CompiledGraph<Input>,
  fingerprintOf: Compiling["fingerprintOf"],
): Promise<GraphDefinition> {
  const { name, description } = about;
  const drawn = await graph.getGraphAsync();
  const nodes = Object.keys(drawn.nodes).map((id) => ({ id }));
  const edges = drawn.edges.map(({ source, target, conditional }) => ({ source, target, conditional: conditional === true }));
  const picture: GraphPicture = { name, description, nodes, edges, mermaid: drawn.drawMermaid() };
  return {
    ...about,
    // The engine passes only values that `input` returned, so the cast is safe.
    graph: graph as unknown as RunnableGraph,
    picture,
    fingerprint: fingerprintOf(picture.mermaid),
    input: (task: Task) => ({ task, ...givenEntries(task), ...(task.queries && { queries: task.queries }) }),
    outcome(state) {
      const { report, termination } = state as Awaited<ReturnType<CompiledGraph<Input>["invoke"]>>;
      if (termination === null) throw new DossierError("internal", `The graph ${about.name} ended without a termination.`);
      return { termination, report };
    },
  };
}
