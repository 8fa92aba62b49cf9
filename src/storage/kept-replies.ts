import { sql } from "kysely";
import type { JsonValue } from "../domain/json.ts";
import type { KeptReply } from "../domain/ports/effects.ts";
import type { Ownership, RunStore } from "../domain/ports/run-store.ts";
import { allRows, change, type Database, storable, type Transaction } from "./database.ts";

/** A larger reply is asked for again after a crash: SQLite writes a megabyte in about 5 ms, and the event loop waits for it. */
const MAX_BYTES = 4_000_000;

interface ReplyRow {
  readonly key: string;
  readonly name: string;
  readonly head: string;
  readonly body: Buffer;
}

/** Keeps the replies of effects until their results are recorded, so that the next attempt need not ask for them again. */
export class KeptReplyStore {
  readonly #database: Database;
  /** What earlier attempts kept, by attempt and by the key of the effect. */
  readonly #earlier = new Map<string, ReadonlyMap<string, readonly ReplyRow[]>>();
  /** The keys of the effects of which replies may be stored, by attempt. */
  readonly #stored = new Map<string, Set<string>>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Reads what earlier attempts of the segment kept. Call it when the run is claimed, before `of`. */
  async load(tx: Transaction, owner: Ownership, segment: number): Promise<void> {
    const kept = sql<ReplyRow>`select key, name, head, body from replies where run_id = ${owner.runId} and segment = ${segment}`;
    const rows = await allRows(tx, kept);
    if (rows.length === 0) return;
    const earlier = Map.groupBy(rows, ({ key }) => key);
    this.#earlier.set(nameOf(owner), earlier);
    this.#stored.set(nameOf(owner), new Set(earlier.keys()));
  }

  /** Deletes the replies of effects whose results are recorded. Most effects have none. */
  async delete(tx: Transaction, owner: Ownership, segment: number, recorded: readonly string[]): Promise<void> {
    const stored = this.#stored.get(nameOf(owner));
    for (const key of recorded.filter((one) => stored?.has(one)))
      await change(tx, sql`delete from replies where run_id = ${owner.runId} and segment = ${segment} and key = ${key}`);
  }

  drop(owner: Ownership): void {
    this.#earlier.delete(nameOf(owner));
    this.#stored.delete(nameOf(owner));
  }

  readonly of: RunStore["repliesOf"] = ({ segment, key, ...owner }) => {
    const earlier = new Map(
      this.#earlier
        .get(nameOf(owner))
        ?.get(key)
        ?.map((row) => [row.name, row]),
    );
    let isOpen = true;
    return {
      any: earlier.size > 0,
      take(name): KeptReply | null {
        const row = earlier.get(name);
        earlier.delete(name);
        return row === undefined ? null : { head: JSON.parse(row.head), body: row.body };
      },
      keep: (name, { head, body }) => {
        if (!isOpen || body.byteLength > MAX_BYTES) return;
        // The caller may transfer the bytes to a thread. The storage reports refused writes itself.
        this.#write(owner, { segment, key, name, head, body: Buffer.from(body) }, () => isOpen).catch(() => undefined);
      },
      close() {
        isOpen = false;
      },
    };
  };

  #write(
    owner: Ownership,
    { segment, key, name, head, body }: { segment: number; key: string; name: string; head: JsonValue; body: Buffer },
    isOpen: () => boolean,
  ): Promise<void> {
    const values = sql.join([segment, key, storable(name), JSON.stringify(head), body]);
    const insert = sql`insert into replies (run_id, segment, key, name, head, body)
      select id, ${values} from runs where id = ${owner.runId} and attempt = ${owner.attempt} and status = 'running'
      on conflict (run_id, segment, key, name) do update set head = excluded.head, body = excluded.body`;
    return this.#database.write(async (tx) => {
      if (!isOpen() || (await change(tx, insert)) === 0) return;
      this.#stored.set(nameOf(owner), (this.#stored.get(nameOf(owner)) ?? new Set()).add(key));
    });
  }
}

function nameOf({ runId, attempt }: Ownership): string {
  return `${runId}#${attempt}`;
}
