import { WRITING_SHARE } from "../domain/budget.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { Task } from "../domain/request.ts";

interface Clocked {
  readonly task: Task;
  readonly startedAt: number;
}

/** Milliseconds that gathering may still take; 0 when its time is up. */
export function gatheringMsLeft(state: Clocked, effects: Effects): number {
  return msLeft(state, effects, 1 - WRITING_SHARE);
}

/** Milliseconds until all but a last bit of the run's time is used up. */
export function readingMsLeft(state: Clocked, effects: Effects): number {
  return msLeft(state, effects, 1 - WRITING_SHARE / 2);
}

/** Milliseconds until the run's time is used up. */
export function writingMsLeft(state: Clocked, effects: Effects): number {
  return msLeft(state, effects, 1);
}

function msLeft({ task, startedAt }: Clocked, effects: Effects, share: number): number {
  return Math.max(0, Math.floor(task.limits.seconds * 1000 * share - effects.elapsedMs(startedAt)));
}
