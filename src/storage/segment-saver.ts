import type { RunnableConfig } from "@langchain/core/runnables";
import {
  type Checkpoint,
  type CheckpointMetadata,
  type CheckpointTuple,
  copyCheckpoint,
  type PendingWrite,
  WRITES_IDX_MAP,
} from "@langchain/langgraph-checkpoint";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import type Database from "better-sqlite3";
import type { Ownership } from "../domain/ports/run-store.ts";
import type { WriteQueue } from "./write-queue.ts";

type Serialize = () => Promise<() => void>;

/** Writes checkpoints in the transaction that ends the segment, so that the log and the checkpoints always match. */
export class SegmentSaver extends SqliteSaver {
  readonly #queue: WriteQueue;
  readonly #held = new Map<string, { readonly isNew: boolean; readonly stores: Serialize[] }>();
  readonly #insertCheckpoint: Database.Statement;
  readonly #replaceWrite: Database.Statement;
  readonly #ignoreWrite: Database.Statement;
  readonly #delete: readonly Database.Statement[];

  constructor(database: Database.Database, queue: WriteQueue) {
    super(database);
    this.setup();
    this.#queue = queue;
    this.#insertCheckpoint = database.prepare(`insert or replace into checkpoints
      (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata) values (?, ?, ?, ?, ?, ?, ?)`);
    const insertWrite = (conflict: string): Database.Statement =>
      database.prepare(`insert or ${conflict} into writes
        (thread_id, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, value) values (?, ?, ?, ?, ?, ?, ?, ?)`);
    this.#replaceWrite = insertWrite("replace");
    this.#ignoreWrite = insertWrite("ignore");
    this.#delete = ["checkpoints", "writes"].map((table) => database.prepare(`delete from ${table} where thread_id = ?`));
  }

  override async put(config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata): Promise<RunnableConfig> {
    const { thread_id: threadId, checkpoint_ns: namespace = "", checkpoint_id: parent } = config.configurable ?? {};
    const copy = copyCheckpoint(checkpoint);
    await this.#store(config, async () => {
      const [[type, body], [, details]] = await Promise.all([this.serde.dumpsTyped(copy), this.serde.dumpsTyped(metadata)]);
      return () => this.#insertCheckpoint.run(threadId, namespace, copy.id, parent, type, body, details);
    });
    return { configurable: { thread_id: threadId, checkpoint_ns: namespace, checkpoint_id: checkpoint.id } };
  }

  override async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void> {
    const { thread_id: threadId, checkpoint_ns: namespace = "", checkpoint_id: checkpointId } = config.configurable ?? {};
    // LangGraph replaces stored errors, interrupts and resumes, but never stored results.
    const statement = writes.every(([channel]) => channel in WRITES_IDX_MAP) ? this.#replaceWrite : this.#ignoreWrite;
    await this.#store(config, async () => {
      const values = await Promise.all(writes.map(([, value]) => this.serde.dumpsTyped(value)));
      return () => {
        for (const [index, [channel]] of writes.entries()) {
          const place = WRITES_IDX_MAP[channel] ?? index;
          statement.run(threadId, namespace, checkpointId, taskId, place, channel, ...(values[index] ?? []));
        }
      };
    });
  }

  override async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const attempt = attemptOf(config);
    if (attempt !== null && this.#held.get(attempt)?.isNew === true) return;
    return super.getTuple(config).catch((error: unknown) => {
      throw this.#queue.explain(error);
    });
  }

  /** Keeps the attempt's checkpoints in memory from now on. `isNew` means that the run has no stored checkpoint. */
  hold(owner: Ownership, isNew: boolean): void {
    this.#held.set(keyOf(owner), { isNew, stores: [] });
  }

  /** Serializes the attempt's checkpoints. Call the returned function in the transaction that ends the segment. */
  async prepare(owner: Ownership): Promise<() => void> {
    const stores = await Promise.all((this.#held.get(keyOf(owner))?.stores ?? []).map((serialize) => serialize()));
    return () => {
      for (const store of stores) store();
    };
  }

  drop(owner: Ownership): void {
    this.#held.delete(keyOf(owner));
  }

  delete(runId: string): void {
    for (const statement of this.#delete) statement.run(runId);
  }

  async #store(config: RunnableConfig, serialize: Serialize): Promise<void> {
    const attempt = attemptOf(config);
    if (attempt === null) await this.#queue.run(await serialize());
    // LangGraph may continue for a moment after the attempt has lost its run. These late checkpoints are dropped.
    else this.#held.get(attempt)?.stores.push(serialize);
  }
}

function keyOf({ runId, attempt }: Ownership): string {
  return `${runId}#${attempt}`;
}

function attemptOf({ configurable }: RunnableConfig): string | null {
  const { thread_id: runId, attempt } = configurable ?? {};
  return attempt === undefined ? null : keyOf({ runId, attempt });
}
