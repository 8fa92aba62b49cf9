import { LRUCache } from "lru-cache";
import type { EventRow } from "./tables.ts";

const MAX_RUNS = 64;
const MAX_ROWS = 200;
/** In UTF-16 code units, for each run. */
const MAX_CHARACTERS = 262_144;

/**
 * Keeps the events that were written last, for those who follow a live run: they need not read from the database what was just written.
 * Every written event of a run must be added, in order. Bounded: what is not kept is read from the database.
 */
export class EventTail {
  readonly #runs = new LRUCache<string, { readonly rows: EventRow[]; characters: number }>({ max: MAX_RUNS });

  add(row: EventRow): void {
    const known = this.#runs.get(row.run_id);
    const tail = known?.rows.at(-1)?.seq === row.seq - 1 ? known : { rows: [], characters: 0 };
    tail.rows.push(row);
    tail.characters += row.body.length;
    while (tail.rows.length > MAX_ROWS || tail.characters > MAX_CHARACTERS) tail.characters -= tail.rows.shift()?.body.length ?? 0;
    this.#runs.set(row.run_id, tail);
  }

  /** Returns the events after number `after`, at most `limit`; null if they must be read from the database. */
  after(runId: string, after: number, limit: number): readonly EventRow[] | null {
    const rows = this.#runs.get(runId)?.rows;
    const first = rows?.[0]?.seq;
    if (rows === undefined || first === undefined || after < first - 1 || after > first - 1 + rows.length) return null;
    return rows.slice(after + 1 - first, after + 1 - first + limit);
  }

  delete(runId: string): void {
    this.#runs.delete(runId);
  }
}
