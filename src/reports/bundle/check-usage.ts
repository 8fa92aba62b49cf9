import { z } from "zod";
import { TokenUsageSchema } from "../../domain/chat.ts";
import type { Usage } from "../../domain/run.ts";
import type { ReadBundle } from "./read-bundle.ts";

const ToldSchema = z.object({ type: z.literal("usage"), usage: TokenUsageSchema, costUsd: z.number() });
type Sums = Pick<Usage, "inputTokens" | "outputTokens" | "costUsd">;
/** Sums of money differ by the order in which they are made. */
const TOLERANCE = 1e-9;

/**
 * Whether what the run has taken is what its models have taken and, where `isOwn` and the run came to its own end in one go, what its log tells:
 * a call that was ended with the run may be told nowhere, and one that was told before a segment was begun again counts no more.
 */
export function checkUsage({ run, events }: ReadBundle, isOwn: boolean): string[] {
  if (run === null) return [];
  const { usage } = run;
  const ofModels = usage.models.length === 0 ? [] : differences(usage, sumsOf(usage.models), "its models make");
  const calls = usage.models.reduce((sum, model) => sum + model.calls, 0);
  if (usage.models.length > 0 && calls !== usage.modelCalls)
    ofModels.push(`usage: modelCalls is ${usage.modelCalls}, and its models make ${calls}`);
  const isWhole = run.status === "succeeded" && !events.some(({ value }) => value.type === "run-restarted");
  if (!isOwn || !isWhole) return ofModels;
  const told = events.flatMap(({ value }) => {
    const { data } = ToldSchema.safeParse(value);
    return data === undefined ? [] : [{ ...data.usage, costUsd: data.costUsd }];
  });
  // A graph that is not ours may ask models without telling what they take.
  if (told.length === 0 && usage.modelCalls > 0) return ofModels;
  return [...ofModels, ...differences(usage, sumsOf(told), "the log makes")];
}

function sumsOf(parts: readonly Sums[]): Sums {
  const sum = (key: keyof Sums): number => parts.reduce((total, part) => total + part[key], 0);
  return { inputTokens: sum("inputTokens"), outputTokens: sum("outputTokens"), costUsd: sum("costUsd") };
}

function differences(said: Sums, made: Sums, makes: string): string[] {
  return (["inputTokens", "outputTokens", "costUsd"] as const)
    .filter((key) => Math.abs(said[key] - made[key]) > (key === "costUsd" ? TOLERANCE * Math.max(1, made[key]) : 0))
    .map((key) => `usage: ${key} is ${said[key]}, and ${makes} ${made[key]}`);
}
