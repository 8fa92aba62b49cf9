import type { RunEvent } from "../../../src/domain/events.ts";
import { append, at, noRows, replace } from "./rows.ts";
import { type GraphTrace, MAX_STEPS, type NodeStep, type NodeTrace, type RunView } from "./run-view.ts";
import { get, remove, set, type Table } from "./table.ts";

type Started = Extract<RunEvent, { type: "node-started" }>;
type Ended = Extract<RunEvent, { type: "node-ended" }>;

const NO_COUNTS = { found: 0, read: 0, failed: 0, tools: 0, calls: 0 };

export function reduceNode(view: RunView, event: Started | Ended): RunView {
  const traced = event.path === "" ? { ...view, graph: trace(view.graph, event) } : view;
  return event.type === "node-started" ? startNode(traced, event) : endNode(traced, event);
}

/** A node that waited for its user runs again from its start: it stays one step. */
function startNode(view: RunView, event: Started): RunView {
  const open = get(view.openSteps, event.path) ?? [];
  const again = open.find((index) => {
    const step = at(view.steps, index);
    return step?.kind === "node" && isStepOf(step, event) && step.attempt < view.attempt;
  });
  if (again !== undefined) return { ...view, steps: replaceNode(view, again, (step) => ({ ...step, attempt: view.attempt })) };
  if (view.steps.size >= MAX_STEPS) return { ...view, droppedSteps: view.droppedSteps + 1 };
  const { seq, path, node, step } = event;
  const row: NodeStep = {
    ...{ kind: "node", id: seq, at: event.at, path, node, step, attempt: view.attempt },
    ...{ state: "running", durationMs: null, parts: noRows(), droppedParts: 0, counts: NO_COUNTS },
  };
  return { ...view, steps: append(view.steps, row), openSteps: set(view.openSteps, path, [...open, view.steps.size]) };
}

function endNode(view: RunView, event: Ended): RunView {
  const open = get(view.openSteps, event.path) ?? [];
  const index = open.find((candidate) => {
    const step = at(view.steps, candidate);
    return step?.kind === "node" && isStepOf(step, event);
  });
  if (index === undefined) return view;
  const rest = open.filter((candidate) => candidate !== index);
  return {
    ...view,
    steps: replaceNode(view, index, (step) => ({ ...step, state: "ended", durationMs: event.durationMs })),
    openSteps: rest.length === 0 ? remove(view.openSteps, event.path) : set(view.openSteps, event.path, rest),
    open: closeParts(view.open, index),
  };
}

function closeParts(open: RunView["open"], step: number): RunView["open"] {
  const keys = open.buckets.flatMap((bucket) => [...bucket].flatMap(([key, place]) => (place.step === step ? [key] : [])));
  return keys.reduce((table, key) => remove(table, key), open);
}

function isStepOf(step: NodeStep, { node, step: number }: { readonly node: string; readonly step: number }): boolean {
  return step.node === node && step.step === number;
}

function replaceNode(view: RunView, index: number, change: (step: NodeStep) => NodeStep): RunView["steps"] {
  return replace(view.steps, index, (step) => (step.kind === "node" ? change(step) : step));
}

function trace(graph: GraphTrace, event: Started | Ended): GraphTrace {
  const known = get(graph.nodes, event.node) ?? { node: event.node, runs: 0, running: 0, ms: 0 };
  if (event.type === "node-ended") {
    const ended = { ...known, running: Math.max(0, known.running - 1), ms: known.ms + event.durationMs };
    return { ...graph, nodes: set(graph.nodes, event.node, ended) };
  }
  const { front } = graph;
  // After a wait the nodes of the same step start again.
  if (event.step < front.step || (event.step === front.step && front.nodes.includes(event.node) && known.running > 0)) return graph;
  const isNext = event.step > front.step;
  const before = isNext ? front.nodes : front.before;
  const nodes = isNext ? [event.node] : [...new Set([...front.nodes, event.node])];
  const started: NodeTrace = { ...known, runs: known.runs + 1, running: known.running + 1 };
  return {
    nodes: set(graph.nodes, event.node, started),
    edges: countEdges(graph.edges, before, event.node),
    front: { step: event.step, nodes, before },
  };
}

function countEdges(edges: Table<number>, sources: readonly string[], target: string): Table<number> {
  return sources.reduce((table, source) => {
    const edge = `${source}>${target}`;
    return set(table, edge, (get(table, edge) ?? 0) + 1);
  }, edges);
}
