import { z } from "zod";
import { LimitsSchema } from "./limits.ts";
import { TodoSchema } from "./plan.ts";
import { ReportSchema } from "./report.ts";
import { ChildSchema } from "./team.ts";

export const RunStatusSchema = z.enum(["queued", "running", "waiting", "succeeded", "failed", "cancelled"]);
export type RunStatus = z.infer<typeof RunStatusSchema>;

export function isEnded(status: RunStatus): boolean {
  return status === "succeeded" || status === "failed" || status === "cancelled";
}

export const TerminationSchema = z.object({
  reason: z.enum([
    "completed",
    "finish_task",
    "answered",
    "step_cap",
    "model_call_cap",
    "token_budget",
    "cost_budget",
    "time_budget",
    "no_progress",
    "no_answer",
    "cancelled",
    "failed",
  ]),
  node: z.string().nullable(),
  detail: z.string().nullable(),
});
export type Termination = z.infer<typeof TerminationSchema>;

export function joinDetails(...parts: readonly (string | null)[]): string | null {
  return parts.filter((part) => part !== null).join("; ") || null;
}

/** `path` names the todo, child or subgraph that asks. */
export const PendingSchema = z.object({
  id: z.string(),
  path: z.string(),
  kind: z.enum(["question", "plan", "confirmation"]),
  prompt: z.string(),
  plan: z.json().nullable(),
  call: z.json().nullable(),
});
export type Pending = z.infer<typeof PendingSchema>;

export const UsageSchema = z.object({
  modelCalls: z.int().nonnegative(),
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  toolCalls: z.int().nonnegative(),
  sourceRequests: z.int().nonnegative(),
  downloads: z.int().nonnegative(),
  costUsd: z.number().nonnegative(),
  models: z
    .array(
      z.object({
        model: z.string(),
        calls: z.int().nonnegative(),
        inputTokens: z.int().nonnegative(),
        outputTokens: z.int().nonnegative(),
        costUsd: z.number().nonnegative(),
        estimated: z.int().nonnegative(),
      }),
    )
    .default([]),
});
export type Usage = z.infer<typeof UsageSchema>;

export const RunSchema = z.object({
  id: z.string(),
  threadId: z.string(),
  graph: z.string(),
  question: z.string(),
  title: z.string().optional().describe("Absent unless the user has named the run."),
  language: z.string().optional().describe("As requested: `auto` or a BCP 47 tag."),
  status: RunStatusSchema,
  createdAt: z.string(),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  termination: TerminationSchema.nullable(),
  pending: z.array(PendingSchema),
  usage: UsageSchema,
  limits: LimitsSchema.optional().describe("What the run may use at most."),
  lowered: z.array(z.string()).optional().describe("The limits that the server made lower than the `depth` asks for."),
  report: ReportSchema.nullable(),
  todos: z.array(TodoSchema).nullable(),
  children: z.array(ChildSchema).nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  metadata: z.record(z.string(), z.json()),
  request: z.record(z.string(), z.json()).optional().describe("What was asked for, without `messages`. Absent in lists."),
  links: z.record(z.string(), z.string()),
});
export type Run = z.infer<typeof RunSchema>;
