import type { ModelView } from "../domain/ports/analyst.ts";
import type { CallOptions } from "../domain/ports/models.ts";
import { createOutputFilter } from "../evidence/sanitize-output.ts";

interface ViewedCall extends Pick<CallOptions, "node" | "purpose" | "models"> {
  readonly view: ModelView;
  /** The addresses that may be shown. */
  readonly known: readonly string[];
  /** How much of the view's time is over, in milliseconds. */
  readonly usedMs?: number;
}

/** Returns what all model calls of an analyst have in common: they get the time that the view has left, and show no unknown addresses. */
export function callOptions({ view: { limits, timeoutMs }, known, usedMs = 0, ...call }: ViewedCall): CallOptions {
  return {
    ...call,
    limits,
    ...(timeoutMs !== undefined && { timeoutMs: timeoutMs - usedMs }),
    shown: { reasoning: () => createOutputFilter(known), known },
  };
}
