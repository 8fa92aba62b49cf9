import { canonicalJson, type JsonValue } from "../../domain/json.ts";
import type { DocumentStore } from "../../domain/ports/document-store.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { Toolbox } from "../../domain/ports/tool.ts";
import type { Task } from "../../domain/request.ts";
import type { ThreadResult, ToolCall, ToolOutcome } from "../../domain/tool.ts";
import type { CallResult, ToolFindings } from "./perform-call.ts";
import { type PlannedCall, sinceLastChange } from "./plan-calls.ts";

const TIMEOUT_MS = 5_000;

interface Recalling {
  readonly task: Task;
  readonly documents: DocumentStore;
  readonly tools: Toolbox;
  /** Of this run. */
  readonly outcomes: readonly ToolOutcome[];
}

/** Query calls that an earlier run of the thread made not long ago are answered from what it found; the others stay as they are planned. */
export function recallResults(
  planned: readonly PlannedCall[],
  { task, documents, tools, outcomes }: Recalling,
  effects: Effects,
): Promise<PlannedCall[]> {
  const { threadResults = [], reuseSeconds = 0 } = task;
  // Where a tool of this run has changed something, what was found before may no longer be so.
  const isChanged = sinceLastChange(outcomes, tools).length < outcomes.length;
  const recent = threadResults.filter(({ at, outdated }) => !isChanged && outdated !== true && effects.now() - at <= reuseSeconds * 1000);
  return Promise.all(
    planned.map(async (plan): Promise<PlannedCall> => {
      if (plan.type !== "perform" || plan.tool.kind !== "query" || plan.tool.confirm === true) return plan;
      const key = keyOf(plan.call);
      const earlier = recent.find((result) => keyOf(result) === key);
      const findings = earlier === undefined ? null : await recall(earlier, documents, effects);
      return findings === null ? plan : { type: "recall", call: plan.call, findings };
    }),
  );
}

/** What was found then, its texts as documents of this run; null where they are gone, with the run that found them. */
async function recall(earlier: ThreadResult, documents: DocumentStore, effects: Effects): Promise<ToolFindings | null> {
  const { run, name, arguments: args, text, hits } = earlier;
  const live = async (signal: AbortSignal): Promise<ToolFindings> => {
    for (const { contentHash } of hits) {
      if (contentHash === null) continue;
      const document = await documents.get(run, contentHash);
      signal.throwIfAborted();
      await documents.put(effects.runId, document);
    }
    return { text, hits: [...hits] };
  };
  const request = { of: "earlier tool result", run, tool: name, arguments: args } satisfies JsonValue;
  return effects.perform({ kind: "memo", request, timeoutMs: TIMEOUT_MS, live }).catch(() => {
    effects.signal.throwIfAborted();
    return null;
  });
}

/** Keeps what the run itself has found for a call, as a tool's result, for later runs of its thread. */
export async function rememberResult<R extends CallResult>(
  call: ToolCall,
  result: R & { readonly shown?: ToolFindings["hits"] | readonly ToolFindings["hits"][number][] },
  effects: Effects,
): Promise<R> {
  if (!result.ok) return result;
  const { text, hits } = result.findings;
  const request = { of: "tool result", tool: call.name, arguments: call.arguments } satisfies JsonValue;
  await effects.perform({ kind: "memo", request, timeoutMs: TIMEOUT_MS, live: async () => ({ text, hits: [...(result.shown ?? hits)] }) });
  return result;
}

function keyOf({ name, arguments: args }: Pick<ToolCall, "name" | "arguments">): string {
  return canonicalJson({ name, arguments: args });
}
