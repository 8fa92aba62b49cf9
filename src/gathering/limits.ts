import { WRITING_SHARE } from "../domain/budget.ts";
import { addressOf, type Hit, LINKS_SOURCE, URLS_SOURCE } from "../domain/hit.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { LedgerEntry } from "../domain/report.ts";
import type { Task } from "../domain/task.ts";
import { readKeyOf, readKeyOfHit } from "./reading.ts";

interface TimedState {
  readonly task: Task;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  readonly waitedMs?: number;
}

/** Returns the milliseconds left for gathering, which may use 70 % of the run's time. */
export function gatheringMsLeft(state: TimedState, effects: Effects): number {
  return msLeft(state, effects, 1 - WRITING_SHARE);
}

/** Returns the milliseconds left for reading, which may use 85 % of the run's time. */
export function readingMsLeft(state: TimedState, effects: Effects): number {
  return msLeft(state, effects, 1 - WRITING_SHARE / 2);
}

export function writingMsLeft(state: TimedState, effects: Effects): number {
  return msLeft(state, effects, 1);
}

function msLeft({ task, startedAt, waitedMs = 0 }: TimedState, effects: Effects, share: number): number {
  const wholeMs = task.limits.seconds * 1000 * share;
  // A nested run may gather until its own timeout, because the outer run writes the report.
  const mostMs = Math.min(wholeMs, task.part?.timeoutMs ?? wholeMs);
  return Math.max(0, Math.floor(mostMs - effects.elapsedMs(startedAt) + waitedMs));
}

const CAP_CODE = "download_cap";
const NONE_LEFT = "No download was left (limits.downloads, or the depth)";

export function downloadCapEntries(unread: readonly Hit[]): LedgerEntry[] {
  return capEntries(unread, `${NONE_LEFT}; not read: ${unread.length}.`);
}

/** Says that nothing was read in place of pages that are too old; `unread` are the hits that would have been. */
export function unreplacedEntries(unread: readonly Hit[]): LedgerEntry[] {
  return capEntries(unread, `${NONE_LEFT} to read others in place of older pages; not replaced: ${unread.length}.`);
}

function capEntries([first]: readonly Hit[], detail: string): LedgerEntry[] {
  return first === undefined ? [] : [unreadEntry(first, CAP_CODE, detail)];
}

/** Tells that a hit was not read. */
export function unreadEntry(hit: Hit, failure: string, detail: string): LedgerEntry {
  return { what: "download", source: hit.foundBy, target: addressOf(hit), outcome: "failed", results: 0, ms: 0, failure, detail };
}

/** Tells that a hit was taken from what was read before. */
export function reusedEntry(hit: Hit, detail: string | null = null): LedgerEntry {
  const place = { what: "download", source: hit.foundBy, target: addressOf(hit) } as const;
  return { ...place, outcome: "reused", results: 1, failure: null, detail, ms: 0 };
}

/** An address that the user gave, and that was not read for another reason than the limits of downloads. */
const NOT_READ_CODE = "not_read";

/** What has one of them was not downloaded, or is another line of what was. */
const UNREAD_CODES: readonly LedgerEntry["failure"][] = [CAP_CODE, "before_since", NOT_READ_CODE];

interface ReadingState extends TimedState {
  readonly ledger: readonly LedgerEntry[];
  readonly downloads: number;
}

/** Says of each address that the user gave and that no part of the run tried to read why it did not. The ledger is that of all parts. */
export function unreadUrlEntries({ ledger, downloads, ...state }: ReadingState, effects: Effects): LedgerEntry[] {
  const { given = [], limits } = state.task;
  const isDone = ({ what, failure }: LedgerEntry): boolean =>
    failure === CAP_CODE || (what === "download" && !UNREAD_CODES.includes(failure));
  const done = new Set(ledger.filter(isDone).map(({ target }) => readKeyOf(target)));
  const unread = given.filter((hit) => hit.foundBy === URLS_SOURCE && !done.has(readKeyOfHit(hit)));
  if (downloads >= limits.downloads) return unread.flatMap((hit) => capEntries([hit], `${NONE_LEFT}.`));
  const detail = gatheringMsLeft(state, effects) === 0 ? "No time was left to read it." : "No agent searched or read it by its id.";
  return unread.map((hit) => unreadEntry(hit, NOT_READ_CODE, detail));
}

export function isCapped(ledger: readonly LedgerEntry[]): boolean {
  return ledger.some(({ failure }) => failure === CAP_CODE);
}

/** An address that a document names and that may not be reached was not the choice of the run, so it costs no download. */
export function countDownloads(ledger: readonly LedgerEntry[]): number {
  const isMade = ({ outcome, source, failure }: LedgerEntry): boolean =>
    outcome !== "reused" && !UNREAD_CODES.includes(failure) && !(source === LINKS_SOURCE && failure === "forbidden_address");
  return ledger.filter((entry) => entry.what === "download" && isMade(entry)).length;
}
