import { addressOf, type Hit, isBefore, knownDate, mergeHits, type RankedHit, URLS_SOURCE } from "../domain/hit.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { SearchQuery } from "../domain/ports/sources.ts";
import type { PlannedQuery } from "../domain/queries.ts";
import type { LedgerEntry } from "../domain/report.ts";
import type { Task } from "../domain/task.ts";
import { unreadEntry } from "./limits.ts";
import type { Read, ReadHit } from "./reading.ts";
import { readKeyOf, readKeyOfHit } from "./reading.ts";

/** The failure of what was published before the day `since` of the user. */
export const OLDER_CODE = "before_since";

/** Returns the dates of a query for all that was published since the user's `since`. */
export function sinceOf({ since, today }: Pick<Task, "since" | "today">): Pick<SearchQuery, "from" | "today" | "keepsOlder"> {
  return since === undefined ? {} : { from: since, keepsOlder: true, ...(today !== undefined && { today }) };
}

type Dates = Pick<PlannedQuery, "from" | "to">;

/** Returns the dates of a written query. The user's `since` is the earliest day; it replaces a range that ends before it. */
export function datesOf(
  { from, to }: Dates,
  task: Pick<Task, "since" | "today">,
): Pick<SearchQuery, "from" | "to" | "today" | "keepsOlder"> {
  const { since = "", today } = task;
  const first = since !== "" && (from === null || from < since) ? since : from;
  const last = to !== null && to < since ? null : to;
  if (first === null && last === null) return {};
  return {
    ...(first !== null && { from: first }),
    ...(last !== null && { to: last }),
    ...(today !== undefined && { today }),
    ...(first === since && sinceOf(task)),
  };
}

/** Leaves out hits whose date, as a search tells it, is before `since`. Says how many in one entry for each source. */
export function leaveOutOlder(found: readonly Hit[], since: string | undefined): { readonly hits: Hit[]; readonly entries: LedgerEntry[] } {
  if (since === undefined) return { hits: [...found], entries: [] };
  const older = found.filter(({ publishedAt }) => isBefore(publishedAt, since));
  return { hits: found.filter((hit) => !older.includes(hit)), entries: olderEntries(mergeHits([], older), since) };
}

function olderEntries(older: readonly Hit[], since: string): LedgerEntry[] {
  return [...Map.groupBy(older, ({ foundBy }) => foundBy).values()].flatMap((own) => {
    const detail = `Published before ${since} (since); left out: ${own.length}.`;
    return own.slice(0, 1).map((first) => unreadEntry(first, OLDER_CODE, detail));
  });
}

/** Lowers the scores of hits without a date below those of all others, because what is read is sorted by score again. */
export function datedFirst(ranked: readonly RankedHit[]): RankedHit[] {
  const isDated = ({ publishedAt }: RankedHit): boolean => knownDate(publishedAt) !== undefined;
  const dated = ranked.filter(isDated);
  const lowest = dated.reduce((low, { score }) => Math.min(low, score), 1);
  return [...dated, ...ranked.filter((hit) => !isDated(hit)).map((hit) => ({ ...hit, score: (hit.score * lowest) / 2 }))];
}

/**
 * Fails a reading of a document that tells a date before `since`. The date that a search knows is judged before, and an address that the
 * user gave is read anyway.
 */
export function failOlder(read: Read, { since }: Pick<Task, "since">, effects: Effects): Read {
  if (since === undefined) return read;
  const older: Hit[] = [];
  const check = <One extends ReadHit>(one: One): One => {
    const { hit, publishedAt = null } = one;
    if (hit.foundBy === URLS_SOURCE || knownDate(hit.publishedAt) !== undefined || !isBefore(publishedAt, since)) return one;
    const message = `Its own date is before ${since} (since).`;
    effects.emit({ type: "document-failed", sourceId: hit.id, url: addressOf(hit), failure: OLDER_CODE, message, fallback: "none" });
    older.push(hit);
    return { ...one, status: "failed", contentHash: null, failure: OLDER_CODE };
  };
  const checked = { ...check(read), ...(read.others && { others: read.others.map(check) }) };
  return { ...checked, entries: [...read.entries, ...older.flatMap((hit) => olderEntries([hit], since))] };
}

/** Whether the run left out a hit because it is older than the user's `since`. */
export function isLeftOut(hit: Pick<Hit, "url" | "publication" | "kind">, ledger: readonly LedgerEntry[]): boolean {
  const key = readKeyOfHit(hit);
  return ledger.some(({ failure, target }) => failure === OLDER_CODE && readKeyOf(target) === key);
}
