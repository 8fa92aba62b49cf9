import type { BaseCheckpointSaver } from "@langchain/langgraph";
import type { GraphPicture } from "../domain/ports/run-service.ts";
import type { Report } from "../domain/report.ts";
import type { Task } from "../domain/request.ts";
import type { Termination } from "../domain/run.ts";
import { DossierError } from "../errors.ts";

interface GraphOutcome {
  readonly termination: Termination;
  readonly report: Report | null;
}

export interface RunnableGraph {
  invoke(input: unknown, config: Record<string, unknown>): Promise<Record<string, unknown>>;
}

export interface GraphDefinition {
  readonly name: string;
  readonly description: string;
  readonly needsModel: boolean;
  readonly roles: readonly string[];
  /** Whether a run of the graph has todos, whose plan the user can ask to approve. */
  readonly plans?: boolean;
  /** The steps that a report needs without gathering. A run gets at least these, whatever its limit. */
  readonly minSteps: number;
  readonly graph: RunnableGraph;
  readonly picture: GraphPicture;
  /** Changes with the graph's shape and the program. A crashed run with an older fingerprint starts its segment again. */
  readonly fingerprint: string;
  input(task: Task): Record<string, unknown>;
  outcome(state: Record<string, unknown>): GraphOutcome;
}

export type GraphRegistry = ReadonlyMap<string, GraphDefinition>;

type GraphDescription = Omit<GraphDefinition, "graph" | "picture" | "fingerprint" | "input" | "outcome">;

interface CompiledGraph<Input> extends DrawableGraph {
  invoke(
    input: Input,
    config: Record<string, unknown>,
  ): Promise<{ readonly report: Report | null; readonly termination: Termination | null }>;
}

export interface Compiling {
  readonly checkpointer: BaseCheckpointSaver;
  readonly fingerprintOf: (drawing: string) => string;
}

/** Adapts a compiled graph to the engine. @throws DossierError `internal` later, if a run ends without a termination */
export async function defineGraph<Input>(
  about: GraphDescription,
  graph: CompiledGraph<Input>,
  fingerprintOf: Compiling["fingerprintOf"],
): Promise<GraphDefinition> {
  const picture = await drawGraph(graph, { name: about.name, description: about.description });
  return {
    ...about,
    // LangGraph types the input by the graph's channels; the engine passes what `input` returns.
    graph: { invoke: (input, config) => graph.invoke(input as Input, config) },
    picture,
    fingerprint: fingerprintOf(picture.mermaid),
    input: (task: Task) => ({ task }),
    outcome(state) {
      const { report, termination } = state as Awaited<ReturnType<CompiledGraph<Input>["invoke"]>>;
      if (termination === null) throw new DossierError("internal", `The graph ${about.name} ended without a termination.`);
      return { termination, report };
    },
  };
}

interface DrawableGraph {
  getGraphAsync(): Promise<{
    readonly nodes: Readonly<Record<string, unknown>>;
    readonly edges: readonly { readonly source: string; readonly target: string; readonly conditional?: boolean }[];
    drawMermaid(): string;
  }>;
}

async function drawGraph(graph: DrawableGraph, about: { name: string; description: string }): Promise<GraphPicture> {
  const drawn = await graph.getGraphAsync();
  const nodes = Object.keys(drawn.nodes).map((id) => ({ id }));
  const edges = drawn.edges.map(({ source, target, conditional }) => ({ source, target, conditional: conditional === true }));
  return { ...about, nodes, edges, mermaid: drawn.drawMermaid() };
}
