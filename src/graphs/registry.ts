import type { BaseCheckpointSaver } from "@langchain/langgraph";
import type { GraphPicture } from "../domain/ports/run-service.ts";
import type { Report } from "../domain/report.ts";
import type { Task } from "../domain/request.ts";
import type { Termination } from "../domain/run.ts";
import { DossierError } from "../errors.ts";

/** What a finished graph has brought forth. */
interface GraphOutcome {
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

/** What a graph says of itself. */
type About = Omit<GraphDefinition, "graph" | "picture" | "fingerprint" | "input" | "outcome">;

/** As much of a compiled graph as its definition needs; it begins with a task and its last state says how it ended. */
interface CompiledGraph<Input> extends DrawableGraph {
  invoke(
    input: Input,
    config: Record<string, unknown>,
  ): Promise<{ readonly report: Report | null; readonly termination: Termination | null }>;
}

/** How a graph is compiled for an engine. */
export interface Compiling {
  readonly checkpointer: BaseCheckpointSaver;
  /** Names the program together with a graph's drawing. */
  readonly fingerprintOf: (drawing: string) => string;
}

/** A graph that takes a task and ends with a report and a termination, ready for the engine. */
export async function defineGraph<Input>(
  about: About,
  graph: CompiledGraph<Input>,
  fingerprintOf: Compiling["fingerprintOf"],
): Promise<GraphDefinition> {
  const picture = await drawGraph(graph, { name: about.name, description: about.description });
  return {
    ...about,
    // LangGraph types its input by the graph's channels; the engine hands over what `input` below made.
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

/** As much of a compiled graph as its drawing needs. */
interface DrawableGraph {
  getGraphAsync(): Promise<{
    readonly nodes: Readonly<Record<string, unknown>>;
    readonly edges: readonly { readonly source: string; readonly target: string; readonly conditional?: boolean }[];
    drawMermaid(): string;
  }>;
}

/** The picture of a graph as it was compiled. */
async function drawGraph(graph: DrawableGraph, about: { name: string; description: string }): Promise<GraphPicture> {
  const drawn = await graph.getGraphAsync();
  const nodes = Object.keys(drawn.nodes).map((id) => ({ id }));
  const edges = drawn.edges.map(({ source, target, conditional }) => ({ source, target, conditional: conditional === true }));
  return { ...about, nodes, edges, mermaid: drawn.drawMermaid() };
}
