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

export const NODE = { width: 190, height: 42, gap: 22 } as const;
const LANE = 13;
const MARGIN = 8;
/** Ways leave a node below its middle and enter it above. */
const SHIFT = 8;

/**
 * Places the nodes in one column. A way to the next node is straight; ways further down go round
 * on the right, ways back on the left, so that none runs behind a node. Ways out of one node, or back to one, share a lane.
 */
export function layOut({ nodes, edges }: Pick<GraphPicture, "nodes" | "edges">): Layout {
  const order = orderOf(
    nodes.map(({ id }) => id),
    edges,
  );
  const rows = new Map(order.map((id, row) => [id, row]));
  const spans = edges.flatMap(({ source, target }): Span[] => {
    const [from, to] = [rows.get(source), rows.get(target)];
    return from === undefined || to === undefined ? [] : [{ source, target, from, to }];
  });
  const right = lanesOf(spans.filter(({ from, to }) => to > from + 1).map((span) => ({ ...span, key: span.source })));
  const left = lanesOf(spans.filter(({ from, to }) => to <= from).map((span) => ({ ...span, key: span.target })));
  const side = MARGIN + LANE * (1 + Math.max(0, ...[...right.values(), ...left.values()].map((lane) => lane + 1)));
  const x = side + NODE.width / 2;
  const yOf = (row: number): number => MARGIN + NODE.height / 2 + row * (NODE.height + NODE.gap);
  const drawn = spans.map(({ source, target, from, to }): PlacedEdge => {
    if (to === from + 1) return { source, target, path: `M ${x} ${yOf(from) + NODE.height / 2} V ${yOf(to) - NODE.height / 2}` };
    const isDown = to > from;
    const lane = (isDown ? right.get(source) : left.get(target)) ?? 0;
    const sign = isDown ? 1 : -1;
    const edge = x + (sign * NODE.width) / 2;
    return { source, target, path: roundTrip(edge, edge + sign * LANE * (lane + 1), yOf(from) + SHIFT, yOf(to) - SHIFT) };
  });
  const placed = order.map((id, row): PlacedNode => ({ id, x, y: yOf(row) }));
  return {
    nodes: placed,
    edges: drawn,
    width: 2 * side + NODE.width,
    height: 2 * MARGIN + order.length * (NODE.height + NODE.gap) - NODE.gap,
  };
}

interface Span {
  readonly source: string;
  readonly target: string;
  readonly from: number;
  readonly to: number;
}

/** Out to the lane, along it, and in. */
function roundTrip(edge: number, lane: number, from: number, to: number): string {
  const [out, along] = [Math.sign(lane - edge) * 5, Math.sign(to - from) * 5];
  return `M ${edge} ${from} H ${lane - out} Q ${lane} ${from} ${lane} ${from + along} V ${to - along} Q ${lane} ${to} ${lane - out} ${to} H ${edge}`;
}

/** Gives each key the innermost lane that no other key uses on these rows; short ones first. */
function lanesOf(spans: readonly (Span & { readonly key: string })[]): ReadonlyMap<string, number> {
  const groups = [...Map.groupBy(spans, ({ key }) => key)].map(([key, members]) => {
    const rows = members.flatMap(({ from, to }) => [from, to]);
    return { key, top: Math.min(...rows), end: Math.max(...rows) };
  });
  const lanes = new Map<string, number>();
  const taken: { top: number; end: number }[][] = [];
  for (const { key, top, end } of groups.toSorted((one, other) => one.end - one.top - (other.end - other.top))) {
    let lane = 0;
    while (taken[lane]?.some((other) => other.top <= end && top <= other.end) === true) lane += 1;
    taken[lane] = [...(taken[lane] ?? []), { top, end }];
    lanes.set(key, lane);
  }
  return lanes;
}

/** Every node after those that lead to it, ways back apart; the end comes last. */
function orderOf(ids: readonly string[], edges: GraphPicture["edges"]): string[] {
  const targets = new Set(edges.filter(({ source, target }) => source !== target).map(({ target }) => target));
  const starts = ids.filter((id) => !targets.has(id));
  const seen = new Set<string>();
  const order: string[] = [];
  const visit = (id: string): void => {
    if (seen.has(id) || !ids.includes(id)) return;
    seen.add(id);
    for (const { source, target } of edges.toReversed()) if (source === id) visit(target);
    order.unshift(id);
  };
  for (const id of starts.toReversed()) visit(id);
  // Nodes that only lead to each other.
  for (const id of ids) visit(id);
  return [...order.filter((id) => id !== "__end__"), ...order.filter((id) => id === "__end__")];
}
