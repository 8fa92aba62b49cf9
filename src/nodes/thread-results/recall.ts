import type { Hit } from "../../domain/hit.ts";
import type { JsonValue } from "../../domain/json.ts";
import type { DocumentStore } from "../../domain/ports/document-store.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { Task } from "../../domain/request.ts";
import type { ThreadResult, ToolCall } from "../../domain/tool.ts";
import type { CallResult, ToolFindings } from "../optional-tool/perform-call.ts";
import { callKey, type PlannedCall } from "../optional-tool/plan-calls.ts";
import { isUsable, searchScope, type ThreadView } from "./usable.ts";

const TIMEOUT_MS = 5_000;

/** Calls that an earlier run of the thread made are answered from what it found, as long as that is usable. */
export function recallCalls(
  planned: readonly PlannedCall[],
  view: ThreadView,
  documents: DocumentStore,
  effects: Effects,
): Promise<PlannedCall[]> {
  const usable = (view.task.threadResults ?? []).filter((result) => isUsable(result, view));
  return Promise.all(
    planned.map(async (plan): Promise<PlannedCall> => {
      const earlier = plan.type === "perform" ? usable.find((result) => callKey(result) === callKey(plan.call)) : undefined;
      const findings = earlier === undefined ? null : await recall(earlier, documents, effects);
      return earlier === undefined || findings === null ? plan : { type: "recall", call: plan.call, findings, earlier };
    }),
  );
}

/** What an earlier run found, with its texts as documents of this run; null where they were deleted with that run. */
export async function recall(earlier: ThreadResult, documents: DocumentStore, effects: Effects): Promise<ToolFindings | null> {
  const { run, name, arguments: args, text, hits, content } = earlier;
  const live = async (signal: AbortSignal): Promise<ToolFindings> => {
    for (const { contentHash } of hits) {
      if (contentHash === null) continue;
      const document = await documents.get(run, contentHash);
      signal.throwIfAborted();
      await documents.put(effects.runId, document);
    }
    return { text, hits: [...hits], ...(content !== undefined && { content }) };
  };
  const request = { of: "earlier tool result", run, tool: name, arguments: args } satisfies JsonValue;
  return effects.perform({ kind: "memo", request, timeoutMs: TIMEOUT_MS, live }).catch(() => {
    effects.signal.throwIfAborted();
    return null;
  });
}

type Searched = CallResult & { readonly shown?: readonly Hit[] };

/** Keeps what a search of the run itself has found, for later runs of its thread. One that could not ask every source is not kept. */
export async function keepSearch<R extends Searched>(call: ToolCall, result: R, task: Task, effects: Effects): Promise<R> {
  if (!result.ok || result.findings.incomplete !== undefined) return result;
  const { text, hits } = result.findings;
  const request = { of: "tool result", tool: call.name, arguments: call.arguments, scope: searchScope(task) } satisfies JsonValue;
  const live = async (): Promise<ToolFindings> => ({ text, hits: [...(result.shown ?? hits)] });
  await effects.perform({ kind: "memo", request, timeoutMs: TIMEOUT_MS, live });
  return result;
}
