import { z } from "zod";
import { SpentSchema } from "./budget.ts";
import { FinishReasonSchema, ModelToolCallSchema, TokenUsageSchema } from "./chat.ts";
import { ContentItemSchema } from "./content.ts";
import { PlannedQuerySchema } from "./queries.ts";
import { FailureCodeSchema, SourceSchema } from "./report.ts";
import { PendingSchema, RunStatusSchema, TerminationSchema } from "./run.ts";
import { ToolCallSchema } from "./tool.ts";

const LoopEndingSchema = z.enum(["sufficient", "no_tools", "cap", "no_progress", "budget"]);
export type LoopEnding = z.infer<typeof LoopEndingSchema>;

const event = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) => z.object({ type: z.literal(type), ...shape });

/** The storage writes these events. A replay copies them from the recording. */
const lifecycleEvents = [
  event("run-queued", {}),
  event("run-started", { attempt: z.int().positive() }),
  event("run-restarted", { reason: z.string() }),
  event("run-resumed", { pendingId: z.string() }),
] as const;

/** Nodes, models and the journal emit these events. A replay must produce the same ones. */
const domainEvents = [
  event("node-started", { node: z.string(), step: z.int().positive() }),
  event("node-ended", { node: z.string(), step: z.int().positive(), durationMs: z.number().nonnegative() }),
  event("decision", {
    round: z.int().nonnegative(),
    toolsOffered: z.array(z.string()),
    resultsBySource: z.record(z.string(), z.int().nonnegative()),
    toolCalls: z.array(ToolCallSchema),
    queries: z.array(PlannedQuerySchema).optional().describe("What the model wants to search for."),
    reason: z.string(),
    cached: z.boolean(),
  }),
  event("queries-rewritten", {
    queries: z.array(PlannedQuerySchema).describe("What is asked now."),
    from: z.array(z.string()).describe("The queries that found nothing relevant."),
    relevance: z.number().min(0).max(1).describe("The share of the terms of one of them that the best hit has."),
  }),
  event("tool-started", { tool: z.string(), arguments: z.json(), callId: z.string() }),
  event("tool-ended", {
    tool: z.string(),
    arguments: z.json(),
    callId: z.string(),
    ok: z.boolean(),
    results: z.int().nonnegative(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    durationMs: z.number().nonnegative(),
    reused: z.boolean(),
    from: z
      .object({ run: z.string(), at: z.int().nonnegative() })
      .optional()
      .describe("For a reused tool result: the run that got it first, and the time in milliseconds since 1970."),
    content: z.array(ContentItemSchema).optional(),
  }),
  event("round-ended", { round: z.int().positive(), results: z.int().nonnegative(), totalResults: z.int().nonnegative() }),
  event("loop-ended", { reason: LoopEndingSchema, rounds: z.int().nonnegative() }),
  event("source-found", { source: SourceSchema }),
  event("source-failed", { source: z.string(), query: z.string(), failure: FailureCodeSchema, message: z.string() }),
  event("rerank-failed", { ranker: z.string(), failure: FailureCodeSchema, message: z.string() }),
  event("document-read", {
    sourceId: z.string(),
    url: z.string(),
    title: z.string(),
    contentHash: z.string(),
    characters: z.int().nonnegative(),
    incomplete: z.string().optional().describe("Which part of the document the text lacks; absent if it lacks none."),
  }),
  event("document-failed", {
    sourceId: z.string(),
    url: z.string(),
    failure: FailureCodeSchema,
    message: z.string(),
    fallback: z.enum(["snippet", "alternative", "none"]),
  }),
  event("notes-taken", {
    sourceId: z.string(),
    contentHash: z.string(),
    notes: z.int().nonnegative().describe("How many sentences with checked quotes a model took from the document for the todo."),
    links: z.int().positive().optional().describe("How many links of the document the model named as its sources, to be read next."),
  }),
  event("content", {
    node: z.string(),
    callId: z.string(),
    try: z.int().positive(),
    delta: z.string(),
    part: z.int().nonnegative().optional().describe("Of a report with an outline: 0 for the lead, then its sections in order."),
    draft: z.literal(true).optional().describe("Set if no citation of this text is checked yet, or if it is not for the answer."),
  }),
  event("reasoning", { node: z.string(), callId: z.string(), try: z.int().positive(), delta: z.string() }),
  event("tool-calls", { callId: z.string(), try: z.int().positive(), calls: z.array(ModelToolCallSchema) }),
  event("call-ended", { callId: z.string(), try: z.int().positive(), finishReason: FinishReasonSchema, model: z.string() }),
  /** The call waits for a connection, behind `ahead` other calls. */
  event("call-waiting", { callId: z.string(), try: z.int().positive(), ahead: z.int().nonnegative() }),
  event("call-restarted", { callId: z.string(), try: z.int().positive(), reason: z.string() }),
  event("model-failed", { node: z.string(), model: z.string(), failure: z.string(), message: z.string(), fallback: z.string().nullable() }),
  event("component", {
    component: z.string(),
    props: z.json(),
    partial: z.boolean(),
    tool: z.string().optional(),
    callId: z.string().optional(),
    try: z.int().positive().optional(),
  }),
  event("usage", {
    callId: z.string(),
    model: z.string(),
    usage: TokenUsageSchema,
    costUsd: z.number().nonnegative(),
    spent: SpentSchema,
  }),
  event("run-waiting", { pending: z.array(PendingSchema) }),
  event("run-ended", { status: RunStatusSchema, termination: TerminationSchema }),
] as const;

export const LifecycleEventSchema = z.discriminatedUnion("type", lifecycleEvents);
export type LifecycleEvent = z.infer<typeof LifecycleEventSchema>;

export const DomainEventSchema = z.discriminatedUnion("type", domainEvents);
export type DomainEvent = z.infer<typeof DomainEventSchema>;

export type EventBody = DomainEvent | LifecycleEvent;
export const EVENT_TYPES: readonly EventBody["type"][] = [...lifecycleEvents, ...domainEvents].map((schema) => schema.shape.type.value);

/** `seq` counts from 1 without gaps. `at` is an ISO 8601 time in UTC. `path` names a todo, child or subgraph. */
export type RunEvent = EventBody & { readonly seq: number; readonly runId: string; readonly at: string; readonly path: string };
