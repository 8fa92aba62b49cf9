import { setTimeout as pause } from "node:timers/promises";
import type { Place, SharedLimits } from "../../domain/ports/shared-limits.ts";
import type { Session } from "./session.ts";

const FIRST_LOOK_MS = 20;
const MAX_LOOK_MS = 500;

/**
 * Limits that all processes of a database keep together. A place is an advisory lock of the session, so it is free again when its process
 * dies or is frozen; a turn is the time in a row that each one moves on. Without a connection, nobody waits: each process has limits of its own as well.
 */
export class DatabaseLimits implements SharedLimits {
  readonly #session: Session;
  /** The places that this process has. */
  readonly #taken = new Map<string, Set<number>>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(session: Session) {
    this.#session = session;
  }

  async turn(key: string, spacingMs: number, signal: AbortSignal): Promise<void> {
    const rows = await this.#ask<{ wait: number }>(
      `insert into turns as known (key, at) values ($1, extract(epoch from clock_timestamp()) * 1000)
        on conflict (key) do update set at = greatest(known.at + $2, extract(epoch from clock_timestamp()) * 1000)
        returning at - extract(epoch from clock_timestamp()) * 1000 as wait`,
      [key, spacingMs],
    );
    const waitMs = Math.ceil(Number(rows?.[0]?.wait ?? 0));
    if (waitMs > 0) await pause(waitMs, undefined, { signal });
  }

  async enter(key: string, places: number, { onWait, signal }: Place): Promise<() => void> {
    for (let lookMs = FIRST_LOOK_MS; ; lookMs = Math.min(MAX_LOOK_MS, lookMs * 2)) {
      const place = await this.#take(key, places);
      if (place !== null) return () => this.#leave(key, place);
      if (lookMs === FIRST_LOOK_MS) onWait?.();
      await pause(lookMs, undefined, { signal });
    }
  }

  /** Returns null if none is free, and -1 if there is no connection. */
  #take(key: string, places: number): Promise<number | null> {
    const taken = this.#takenOf(key);
    const take = async (): Promise<number | null> => {
      const free = Array.from({ length: places }, (_, place) => place).filter((place) => !taken.has(place));
      const rows = await this.#ask<{ place: number }>(
        "select place from unnest($2::int[]) place where pg_try_advisory_lock(hashtext($1), place) limit 1",
        [key, free],
      );
      const place = rows === null ? -1 : (rows[0]?.place ?? null);
      if (place !== null) taken.add(place);
      return place;
    };
    // One after the other: a session gets a lock that it has once more.
    const took = this.#last.then(take);
    this.#last = took.catch(() => undefined);
    return took;
  }

  #leave(key: string, place: number): void {
    if (place < 0) return;
    void this.#ask("select pg_advisory_unlock(hashtext($1), $2)", [key, place]).then(() => this.#takenOf(key).delete(place));
  }

  #takenOf(key: string): Set<number> {
    const taken = this.#taken.get(key) ?? new Set();
    this.#taken.set(key, taken);
    return taken;
  }

  async #ask<Row>(statement: string, values: unknown[]): Promise<Row[] | null> {
    const { client } = this.#session;
    const answer = await client?.query(statement, values).catch(() => null);
    return (answer?.rows as Row[] | undefined) ?? null;
  }
}
