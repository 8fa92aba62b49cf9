import { z } from "zod";
import { ChatMessageSchema } from "./chat.ts";
import { DepthSchema, formLines, partLines, ReportFormSchema } from "./depth.ts";
import { DomainRulesSchema } from "./domains.ts";
import { HitSchema, LINKS_SOURCE, URLS_SOURCE } from "./hit.ts";
import { LeftOutFileSchema } from "./left-out.ts";
import { LimitsSchema } from "./limits.ts";
import { PlannedQuerySchema, SourceFactsSchema } from "./queries.ts";
import { CitationSchema, ClaimSchema } from "./report.ts";
import { ModelsSchema } from "./request.ts";
import { TeamSchema } from "./team.ts";
import { ThreadResultSchema, ToolCallSchema } from "./tool.ts";

const TurnSchema = z.object({
  question: z.string(),
  answer: z.string(),
  run: z.string().optional(),
  unanswered: z.literal(true).optional(),
});
export type Turn = z.infer<typeof TurnSchema>;

/** Sentences that are `unverified` are taken out (`strike`) or shown with their reason (`show`). */
export const UnsupportedSchema = z.enum(["strike", "show"]);
export type UnsupportedSentencePolicy = z.infer<typeof UnsupportedSchema>;

/** Who judges the wording of paraphrased sentences: nobody (`code`), or a model in one call per section (`model`). */
export const SupportCheckSchema = z.enum(["code", "model"]);
export type SupportCheck = z.infer<typeof SupportCheckSchema>;

const PartTermsSchema = z.object({
  /** The names of the allowed tools; absent means all. Tools that end the agent's loop are always allowed. */
  tools: z.array(z.string()).optional(),
  maxThinks: z.int().positive(),
  timeoutMs: z.number().nonnegative(),
});

/**
 * Decides whether text without a tool call ends the agent's loop. Empty text never does. With `stock_phrases`, a short text with a phrase
 * such as "I will answer directly" does not either. With `finish_task`, the model is first reminded to call `finish_task`.
 */
export const TERMINATION_POLICIES = ["stock_phrases", "any_text", "finish_task"] as const;

const TerminationTermsSchema = z.object({ policy: z.enum(TERMINATION_POLICIES), phrases: z.array(z.string()) });
export type TerminationTerms = z.infer<typeof TerminationTermsSchema>;

const ThreadReadingSchema = z.object({
  run: z.string(),
  contentHash: z.string(),
  hit: HitSchema,
  /** Set if no run cited it: it is reused only where it is found again. */
  uncited: z.literal(true).optional(),
});
export type ThreadReading = z.infer<typeof ThreadReadingSchema>;

const ThreadAnswerSchema = z.object({
  run: z.string(),
  /** The todo or the question that was answered. */
  question: z.string(),
  /** When the run ended, in milliseconds since 1970. */
  at: z.number(),
  /** Set if the run had the same request. */
  again: z.literal(true).optional(),
  claims: z.array(ClaimSchema.omit({ origins: true, figureOrigins: true })),
  citations: z.array(CitationSchema),
  hits: z.array(HitSchema),
});
export type ThreadAnswer = z.infer<typeof ThreadAnswerSchema>;

/** A request with all defaults resolved, so that a replay needs no configuration. */
export const TaskSchema = z.object({
  question: z.string(),
  /** The ISO 8601 date at which the run was created, in the request's time zone. */
  today: z.string(),
  since: z.string().optional(),
  /** The rules of the server and of the request. */
  domains: z.array(DomainRulesSchema).optional(),
  language: z.string(),
  systemContext: z.string(),
  sources: z.array(z.string()),
  tools: z.array(z.string()),
  /** The only tools of MCP servers that are offered; absent means all of those in `tools`. */
  serverTools: z.array(z.string()).optional(),
  /** Of the sources, by id. Without them a query goes to all. */
  sourceFacts: z.record(z.string(), SourceFactsSchema).optional(),
  /** What the user gave to search for. */
  queries: z.array(PlannedQuerySchema).optional(),
  /** The calls that the user gave. */
  calls: z.array(ToolCallSchema).optional(),
  /** What the user gave to be read: first the addresses, then the documents of the thread. */
  given: z.array(HitSchema).optional(),
  /** Other names under which the user gave the text of one of `given`, by its id. */
  otherNames: z.record(z.string(), z.array(z.string())).optional(),
  /** Files that the user gave and that could not be read. */
  leftOut: z.array(LeftOutFileSchema).optional(),
  limits: LimitsSchema,
  depth: DepthSchema.optional(),
  report: ReportFormSchema.optional(),
  history: z.array(TurnSchema),
  /** Messages of the client's conversation after the question. The agent goes on from there. */
  begun: z.array(ChatMessageSchema).optional(),
  models: ModelsSchema.nullable().default(null),
  /** Set if the server has models, but the request allows no model call. */
  modelUnpaid: z.literal(true).optional(),
  /** The SHA-256 of each prompt by name. Absent without a model. */
  prompts: z.record(z.string(), z.string()).optional(),
  /** The templates of the request, by role, complete with what the roles need. */
  promptTexts: z.record(z.string(), z.string()).optional(),
  unsupported: UnsupportedSchema,
  /** Absent means `code`. */
  supportCheck: SupportCheckSchema.optional(),
  semantic: z.string().optional(),
  planApproval: z.literal(true).optional(),
  /** Set if the planner must not ask the user. */
  clarify: z.literal(false).optional(),
  parallelTodos: z.int().positive().optional(),
  team: TeamSchema.optional(),
  part: PartTermsSchema.optional(),
  /** A nested run ends with notes in place of a report: from all documents together, or from each document in a call of its own. */
  notes: z.enum(["together", "each"]).optional(),
  threadResults: z.array(ThreadResultSchema).optional(),
  /** What earlier runs of the thread read: first what they cited, each the latest first. The text is in the document store. */
  threadReadings: z.array(ThreadReadingSchema).optional(),
  /** Checked answers of earlier runs of the thread, the latest first. Only for graphs that plan. */
  threadAnswers: z.array(ThreadAnswerSchema).optional(),
  /** A call reuses the result of an equal call in the thread up to this age. Absent means never. */
  reuseSeconds: z.number().positive().optional(),
  termination: TerminationTermsSchema.optional(),
  metadata: z.record(z.string(), z.json()),
});
export type Task = z.infer<typeof TaskSchema>;

/** Returns the fields that every view of an analyst has. */
export function taskView(task: Task) {
  const { question, today, language, history, models, limits, supportCheck, promptTexts: prompts } = task;
  const own = prompts !== undefined && { prompts };
  const view = { question, today, language, systemContext: readersContext(task), ...own, history, models, limits };
  return { ...view, ...(supportCheck !== undefined && { supportCheck }) };
}

/** Returns what a model is told of the user's wishes beside the question. */
function readersContext({ since, systemContext }: Pick<Task, "since" | "systemContext">): string {
  const dates = since === undefined ? "" : `The user wants only what was published on or after ${since}. Older sources are left out.`;
  return joinParts([dates, systemContext]);
}

function joinParts(parts: readonly string[]): string {
  return parts.filter((part) => part !== "").join("\n\n");
}

/** Returns what a writer of a report needs to know of the task. */
export function writingTerms(task: Task) {
  return { ...taskView(task), systemContext: writersContext(task), showsUnsupported: task.unsupported === "show" };
}

/** Returns the form of the report and the user's context, for the prompt of who writes it. */
export function writersContext(task: Task): string {
  return joinParts([formLines(task), readersContext(task)]);
}

/** As `writersContext`, for who writes a part of a report: its lead (`sections` is 0), or one of its sections. */
export function partContext(task: Task, sections: number): string {
  return joinParts([partLines(task, sections), readersContext(task)]);
}

/** Returns the ids of what may be searched, called and read. */
export function scopeOf({ sources, tools, given = [], notes }: Task): string[] {
  const urls = given.some(({ foundBy }) => foundBy === URLS_SOURCE) ? [URLS_SOURCE] : [];
  // Only where each document is read alone may its links be followed.
  return [...sources, ...tools, ...urls, ...(notes === "each" ? [LINKS_SOURCE] : [])];
}
