import { z } from "zod";
import type { JournalRecord } from "./recording.ts";

/** Sums over the model calls of a run; every try counts as a call. */
export const SpentSchema = z.object({
  modelCalls: z.int().nonnegative(),
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  costUsd: z.number().nonnegative(),
});
export type Spent = Readonly<z.infer<typeof SpentSchema>>;

export const NOTHING_SPENT: Spent = { modelCalls: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 };

const count = z.number().nonnegative().catch(0);

/** The cost in a recorded result; 0 for a result of another form. */
const ReceiptSchema = z
  .object({ usage: z.object({ inputTokens: count, outputTokens: count }).catch({ inputTokens: 0, outputTokens: 0 }), costUsd: count })
  .catch({ usage: { inputTokens: 0, outputTokens: 0 }, costUsd: 0 });

/** Adds a completion of the journal. Only results of model calls carry `usage` and `costUsd`. */
export function addSpent(spent: Spent, { kind, ok, result }: Pick<JournalRecord, "kind" | "ok" | "result">): Spent {
  if (kind !== "model") return spent;
  const { usage, costUsd } = ReceiptSchema.parse(ok ? result : null);
  return {
    modelCalls: spent.modelCalls + 1,
    inputTokens: spent.inputTokens + usage.inputTokens,
    outputTokens: spent.outputTokens + usage.outputTokens,
    costUsd: spent.costUsd + costUsd,
  };
}
