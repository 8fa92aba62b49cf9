import type { RunnableConfig } from "@langchain/core/runnables";
import {
  BaseCheckpointSaver,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  compareWritesSortKeys,
  copyCheckpoint,
  type PendingWrite,
  WRITES_IDX_MAP,
  writesSortKey,
} from "@langchain/langgraph-checkpoint";
import { type RawBuilder, sql } from "kysely";
import type { Ownership } from "../domain/ports/run-store.ts";
import { allRows, change, type Database, insertRows, type Transaction } from "./database.ts";

type Store = (tx: Transaction) => Promise<void>;
type Serialize = () => Promise<Store>;

interface CheckpointRow {
  readonly thread_id: string;
  readonly checkpoint_ns: string;
  readonly checkpoint_id: string;
  readonly parent_checkpoint_id: string | null;
  readonly type: string;
  readonly checkpoint: Uint8Array;
  readonly metadata: Uint8Array;
}

interface WriteRow {
  readonly checkpoint_ns: string;
  readonly checkpoint_id: string;
  readonly task_id: string;
  readonly task_path: string;
  readonly idx: number;
  readonly channel: string;
  readonly type: string;
  readonly value: Uint8Array;
}

interface Stored {
  /** The latest first. */
  readonly checkpoints: readonly CheckpointRow[];
  readonly writes: readonly WriteRow[];
}

/** An attempt at a run: what earlier segments stored, and what this one will. */
interface Held extends Stored {
  readonly segment: number;
  readonly stores: Serialize[];
}

/**
 * LangGraph's checkpoints in the tables of the runs, in both databases. Those of an attempt are written in the transaction that ends its
 * segment, so that the log and the checkpoints always match, and that an attempt which has lost its run writes none.
 */
export class SegmentSaver extends BaseCheckpointSaver {
  readonly #database: Database;
  readonly #held = new Map<string, Held>();

  constructor(database: Database) {
    super();
    this.#database = database;
  }

  override async put(config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata): Promise<RunnableConfig> {
    const { threadId, namespace, checkpointId: parent } = placeOf(config);
    const copy = copyCheckpoint(checkpoint);
    await this.#store(config, async () => {
      const [[type, body], [, details]] = await Promise.all([this.serde.dumpsTyped(copy), this.serde.dumpsTyped(metadata)]);
      const row = [threadId, namespace, copy.id, parent ?? null, type, Buffer.from(body), Buffer.from(details), this.#segmentOf(config)];
      return (tx) =>
        insertRows(
          tx,
          [row],
          (values) => sql`insert into checkpoints
            (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata, segment) values ${values}
            on conflict (thread_id, checkpoint_ns, checkpoint_id) do update set parent_checkpoint_id = excluded.parent_checkpoint_id,
            type = excluded.type, checkpoint = excluded.checkpoint, metadata = excluded.metadata`,
        );
    });
    return { configurable: { thread_id: threadId, checkpoint_ns: namespace, checkpoint_id: checkpoint.id } };
  }

  override async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string, taskPath = ""): Promise<void> {
    const { threadId, namespace, checkpointId } = placeOf(config);
    // LangGraph replaces stored errors, interrupts and resumes, but never stored results.
    const conflict = writes.every(([channel]) => channel in WRITES_IDX_MAP)
      ? sql`do update set channel = excluded.channel, type = excluded.type, value = excluded.value`
      : sql`do nothing`;
    const segment = this.#segmentOf(config);
    await this.#store(config, async () => {
      const dumped = await Promise.all(writes.map(([, value]) => this.serde.dumpsTyped(value)));
      const rows = writes.map(([channel], index) => {
        const [type = "json", body = new Uint8Array()] = dumped[index] ?? [];
        const place = [threadId, namespace, checkpointId, taskId, WRITES_IDX_MAP[channel] ?? index, taskPath];
        return [...place, channel, type, Buffer.from(body), segment];
      });
      const statement = (values: RawBuilder<unknown>) => sql`insert into writes
        (thread_id, checkpoint_ns, checkpoint_id, task_id, idx, task_path, channel, type, value, segment) values ${values}
        on conflict (thread_id, checkpoint_ns, checkpoint_id, task_id, idx) ${conflict}`;
      // One by one: of two interrupts of a task, the later one stays.
      return async (tx) => {
        for (const row of rows) await insertRows(tx, [row], statement);
      };
    });
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { threadId, namespace, checkpointId } = placeOf(config);
    const stored = this.#held.get(attemptOf(config) ?? "") ?? (await storedOf(this.#database, threadId));
    const own = stored.checkpoints.filter((row) => row.checkpoint_ns === namespace);
    const row = checkpointId === undefined ? own[0] : own.find((one) => one.checkpoint_id === checkpointId);
    return row === undefined ? undefined : this.#toTuple(row, stored);
  }

  override async *list(config: RunnableConfig, options: CheckpointListOptions = {}): AsyncGenerator<CheckpointTuple> {
    const { threadId, namespace } = placeOf(config);
    const before = options.before?.configurable?.["checkpoint_id"];
    const stored = await storedOf(this.#database, threadId);
    const rows = stored.checkpoints.filter(
      (row) => row.checkpoint_ns === namespace && (before === undefined || row.checkpoint_id < before),
    );
    const wanted = Object.entries(options.filter ?? {}).filter(([, value]) => value !== undefined);
    let left = options.limit ?? rows.length;
    for (const row of rows) {
      const tuple = await this.#toTuple(row, stored);
      const metadata: Record<string, unknown> = { ...tuple.metadata };
      if (left === 0 || !wanted.every(([name, value]) => metadata[name] === value)) continue;
      left -= 1;
      yield tuple;
    }
  }

  override async deleteThread(threadId: string): Promise<void> {
    await this.#database.write((tx) => this.delete(tx, threadId));
  }

  /**
   * Keeps the attempt's checkpoints in memory from now on, and what earlier segments stored: reading it from the database while the run
   * goes on would change the order of its parts.
   */
  async hold(tx: Transaction, owner: Ownership, segment: number): Promise<void> {
    const stored = segment === 0 ? { checkpoints: [], writes: [] } : await storedOf(tx, owner.runId);
    this.#held.set(keyOf(owner), { ...stored, segment, stores: [] });
  }

  /** Serializes the attempt's checkpoints. Call the returned function in the transaction that ends the segment. */
  async prepare(owner: Ownership): Promise<Store> {
    const stores = await Promise.all((this.#held.get(keyOf(owner))?.stores ?? []).map((serialize) => serialize()));
    return async (tx) => {
      for (const store of stores) await store(tx);
    };
  }

  drop(owner: Ownership): void {
    this.#held.delete(keyOf(owner));
  }

  async delete(tx: Transaction, runId: string): Promise<void> {
    for (const table of ["checkpoints", "writes"]) await change(tx, sql`delete from ${sql.table(table)} where thread_id = ${runId}`);
  }

  async #toTuple(row: CheckpointRow, { writes }: Stored): Promise<CheckpointTuple> {
    const { thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id: parent, type } = row;
    const own = writes.filter((one) => one.checkpoint_ns === checkpoint_ns && one.checkpoint_id === checkpoint_id);
    const keyed = (write: WriteRow) => writesSortKey(write.task_path, write.task_id, write.idx);
    const ordered = own.toSorted((one, other) => compareWritesSortKeys(keyed(one), keyed(other)));
    const placed = (id: string) => ({ configurable: { thread_id, checkpoint_ns, checkpoint_id: id } });
    return {
      config: placed(checkpoint_id),
      checkpoint: await this.serde.loadsTyped(type, row.checkpoint),
      metadata: await this.serde.loadsTyped(type, row.metadata),
      ...(parent !== null && { parentConfig: placed(parent) }),
      pendingWrites: await Promise.all(
        ordered.map(async ({ task_id, channel, type, value }): Promise<[string, string, unknown]> => {
          return [task_id, channel, await this.serde.loadsTyped(type, value)];
        }),
      ),
    };
  }

  #segmentOf(config: RunnableConfig): number {
    return this.#held.get(attemptOf(config) ?? "")?.segment ?? 0;
  }

  async #store(config: RunnableConfig, serialize: Serialize): Promise<void> {
    const attempt = attemptOf(config);
    if (attempt === null) await this.#database.write(await serialize());
    // LangGraph may continue for a moment after the attempt has lost its run. These late checkpoints are dropped.
    else this.#held.get(attempt)?.stores.push(serialize);
  }
}

async function storedOf(database: Pick<Database, "db">, threadId: string): Promise<Stored> {
  return {
    checkpoints: await allRows(
      database,
      sql<CheckpointRow>`select * from checkpoints where thread_id = ${threadId} order by checkpoint_id desc`,
    ),
    writes: await allRows(database, sql<WriteRow>`select * from writes where thread_id = ${threadId}`),
  };
}

function keyOf({ runId, attempt }: Ownership): string {
  return `${runId}#${attempt}`;
}

function placeOf({ configurable = {} }: RunnableConfig) {
  const { thread_id: threadId, checkpoint_ns: namespace = "", checkpoint_id: checkpointId } = configurable;
  return { threadId, namespace, checkpointId } as { threadId: string; namespace: string; checkpointId: string | undefined };
}

function attemptOf({ configurable }: RunnableConfig): string | null {
  const { thread_id: runId, attempt } = configurable ?? {};
  return attempt === undefined ? null : keyOf({ runId, attempt });
}
