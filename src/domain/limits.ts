import { z } from "zod";

/** A request can lower the operator's limits, but not raise them. `seconds` excludes waiting for the user. */
export const LimitsSchema = z.object({
  optionalToolLoops: z.int().min(0).max(100),
  steps: z.int().min(1).max(10_000),
  modelCalls: z.int().min(0),
  tokens: z.int().min(0),
  costUsd: z.number().min(0).nullable(),
  seconds: z.number().positive().max(86_400),
  downloads: z.int().min(0).max(1_000),
});
export type Limits = z.infer<typeof LimitsSchema>;
