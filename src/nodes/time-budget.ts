import { WRITING_SHARE } from "../domain/budget.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { Task } from "../domain/request.ts";

interface Clocked {
  readonly task: Task;
  readonly startedAt: number;
  /** Running time in which it waited. */
  readonly waitedMs?: number;
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

function msLeft({ task, startedAt, waitedMs = 0 }: Clocked, effects: Effects, share: number): number {
  const wholeMs = task.limits.seconds * 1000 * share;
  // A part has a time of its own, and keeps nothing back for another answer.
  const mostMs = Math.min(wholeMs, task.part?.timeoutMs ?? wholeMs);
  return Math.max(0, Math.floor(mostMs - effects.elapsedMs(startedAt) + waitedMs));
}
