import { ALL_TENANTS, type Tenant, type Tenants } from "../domain/owners.ts";
import type { ThreadMaterialStore } from "../domain/ports/material.ts";
import type { RunStore } from "../domain/ports/run-store.ts";

const DAY_MS = 86_400_000;
const RUNS_AT_ONCE = 100;
/** For the size, material is deleted only if no question has followed it for this long. */
const UNUSED_MS = 3_600_000;
/** A client may delete many runs in a row. */
const AFTER_DELETE_MS = 1_000;

interface RetentionOptions {
  /** Null keeps runs of any age. */
  readonly days: number | null;
  /** For tenants that have days of their own. */
  readonly daysOf?: Readonly<Record<Tenant, number>>;
  /** Of the database. Null allows any size. */
  readonly maxBytes: number | null;
  readonly store: Pick<RunStore, "listEnded" | "delete" | "bytes" | "lastingBytes" | "freeSpace">;
  readonly threads: Pick<ThreadMaterialStore, "deleteUnused" | "freeOriginals">;
  /** Deletes what no version of the program reads any more. */
  readonly deleteOutdated?: (signal: AbortSignal) => Promise<void>;
  readonly clock: () => number;
  readonly onDeleted: (deleted: { readonly runs: number; readonly bytes: number }) => void;
  /** Called once when the data begins to be too large although everything that may be deleted is. */
  readonly onTooLarge: (size: { readonly bytes: number }) => void;
}

/**
 * Deletes the runs that ended more than `days` ago, and while the data takes more than `maxBytes` those that ended first, but none that ended
 * within the last day. Documents that no other run uses go with their run. What was given to threads without runs is deleted at the same age,
 * and for the size after an hour, before the runs.
 */
export class Retention {
  readonly #options: RetentionOptions;
  readonly #limit: number;
  readonly #closing = new AbortController();
  #cleanedAt: number | null = null;
  #isTooLarge = false;
  #cleaning: Promise<void> | null = null;
  #soon: NodeJS.Timeout | undefined;

  constructor(options: RetentionOptions) {
    this.#options = options;
    this.#limit = options.maxBytes ?? Number.POSITIVE_INFINITY;
  }

  readonly clean = (): Promise<void> => {
    this.#cleaning ??= this.#clean().finally(() => {
      this.#cleaning = null;
    });
    return this.#cleaning;
  };

  /** Call this after a run was deleted, so that its space is given back to the disk. */
  readonly cleanSoon = (): void => {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined;
      void this.clean().catch(() => undefined);
    }, AFTER_DELETE_MS).unref();
  };

  readonly state = async () => ({
    bytes: await this.#options.store.bytes(),
    tooLarge: this.#isTooLarge,
    cleaned: this.#cleanedAt === null ? null : new Date(this.#cleanedAt).toISOString(),
  });

  close(): void {
    clearTimeout(this.#soon);
    this.#closing.abort();
  }

  async #clean(): Promise<void> {
    const { store, threads, deleteOutdated, clock, onDeleted, onTooLarge } = this.#options;
    const { signal } = this.#closing;
    await deleteOutdated?.(signal);
    await threads.freeOriginals(signal);
    const never = async (): Promise<boolean> => false;
    const isSmall = async (): Promise<boolean> => (await store.lastingBytes()) <= this.#limit;
    let old = 0;
    for (const [age, whose] of this.#ages()) {
      await this.#deleteUnused(clock() - age * DAY_MS, never, whose);
      old += await this.#deleteEnded(clock() - age * DAY_MS, never, whose);
    }
    await this.#deleteUnused(clock() - UNUSED_MS, isSmall, ALL_TENANTS);
    const excess = await this.#deleteEnded(clock() - DAY_MS, isSmall, ALL_TENANTS);
    await store.freeSpace(signal);
    if (!signal.aborted) this.#cleanedAt = clock();
    const wasTooLarge = this.#isTooLarge;
    const bytes = await store.lastingBytes();
    this.#isTooLarge = bytes > this.#limit && !signal.aborted;
    if (this.#isTooLarge && !wasTooLarge) onTooLarge({ bytes });
    if (old + excess > 0) onDeleted({ runs: old + excess, bytes });
  }

  /** How many days are kept, and whose. */
  #ages(): [days: number, whose: Tenants][] {
    const { days, daysOf = {} } = this.#options;
    const own = Object.entries(daysOf).map(([only, age]): [number, Tenants] => [age, { only }]);
    return days === null ? own : [...own, [days, { except: Object.keys(daysOf) }]];
  }

  async #deleteEnded(before: number, isEnough: () => Promise<boolean>, whose: Tenants): Promise<number> {
    const { store, threads } = this.#options;
    let count = 0;
    for (let deletedBefore = -1; count > deletedBefore && !(await isEnough()); ) {
      deletedBefore = count;
      for (const { tenant, id } of await store.listEnded(before, RUNS_AT_ONCE, whose)) {
        if (this.#closing.signal.aborted || (await isEnough())) return count;
        if (await store.delete(tenant, id)) count += 1;
        await threads.freeOriginals(this.#closing.signal);
      }
    }
    return count;
  }

  async #deleteUnused(before: number, isEnough: () => Promise<boolean>, whose: Tenants): Promise<void> {
    const { threads } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted && !(await isEnough()) && (await threads.deleteUnused(before, 1, whose)) > 0)
      await threads.freeOriginals(signal);
  }
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
