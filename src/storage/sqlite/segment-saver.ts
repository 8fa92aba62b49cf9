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
import type { CheckpointBuffer } from "../checkpoint-buffer.ts";
import type { WriteQueue } from "./write-queue.ts";

/** Makes ready what is to be stored; the function that it gives stores it. */
type Serialise = () => Promise<() => void>;

interface Held {
  readonly isNew: boolean;
  readonly stores: Serialise[];
}

/**
 * LangGraph's SQLite saver with its statements prepared once. Threads on hold keep their checkpoints in memory until the
 * engine writes them in the transaction that ends the segment, so that log and checkpoint cannot part, and an attempt that
 * has lost its run writes neither. All other threads' go through the group commit.
 */
export class SegmentSaver extends SqliteSaver implements CheckpointBuffer {
  readonly #queue: WriteQueue;
  readonly #held = new Map<string, Held>();
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
    await this.#store(threadId, async () => {
      const [[type, body], [, details]] = await Promise.all([this.serde.dumpsTyped(copy), this.serde.dumpsTyped(metadata)]);
      return () => this.#insertCheckpoint.run(threadId, namespace, copy.id, parent, type, body, details);
    });
    return { configurable: { thread_id: threadId, checkpoint_ns: namespace, checkpoint_id: checkpoint.id } };
  }

  override async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void> {
    const { thread_id: threadId, checkpoint_ns: namespace = "", checkpoint_id: checkpointId } = config.configurable ?? {};
    // LangGraph's rule: errors, interrupts and resumes have fixed places and are replaced, a task's results are written once.
    const statement = writes.every(([channel]) => channel in WRITES_IDX_MAP) ? this.#replaceWrite : this.#ignoreWrite;
    await this.#store(threadId, async () => {
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
    return this.#held.get(config.configurable?.["thread_id"])?.isNew === true ? undefined : super.getTuple(config);
  }

  hold(threadId: string, isNew: boolean): void {
    this.#held.set(threadId, { isNew, stores: [] });
  }

  async prepare(threadId: string): Promise<() => void> {
    const stores = await Promise.all((this.#held.get(threadId)?.stores ?? []).map((serialise) => serialise()));
    return () => {
      for (const store of stores) store();
    };
  }

  drop(threadId: string): void {
    this.#held.delete(threadId);
  }

  delete(threadId: string): void {
    for (const statement of this.#delete) statement.run(threadId);
  }

  async #store(threadId: string, serialise: Serialise): Promise<void> {
    const held = this.#held.get(threadId);
    if (held === undefined) await this.#queue.run(await serialise());
    else held.stores.push(serialise);
  }
}
