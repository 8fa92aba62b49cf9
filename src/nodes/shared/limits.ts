import { WRITING_SHARE } from "../../domain/budget.ts";
import { addressOf, type Hit } from "../../domain/hit.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { LedgerEntry } from "../../domain/report.ts";
import type { Task } from "../../domain/request.ts";

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

const CODE = "download_cap";

/** What the ledger says of documents that were not read because no download was left for any of them; nothing where there are none. */
export function downloadCap(unread: readonly Hit[]): LedgerEntry[] {
  const [first] = unread;
  if (first === undefined) return [];
  const detail = `No download was left (limits.downloads); not read: ${unread.length}.`;
  return [
    { what: "download", source: first.foundBy, target: addressOf(first), outcome: "failed", results: 0, failure: CODE, detail, ms: 0 },
  ];
}

/** Whether the limit of downloads has kept something from being read. */
export function isCapped(ledger: readonly LedgerEntry[]): boolean {
  return ledger.some(({ failure }) => failure === CODE);
}

/** How many downloads a ledger tells of: neither what was taken from the run's own documents nor what was not tried. */
export function downloadsIn(ledger: readonly LedgerEntry[]): number {
  return ledger.filter(({ what, outcome, failure }) => what === "download" && outcome !== "reused" && failure !== CODE).length;
}
