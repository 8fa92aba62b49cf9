import type { BaseCheckpointSaver } from "@langchain/langgraph";
import type { GraphPicture } from "../domain/ports/operations.ts";
import type { Report } from "../domain/report.ts";
import type { Task } from "../domain/request.ts";
import type { Termination } from "../domain/run.ts";
import { DossierError } from "../errors.ts";
import type { GraphDefinition } from "./registry.ts";

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
