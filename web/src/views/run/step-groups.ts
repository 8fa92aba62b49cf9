import { toArray } from "../../view-model/rows.ts";
import type { RunView, Step } from "../../view-model/run-view.ts";

/** A step of the run itself, or the steps of one todo or agent, where its first one stands. */
export type StepGroup =
  | { readonly kind: "step"; readonly key: number; readonly step: Step }
  | { readonly kind: "part-of-run"; readonly key: string; readonly speaker: Speaker; readonly steps: Step[] };

/** Who speaks on a path such as `todo:T1/round:2` or `child:history`. */
export interface Speaker {
  readonly kind: "todo" | "child" | "other";
  readonly id: string;
}

export function speakerOf(path: string): Speaker {
  const [first = ""] = path.split("/");
  const colon = first.indexOf(":");
  const [kind, id] = [first.slice(0, Math.max(0, colon)), first.slice(colon + 1)];
  return { kind: kind === "todo" || kind === "child" ? kind : "other", id };
}

/** Returns the number of the round in a path such as `todo:T1/round:2`, or null. */
export function roundOf(path: string): string | null {
  return /\/round:([^/]+)/.exec(path)?.[1] ?? null;
}

/** Steps that only hold the work of a todo or an agent, which has a group of its own. */
const HOLDERS: readonly string[] = ["todo", "work", "child"];

export function groupSteps(view: RunView): StepGroup[] {
  const groups: StepGroup[] = [];
  const bySpeaker = new Map<string, Step[]>();
  for (const step of toArray(view.steps)) {
    if (step.kind === "node" && HOLDERS.includes(step.node) && step.parts.size === 0) continue;
    if (step.path === "") {
      groups.push({ kind: "step", key: step.id, step });
      continue;
    }
    const speaker = speakerOf(step.path);
    const key = `${speaker.kind}:${speaker.id}`;
    const known = bySpeaker.get(key);
    if (known !== undefined) known.push(step);
    else {
      const steps = [step];
      bySpeaker.set(key, steps);
      groups.push({ kind: "part-of-run", key, speaker, steps });
    }
  }
  return groups;
}
