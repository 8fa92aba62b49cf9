import type { ThreadMaterialStore } from "../domain/ports/material.ts";
import type { RunStore } from "../domain/ports/run-store.ts";

const DAY_MS = 86_400_000;
const RUNS_AT_ONCE = 100;
/** For the size, material is deleted only if no question has followed it for this long. */
const UNUSED_MS = 3_600_000;
/** About what the tables and indexes of an empty database take. */
const EMPTY_BYTES = 300_000;
/** A client may delete many runs in a row. */
const AFTER_DELETE_MS = 1_000;

export interface RetentionTerms {
  /** Null keeps runs of any age. */
  readonly days: number | null;
  /** Null allows any size. */
  readonly maxBytes: number | null;
}

/** Terms that delete more than those before wait, so that a slip in a setting can be corrected. */
export interface RetentionNotice {
  /** Returns the terms by which data was deleted last; null if there are none. */
  known(): RetentionTerms | null;
  keep(terms: RetentionTerms): void;
  readonly waitMs: number;
  /** Called once with what will be deleted at `at`: runs by their age, and runs until the data has `excessBytes` less. */
  onNotice(planned: { readonly runs: number; readonly excessBytes: number; readonly at: number }): void;
}

const NO_NOTICE: RetentionNotice = { known: () => null, keep: () => undefined, waitMs: 0, onNotice: () => undefined };
/** A notice counts no more runs. */
const MAX_COUNTED = 10_000;

function deletesMore(terms: RetentionTerms, known: RetentionTerms | null): boolean {
  const isLess = (now: number | null, before: number | null = null): boolean => now !== null && (before === null || now < before);
  return isLess(terms.days, known?.days) || isLess(terms.maxBytes, known?.maxBytes);
}

interface RetentionOptions extends RetentionTerms {
  readonly store: Pick<RunStore, "listEnded" | "delete" | "bytes" | "lastingBytes" | "otherBytes" | "freeSpace">;
  readonly threads: Pick<ThreadMaterialStore, "deleteUnused" | "freeOriginals" | "unusedBytes">;
  /** Deletes what no version of the program reads any more. */
  readonly deleteOutdated?: (signal: AbortSignal) => Promise<void>;
  readonly notice?: RetentionNotice;
  readonly clock: () => number;
  readonly onDeleted: (deleted: { readonly runs: number; readonly bytes: number }) => void;
  /** Called once when the data begins to be too large although no deleted run can help. */
  readonly onTooLarge: (size: { readonly bytes: number; readonly otherBytes: number; readonly unusedBytes: number }) => void;
}

/**
 * Deletes the runs that ended more than `days` ago, and the runs that ended first while the data takes more than `maxBytes`, on
 * `clean`. Documents that no other run uses go with their run. What was given to threads without runs is deleted at the same
 * age, and before the runs for the size. No run is deleted for the size if
 * what stays takes more than `maxBytes` alone: other files, and what was given to threads without runs within the last hour.
 */
export function retainRuns(options: RetentionOptions) {
  const { store, threads, deleteOutdated, days, maxBytes, notice = NO_NOTICE, clock, onDeleted, onTooLarge } = options;
  const limit = maxBytes ?? Number.POSITIVE_INFINITY;
  let deletesFrom: number | null = null;
  const closing = new AbortController();
  let cleanedAt: number | null = null;
  let isTooLarge = false;
  let cleaning: Promise<void> | null = null;
  const freeOriginals = () => threads.freeOriginals(closing.signal);
  const deleteEnded = async (before: number, isEnough: () => Promise<boolean>): Promise<number> => {
    let count = 0;
    while (!(await isEnough())) {
      const ended = await store.listEnded(before, RUNS_AT_ONCE);
      const deletedBefore = count;
      for (const { tenant, id } of ended) {
        if (closing.signal.aborted || (await isEnough())) return count;
        if (await store.delete(tenant, id)) count += 1;
        await freeOriginals();
      }
      if (count === deletedBefore) return count;
    }
    return count;
  };
  const deleteUnused = async (before: number, isEnough: () => Promise<boolean>): Promise<void> => {
    while (!closing.signal.aborted && !(await isEnough()) && (await threads.deleteUnused(before, 1)) > 0) await freeOriginals();
  };
  /** Whether the terms are those of before, delete nothing now, or were announced long enough ago. */
  const mayDelete = async (): Promise<boolean> => {
    const terms = { days, maxBytes };
    if (deletesMore(terms, notice.known())) deletesFrom ??= await announce();
    if (deletesFrom !== null && clock() < deletesFrom) return false;
    notice.keep(terms);
    return true;
  };
  /** Returns from when on data may be deleted. */
  const announce = async (): Promise<number> => {
    const runs = days === null ? 0 : (await store.listEnded(clock() - days * DAY_MS, MAX_COUNTED)).length;
    const excessBytes = Math.max(0, (await store.lastingBytes()) - limit);
    if (runs + excessBytes === 0) return clock();
    const at = clock() + notice.waitMs;
    notice.onNotice({ runs, excessBytes, at });
    return at;
  };
  const cleanOnce = async (): Promise<void> => {
    await deleteOutdated?.(closing.signal);
    await freeOriginals();
    if (!(await mayDelete())) return;
    if (days !== null) await deleteUnused(clock() - days * DAY_MS, never);
    const old = days === null ? 0 : await deleteEnded(clock() - days * DAY_MS, never);
    const isSmall = async (): Promise<boolean> => (await store.lastingBytes()) <= limit;
    if (store.otherBytes() <= limit) await deleteUnused(clock() - UNUSED_MS, isSmall);
    const unusedBytes = await threads.unusedBytes();
    const mayHelp = (await isSmall()) || store.otherBytes() + unusedBytes + EMPTY_BYTES <= limit;
    const excess = mayHelp ? await deleteEnded(Number.MAX_SAFE_INTEGER, isSmall) : 0;
    await store.freeSpace(closing.signal);
    if (!closing.signal.aborted) cleanedAt = clock();
    const wasTooLarge = isTooLarge;
    const bytes = await store.lastingBytes();
    isTooLarge = bytes > limit && !closing.signal.aborted;
    if (isTooLarge && !wasTooLarge) onTooLarge({ bytes, otherBytes: store.otherBytes(), unusedBytes: await threads.unusedBytes() });
    if (old + excess > 0) onDeleted({ runs: old + excess, bytes });
  };
  const never = async (): Promise<boolean> => false;
  const clean = (): Promise<void> => {
    cleaning ??= cleanOnce().finally(() => {
      cleaning = null;
    });
    return cleaning;
  };
  let soon: NodeJS.Timeout | undefined;
  return {
    clean,
    /** Call this after a run was deleted, so that its space is given back to the disk. */
    cleanSoon(): void {
      soon ??= setTimeout(() => {
        soon = undefined;
        void clean().catch(() => undefined);
      }, AFTER_DELETE_MS).unref();
    },
    state: async () => ({
      bytes: await store.bytes(),
      tooLarge: isTooLarge,
      cleaned: cleanedAt === null ? null : new Date(cleanedAt).toISOString(),
    }),
    close(): void {
      clearTimeout(soon);
      closing.abort();
    },
  };
}

interface ExpiryOptions {
  readonly store: Pick<RunStore, "cancelWaiting">;
  readonly days: number;
  readonly clock: () => number;
  readonly onEnded: (runId: string) => void;
}

/** Returns what cancels the runs that have waited for their user for more than `days`. */
export function expireWaiting({ store, days, clock, onEnded }: ExpiryOptions) {
  const ended = (): Promise<string[]> => store.cancelWaiting(clock() - days * DAY_MS, clock());
  return async (): Promise<void> => {
    for (let ids = await ended(); ids.length > 0; ids = await ended()) for (const id of ids) onEnded(id);
  };
}
