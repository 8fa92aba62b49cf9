import type Database from "better-sqlite3";
import type { JsonValue } from "../domain/json.ts";
import type { KeptReply } from "../domain/ports/effects.ts";
import type { RunStore } from "../domain/ports/run-store.ts";
import type { WriteQueue } from "./write-queue.ts";

/** A larger reply is written over several turns of the event loop: SQLite writes a megabyte in about 5 ms. */
const SLICE_BYTES = 512 * 1024;

interface ReplyRow {
  readonly name: string;
  readonly part: number;
  readonly parts: number;
  readonly head: string;
  readonly body: Buffer;
}

/** Keeps the replies of an effect until its result is recorded, so that the next attempt need not ask for them again. */
export function createReplies(database: Database.Database, queue: WriteQueue): RunStore["repliesOf"] {
  const select = queue.rows<ReplyRow>(`select name, part, parts, head, body from replies
    where run_id = ? and segment = ? and key = ? order by name, part`);
  const insert = database.prepare(`insert or replace into replies (run_id, segment, key, name, part, parts, head, body)
    select id, ?, ?, ?, ?, ?, ?, ? from runs where id = ? and attempt = ? and status = 'running'`);
  return ({ runId, attempt, segment, key }) => {
    const stored = attempt === 1 ? [] : select.all(runId, segment, key);
    const earlier = wholeReplies(stored);
    let isOpen = true;
    const write = async (name: string, head: JsonValue, body: Buffer): Promise<void> => {
      const parts = Math.max(1, Math.ceil(body.byteLength / SLICE_BYTES));
      for (let part = 0; part < parts && isOpen; part += 1) {
        const slice = body.subarray(part * SLICE_BYTES, (part + 1) * SLICE_BYTES);
        await queue.run(() => isOpen && insert.run(segment, key, name, part, parts, JSON.stringify(head), slice, runId, attempt));
      }
    };
    return {
      any: earlier.size > 0,
      take(name) {
        const reply = earlier.get(name) ?? null;
        earlier.delete(name);
        return reply;
      },
      keep(name, { head, body }) {
        // The caller may transfer the bytes to a thread. The storage reports refused writes itself.
        if (isOpen) write(name, head, Buffer.from(body)).catch(() => undefined);
      },
      close() {
        isOpen = false;
      },
    };
  };
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
