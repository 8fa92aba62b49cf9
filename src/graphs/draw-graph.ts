import type { GraphPicture } from "../domain/ports/operations.ts";

/** As much of a compiled graph as its drawing needs. */
export interface DrawableGraph {
  getGraphAsync(): Promise<{
    readonly nodes: Readonly<Record<string, unknown>>;
    readonly edges: readonly { readonly source: string; readonly target: string; readonly conditional?: boolean }[];
    drawMermaid(): string;
  }>;
}

/** The picture of a graph as it was compiled. */
export async function drawGraph(graph: DrawableGraph, about: { name: string; description: string }): Promise<GraphPicture> {
  const drawn = await graph.getGraphAsync();
  const nodes = Object.keys(drawn.nodes).map((id) => ({ id }));
  const edges = drawn.edges.map(({ source, target, conditional }) => ({ source, target, conditional: conditional === true }));
  return { ...about, nodes, edges, mermaid: drawn.drawMermaid() };
}
