import type { GraphPicture } from "../../../../src/domain/ports/run-service.ts";

export interface PlacedNode {
  readonly id: string;
  readonly x: number;
  readonly y: number;
}

export interface PlacedEdge {
  readonly source: string;
  readonly target: string;
  /** An SVG path. */
  readonly path: string;
}

export interface Layout {
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
  readonly width: number;
  readonly height: number;
}

export const NODE = { width: 190, height: 34, gapX: 40, gapY: 34 } as const;
const MARGIN = 60;

/** Places nodes in layers by their distance from the start, top to bottom. Edges back to an earlier layer go round on the right. */
export function layOut({ nodes, edges }: Pick<GraphPicture, "nodes" | "edges">): Layout {
  const layers = layersOf(
    nodes.map(({ id }) => id),
    edges,
  );
  const widest = Math.max(1, ...layers.map((layer) => layer.length));
  const width = widest * (NODE.width + NODE.gapX) + 2 * MARGIN;
  const placed = layers.flatMap((layer, row) =>
    layer.map((id, column): PlacedNode => {
      const x = width / 2 + (column - (layer.length - 1) / 2) * (NODE.width + NODE.gapX);
      return { id, x, y: NODE.height + row * (NODE.height + NODE.gapY) };
    }),
  );
  const byId = new Map(placed.map((node) => [node.id, node]));
  const drawn = edges.flatMap(({ source, target }) => {
    const [from, to] = [byId.get(source), byId.get(target)];
    return from === undefined || to === undefined ? [] : [{ source, target, path: pathOf(from, to) }];
  });
  return { nodes: placed, edges: drawn, width, height: NODE.height + layers.length * (NODE.height + NODE.gapY) };
}

/** Breadth first from the nodes without a way in, so that edges back do not move a node down. */
function layersOf(ids: readonly string[], edges: GraphPicture["edges"]): string[][] {
  const targets = new Set(edges.filter(({ source, target }) => source !== target).map(({ target }) => target));
  const starts = ids.filter((id) => !targets.has(id));
  const seen = new Set<string>();
  const layers: string[][] = [];
  let layer = starts.length > 0 ? starts : ids.slice(0, 1);
  while (layer.length > 0) {
    for (const id of layer) seen.add(id);
    layers.push([...layer]);
    const next = edges
      .filter(({ source, target }) => layers.at(-1)?.includes(source) === true && !seen.has(target))
      .map(({ target }) => target);
    layer = [...new Set(next)].filter((id) => ids.includes(id));
  }
  const rest = ids.filter((id) => !seen.has(id));
  return sinkEnd(rest.length > 0 ? [...layers, rest] : layers);
}

/** The end comes last, although some ways to it are short. */
function sinkEnd(layers: readonly string[][]): string[][] {
  const end = layers.flat().find((id) => id === "__end__");
  if (end === undefined) return [...layers];
  return [...layers.map((layer) => layer.filter((id) => id !== end)).filter((layer) => layer.length > 0), [end]];
}

function pathOf(from: PlacedNode, to: PlacedNode): string {
  const half = NODE.height / 2;
  if (to.y > from.y) {
    const middle = (from.y + to.y) / 2;
    return `M ${from.x} ${from.y + half} C ${from.x} ${middle}, ${to.x} ${middle}, ${to.x} ${to.y - half}`;
  }
  const side = Math.max(from.x, to.x) + NODE.width / 2 + 36;
  const [startX, endX] = [from.x + NODE.width / 2, to.x + NODE.width / 2];
  return `M ${startX} ${from.y} C ${side} ${from.y}, ${side} ${to.y}, ${endX} ${to.y}`;
}
