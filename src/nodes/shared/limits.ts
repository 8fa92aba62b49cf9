import { WRITING_SHARE } from "../../domain/budget.ts";
import { addressOf, type Hit, isBefore, knownDate, LINKS_SOURCE, URLS_SOURCE } from "../../domain/hit.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { LedgerEntry } from "../../domain/report.ts";
import type { AgentStateValue } from "../agent/state.ts";
import { readKeyOf, readKeyOfHit } from "./read-key.ts";

type TimedState = Pick<AgentStateValue, "task" | "startedAt"> & Partial<Pick<AgentStateValue, "waitedMs">>;

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

/**
 * Takes downloads from the limit of this run and, in a nested run, from what the outer run lends; the first `forAll` are used by all nested
 * runs. Returns how many of `wanted` may be made.
 */
export function takeDownloads(wanted: number, left: number, { budget }: Pick<Effects, "budget">, forAll = 0): number {
  const allowed = Math.max(0, Math.min(wanted, left));
  return budget === undefined ? allowed : budget.takeDownloads(allowed, forAll);
}

const CAP_CODE = "download_cap";

export function downloadCapEntries(unread: readonly Hit[]): LedgerEntry[] {
  return capEntries(unread, `No download was left (limits.downloads, or the depth); not read: ${unread.length}.`);
}

/** Says that nothing was read in place of pages that are too old; `unread` are the hits that would have been. */
export function unreplacedEntries(unread: readonly Hit[]): LedgerEntry[] {
  return capEntries(
    unread,
    `No download was left (limits.downloads, or the depth) to read others in place of older pages; not replaced: ${unread.length}.`,
  );
}

function capEntries([first]: readonly Hit[], detail: string): LedgerEntry[] {
  return first === undefined ? [] : [unreadEntry(first, CAP_CODE, detail)];
}

/** Tells that a hit was not read. */
function unreadEntry(hit: Hit, failure: string, detail: string): LedgerEntry {
  return { what: "download", source: hit.foundBy, target: addressOf(hit), outcome: "failed", results: 0, ms: 0, failure, detail };
}

export const OLDER_CODE = "before_since";

/** Says which of what was found is left out because it was published before the day `since`, in one entry for each source. */
export function olderEntries(older: readonly Hit[], since: string): LedgerEntry[] {
  return [...Map.groupBy(older, ({ foundBy }) => foundBy).values()].flatMap((own) => {
    const detail = `Published before ${since} (since); left out: ${own.length}.`;
    return own.slice(0, 1).map((first) => unreadEntry(first, OLDER_CODE, detail));
  });
}

/** Whether what was read tells a date before `since`. The date that a search knows is judged before, and an address that the user gave is read anyway. */
export function isOlder({ hit, publishedAt }: { hit: Hit; publishedAt?: string | null | undefined }, since: string | undefined): boolean {
  if (since === undefined || hit.foundBy === URLS_SOURCE || knownDate(hit.publishedAt) !== undefined) return false;
  return isBefore(publishedAt ?? null, since);
}

/** Whether the run left out a hit because it is older than the user's `since`. */
export function isLeftOut(hit: Pick<Hit, "url" | "publication">, ledger: readonly LedgerEntry[]): boolean {
  const key = readKeyOfHit(hit);
  return ledger.some(({ failure, target }) => failure === OLDER_CODE && readKeyOf(target) === key);
}

/** An address that the user gave, and that was not read for another reason than the limits of downloads. */
const NOT_READ_CODE = "not_read";

/** What has one of them was not downloaded, or is another line of what was. */
const UNREAD_CODES: readonly LedgerEntry["failure"][] = [CAP_CODE, OLDER_CODE, NOT_READ_CODE];

type ReadingState = TimedState & Pick<AgentStateValue, "ledger" | "downloads">;

/** Says of each address that the user gave and that no part of the run tried to read why it did not. The ledger is that of all parts. */
export function unreadUrlEntries({ ledger, downloads, ...state }: ReadingState, effects: Effects): LedgerEntry[] {
  const { given = [], limits } = state.task;
  const isTried = ({ what, failure }: LedgerEntry): boolean => what === "download" && !UNREAD_CODES.includes(failure);
  const tried = new Set(ledger.filter(isTried).map(({ target }) => readKeyOf(target)));
  const capped = new Set(ledger.filter(({ failure }) => failure === CAP_CODE).map(({ target }) => readKeyOf(target)));
  const unread = given.filter((hit) => hit.foundBy === URLS_SOURCE && !tried.has(readKeyOfHit(hit)) && !capped.has(readKeyOfHit(hit)));
  if (downloads >= limits.downloads)
    return unread.flatMap((hit) => capEntries([hit], "No download was left (limits.downloads, or the depth)."));
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
