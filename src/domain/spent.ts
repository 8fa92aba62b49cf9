import { z } from "zod";
import type { JournalRecord } from "./recording.ts";

/** What the model calls of a run have taken so far; every try counts as a call. */
export const SpentSchema = z.object({
  modelCalls: z.int().nonnegative(),
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  costUsd: z.number().nonnegative(),
});
export type Spent = Readonly<z.infer<typeof SpentSchema>>;

export const NOTHING_SPENT: Spent = { modelCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };

interface Receipt {
  readonly usage?: { readonly inputTokens?: number; readonly outputTokens?: number };
  readonly costUsd?: number;
}

/** `spent` with what one completion of the journal adds to it. The result of a model call carries `usage` and `costUsd`. */
export function addSpent(spent: Spent, { kind, ok, result }: Pick<JournalRecord, "kind" | "ok" | "result">): Spent {
  if (kind !== "model") return spent;
  const { usage, costUsd = 0 } = ok ? (result as Receipt) : {};
  return {
    modelCalls: spent.modelCalls + 1,
    inputTokens: spent.inputTokens + (usage?.inputTokens ?? 0),
    outputTokens: spent.outputTokens + (usage?.outputTokens ?? 0),
    costUsd: spent.costUsd + costUsd,
  };
}
