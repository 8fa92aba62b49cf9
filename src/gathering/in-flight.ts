import { LRUCache } from "lru-cache";
import type { Effect, Effects } from "../domain/ports/effects.ts";
import { unlessAborted } from "../util/abort.ts";

/** In UTF-16 code units of JSON, for all outcomes of a table. */
const MAX_CHARACTERS = 8_000_000;

/**
 * What the parts of a run do at the same time, by a key, so that it is done once. Uses no clock but the time of the run's journal, so that a
 * replay shares the same work. If all outcomes are too large together, those that were used least of late are forgotten.
 */
export class InFlight<Outcome> {
  readonly #open = new Map<string, PromiseWithResolvers<Outcome>>();
  readonly #ended = new LRUCache<string, Outcome & object>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: (outcome) => JSON.stringify(outcome).length,
  });

  /** Whether a part of the run does it or has done it. */
  has(key: string): boolean {
    return this.#open.has(key) || this.#ended.has(key);
  }

  begin(key: string): void {
    if (!this.has(key)) this.#open.set(key, Promise.withResolvers());
  }

  /** Those who wait take the outcome. With `kept`, so do later ones; otherwise they may try again. */
  end(key: string, outcome: Outcome, kept: (Outcome & object) | null): void {
    if (kept !== null) this.#ended.set(key, kept);
    this.#open.get(key)?.resolve(outcome);
    this.#open.delete(key);
  }

  /**
   * Returns how it ended; undefined if nobody does it or has done it. Waits in an effect, because a task that runs code delays the results of
   * all others. @throws DossierError `timeout`
   */
  async join(
    key: string,
    { kind, timeoutMs }: Pick<Effect<Outcome>, "kind" | "timeoutMs">,
    effects: Effects,
  ): Promise<Outcome | undefined> {
    const open = this.#open.get(key)?.promise;
    if (open === undefined) return this.#ended.get(key);
    const live = (signal: AbortSignal) => unlessAborted(open, signal);
    return effects.perform<Outcome>({ kind, request: { shared: key }, timeoutMs, live });
  }
}

/** Returns the table of one execution of a run. */
export function tableOf<Outcome>(tables: WeakMap<object, InFlight<Outcome>>, { execution }: Pick<Effects, "execution">): InFlight<Outcome> {
  const table = tables.get(execution) ?? new InFlight<Outcome>();
  tables.set(execution, table);
  return table;
}
