import type { BaseCheckpointSaver } from "@langchain/langgraph";
import type { JsonValue } from "../../domain/json.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { TodoStateValue, TodoWork } from "../../nodes/research/state.ts";
import type { Portion } from "./share-pool.ts";

const READ_TIMEOUT_MS = 30_000;

/**
 * What branches of an unfinished step have come to in the segment before this one: LangGraph keeps it beside its checkpoint until the
 * step ends, and shows it to nobody. An effect, so that a replay gets it from the journal.
 */
export function earlierWork(checkpointer: BaseCheckpointSaver, runId: string, effects: Effects): Promise<TodoWork[]> {
  return effects.perform<TodoWork[]>({
    kind: "memo",
    request: { of: "todos of the step" } satisfies JsonValue,
    timeoutMs: READ_TIMEOUT_MS,
    async live() {
      const saved = await checkpointer.getTuple({ configurable: { thread_id: runId, checkpoint_ns: "" } });
      const writes = saved?.pendingWrites ?? [];
      return writes.flatMap(([, channel, value]) => (channel === "work" ? (value as TodoWork[]) : []));
    },
  });
}

/**
 * What the todo was given when it began, in an earlier segment; null where it did not come to a checkpoint. Its own graph goes on with
 * that, whatever it is given now. An effect, as the work of its siblings is.
 * @param namespace of the todo's own graph among the run's checkpoints
 */
export function earlierPortion(
  checkpointer: BaseCheckpointSaver,
  { runId, namespace }: { readonly runId: string; readonly namespace: string },
  effects: Effects,
): Promise<Portion | null> {
  return effects.perform<Portion | null>({
    kind: "memo",
    request: { of: "share of the todo" } satisfies JsonValue,
    timeoutMs: READ_TIMEOUT_MS,
    async live() {
      const saved = await checkpointer.getTuple({ configurable: { thread_id: runId, checkpoint_ns: namespace } });
      const { task } = (saved?.checkpoint.channel_values ?? {}) as Partial<TodoStateValue>;
      if (task === undefined) return null;
      const { modelCalls, tokens, costUsd, downloads } = task.limits;
      return { modelCalls, tokens, costUsd, downloads };
    },
  });
}
