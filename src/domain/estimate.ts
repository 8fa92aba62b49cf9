import { z } from "zod";
import { DepthSchema } from "./depth.ts";
import { type Limits, LimitsSchema } from "./limits.ts";
import type { Task } from "./task.ts";

const RangeSchema = z.object({ from: z.number().nonnegative(), to: z.number().nonnegative() });
export type Range = z.infer<typeof RangeSchema>;

const SentWordsSchema = z.object({ source: z.string(), words: z.string() });
export type SentWords = z.infer<typeof SentWordsSchema>;

export const EstimateSchema = z.object({
  graph: z.string(),
  depth: DepthSchema.nullable(),
  modelCalls: RangeSchema,
  documents: RangeSchema,
  tokens: RangeSchema,
  costUsd: RangeSchema.nullable().describe("Null if a model has no price."),
  seconds: z.object({ to: z.number().positive() }).describe("The run ends at the latest after this time, waiting for its user apart."),
  limits: LimitsSchema.describe("What the run may use: the limits of the request, of its depth and of the server."),
  sent: z
    .array(SentWordsSchema)
    .nullable()
    .describe(
      "What the sources outside this machine are sent to search for: `queries`, or words of the question; words of an earlier question may be added to these, and the graph `research` sends them todo by todo. Optional tools are apart. Null if it is decided during the run, as by a model.",
    ),
  lowered: z.array(z.string()).describe("The limits of the depth that a setting of the server lowers."),
});
export type Estimate = z.infer<typeof EstimateSchema>;

/** What an estimate is made of. `inThread`: the run may get earlier questions and answers of a thread. */
export interface EstimateTerms {
  readonly task: Task;
  readonly graph: string;
  readonly caps: Limits;
  readonly inThread: boolean;
}
