import type { BaseCheckpointSaver } from "@langchain/langgraph";
import type { JsonValue } from "../../domain/json.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { TodoWork } from "./state.ts";

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
