import type { CallPart, ToolPart } from "./part.ts";
import { at } from "./rows.ts";
import type { NodeStep, RunView } from "./run-view.ts";
import { valuesOf } from "./table.ts";

/** What a run is doing at this moment, for one line of text. */
export type Now =
  | { readonly kind: "queued" | "starting" | "waiting" | "ended" }
  | { readonly kind: "tool"; readonly tool: ToolPart; readonly step: NodeStep; readonly others: number }
  | { readonly kind: "call"; readonly call: CallPart; readonly step: NodeStep; readonly others: number }
  | { readonly kind: "node"; readonly step: NodeStep; readonly others: number };

/** Tools count before models, and models before nodes: the innermost thing says most. Of several, the latest one. */
export function nowOf(view: RunView): Now {
  if (view.status === "queued") return { kind: view.attempt > 0 ? "starting" : "queued" };
  if (view.status === "waiting") return { kind: "waiting" };
  if (view.status !== "running") return { kind: "ended" };
  const parts = valuesOf(view.open).flatMap((place) => {
    const step = at(view.steps, place.step);
    const part = place.part === null || step?.kind !== "node" ? undefined : at(step.parts, place.part);
    return step?.kind === "node" && part !== undefined ? [{ step, part }] : [];
  });
  const tools = parts.flatMap(({ step, part }) => (part.kind === "tool" && part.ok === null ? [{ step, tool: part }] : []));
  const tool = latest(tools, (one) => one.tool.id);
  if (tool !== undefined) return { kind: "tool", ...tool, others: tools.length - 1 };
  const calls = parts.flatMap(({ step, part }) =>
    part.kind === "call" && part.state !== "ended" && !part.isReport ? [{ step, call: part }] : [],
  );
  const call = latest(calls, (one) => one.call.id);
  if (call !== undefined) return { kind: "call", ...call, others: calls.length - 1 };
  const steps = valuesOf(view.openSteps)
    .flat()
    .map((index) => at(view.steps, index))
    .filter((step) => step?.kind === "node");
  const deepest = Math.max(...steps.map(depthOf));
  const inner = steps.filter((step) => depthOf(step) === deepest);
  const step = latest(inner, ({ id }) => id);
  return step === undefined ? { kind: "starting" } : { kind: "node", step, others: inner.length - 1 };
}

function depthOf({ path }: NodeStep): number {
  return path === "" ? 0 : path.split("/").length;
}

function latest<T>(rows: readonly T[], idOf: (row: T) => number): T | undefined {
  return rows.reduce<T | undefined>((last, row) => (last === undefined || idOf(row) > idOf(last) ? row : last), undefined);
}
