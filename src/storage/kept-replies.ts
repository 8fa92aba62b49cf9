import { sql } from "kysely";
import type { JsonValue } from "../domain/json.ts";
import type { KeptReply } from "../domain/ports/effects.ts";
import type { Ownership, RunStore } from "../domain/ports/run-store.ts";
import { allRows, change, type Database, storable, type Transaction } from "./database.ts";

/** A larger reply is written over several turns of the event loop: SQLite writes a megabyte in about 5 ms. */
const SLICE_BYTES = 512 * 1024;

interface ReplyRow {
  readonly key: string;
  readonly name: string;
  readonly part: number;
  readonly parts: number;
  readonly head: string;
  readonly body: Buffer;
}

/** Keeps the replies of effects until their results are recorded, so that the next attempt need not ask for them again. */
export class KeptReplyStore {
  readonly #database: Database;
  /** What earlier attempts kept, by attempt and by the key of the effect. */
  readonly #earlier = new Map<string, ReadonlyMap<string, Map<string, KeptReply>>>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Reads what earlier attempts of the segment kept. Call it when the run is claimed, before `of`. */
  async load(tx: Transaction, owner: Ownership, segment: number): Promise<void> {
    const rows = await allRows(
      tx,
      sql<ReplyRow>`select key, name, part, parts, head, body from replies
        where run_id = ${owner.runId} and segment = ${segment} order by key, name, part`,
    );
    const byKey = [...Map.groupBy(rows, ({ key }) => key)].map(([key, own]) => [key, wholeReplies(own)] as const);
    if (rows.length > 0) this.#earlier.set(nameOf(owner), new Map(byKey));
  }

  drop(owner: Ownership): void {
    this.#earlier.delete(nameOf(owner));
  }

  readonly of: RunStore["repliesOf"] = ({ segment, key, ...owner }) => {
    const earlier = this.#earlier.get(nameOf(owner))?.get(key) ?? new Map<string, KeptReply>();
    let isOpen = true;
    return {
      any: earlier.size > 0,
      take(name) {
        const reply = earlier.get(name) ?? null;
        earlier.delete(name);
        return reply;
      },
      keep: (name, { head, body }) => {
        // The caller may transfer the bytes to a thread. The storage reports refused writes itself.
        if (isOpen) this.#write(owner, { segment, key, name, head }, Buffer.from(body), () => isOpen).catch(() => undefined);
      },
      close() {
        isOpen = false;
      },
    };
  };

  async #write(
    { runId, attempt }: Ownership,
    { segment, key, name, head }: { segment: number; key: string; name: string; head: JsonValue },
    body: Buffer,
    isOpen: () => boolean,
  ): Promise<void> {
    const parts = Math.max(1, Math.ceil(body.byteLength / SLICE_BYTES));
    for (let part = 0; part < parts && isOpen(); part += 1) {
      const slice = body.subarray(part * SLICE_BYTES, (part + 1) * SLICE_BYTES);
      await this.#database.write(async (tx) => {
        if (!isOpen()) return;
        const values = sql.join([segment, key, storable(name), part, parts, JSON.stringify(head), slice]);
        await change(
          tx,
          sql`insert into replies (run_id, segment, key, name, part, parts, head, body)
            select id, ${values} from runs where id = ${runId} and attempt = ${attempt} and status = 'running'
            on conflict (run_id, segment, key, name, part) do update set parts = excluded.parts, head = excluded.head, body = excluded.body`,
        );
      });
    }
  }
}

function nameOf({ runId, attempt }: Ownership): string {
  return `${runId}#${attempt}`;
}

/** A process may have died between two parts of a reply. */
function wholeReplies(rows: readonly ReplyRow[]): Map<string, KeptReply> {
  const whole = new Map<string, KeptReply>();
  for (const [name, all] of Map.groupBy(rows, (row) => row.name)) {
    const [first] = all;
    const parts = all.filter(({ parts }) => parts === first?.parts);
    if (first?.part !== 0 || parts.length !== first.parts) continue;
    whole.set(name, { head: JSON.parse(first.head), body: Buffer.concat(parts.map(({ body }) => body)) });
  }
  return whole;
}
