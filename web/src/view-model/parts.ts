import type { Part } from "./part.ts";
import { append, at, replace } from "./rows.ts";
import { MAX_PARTS, type NodeStep, type Place, type RunView, type StepCounts } from "./run-view.ts";
import { get, set } from "./table.ts";

interface Told {
  readonly seq: number;
  readonly at: string;
  readonly path: string;
}

/** Keys of what is open. `path` and ids may contain anything but this separator. */
export function openKey(kind: "tool" | "call" | "component", path: string, id: string): string {
  return [kind, path, id].join("\u0000");
}

/** Adds a part to the latest open step of its path. With a key it can be changed until the step ends. Without an open step nothing is kept. */
export function addPart(view: RunView, { path }: Told, part: Part, options: { key?: string; counts?: Partial<StepCounts> } = {}): RunView {
  const index = get(view.openSteps, path)?.at(-1);
  const step = index === undefined ? undefined : at(view.steps, index);
  if (index === undefined || step?.kind !== "node") return view;
  const counts = addCounts(step.counts, options.counts ?? {});
  if (step.parts.size >= MAX_PARTS) {
    return changeStep(view, index, (one) => ({ ...one, counts, droppedParts: one.droppedParts + 1 }));
  }
  const added = changeStep(view, index, (one) => ({ ...one, counts, parts: append(one.parts, part) }));
  if (options.key === undefined) return added;
  return { ...added, open: set(added.open, options.key, { step: index, part: step.parts.size }) };
}

/** Returns the part with this key if it is open. */
export function openPart(view: RunView, key: string): { readonly place: Place; readonly part: Part } | null {
  const place = get(view.open, key);
  const step = place === undefined ? undefined : at(view.steps, place.step);
  const part = place === undefined || place.part === null || step?.kind !== "node" ? undefined : at(step.parts, place.part);
  return place === undefined || part === undefined ? null : { place, part };
}

export function changePart(view: RunView, { step, part }: Place, change: (part: Part) => Part): RunView {
  if (part === null) return view;
  return changeStep(view, step, (one) => ({ ...one, parts: replace(one.parts, part, change) }));
}

/** Changes the last part of the latest open step of the path, if `change` returns another one. */
export function changeLastPart(
  view: RunView,
  path: string,
  change: (part: Part) => Part | null,
  counts: Partial<StepCounts> = {},
): RunView | null {
  const index = get(view.openSteps, path)?.at(-1);
  const step = index === undefined ? undefined : at(view.steps, index);
  if (index === undefined || step?.kind !== "node") return null;
  const last = at(step.parts, step.parts.size - 1);
  const changed = last === undefined ? null : change(last);
  if (changed === null) return null;
  return changeStep(view, index, (one) => ({
    ...one,
    counts: addCounts(one.counts, counts),
    parts: replace(one.parts, one.parts.size - 1, () => changed),
  }));
}

function changeStep(view: RunView, index: number, change: (step: NodeStep) => NodeStep): RunView {
  return { ...view, steps: replace(view.steps, index, (step) => (step.kind === "node" ? change(step) : step)) };
}

function addCounts(counts: StepCounts, more: Partial<StepCounts>): StepCounts {
  const { found = 0, read = 0, failed = 0, tools = 0, calls = 0 } = more;
  return {
    found: counts.found + found,
    read: counts.read + read,
    failed: counts.failed + failed,
    tools: counts.tools + tools,
    calls: counts.calls + calls,
  };
}
