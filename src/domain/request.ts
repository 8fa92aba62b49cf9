import { z } from "zod";
import { isBlank } from "../util/visible-text.ts";
import { ChatMessageSchema } from "./chat.ts";
import { ConversationSchema } from "./conversation.ts";
import { DepthSchema, formLines, partLines, ReportFormSchema } from "./depth.ts";
import { HitSchema, LINKS_SOURCE, URLS_SOURCE } from "./hit.ts";
import { JsonFieldsSchema } from "./json.ts";
import { LeftOutFileSchema } from "./left-out.ts";
import { LimitsSchema } from "./limits.ts";
import { checkTemplate } from "./prompt-template.ts";
import { AskedQueriesSchema, MAX_QUERIES, PlannedQuerySchema, SourceFactsSchema } from "./queries.ts";
import { CitationSchema, ClaimSchema } from "./report.ts";
import { type ModelRole, ModelRoleSchema, ROLES } from "./roles.ts";
import { isTimeZone } from "./run-date.ts";
import { TeamSchema } from "./team.ts";
import { GivenCallsSchema, MAX_CALLS_PER_ROUND, ThreadResultSchema, ToolCallSchema } from "./tool.ts";

/** The length that BCP 47 (RFC 5646, section 4.4.1) asks all programs to support. */
const MAX_LANGUAGE_LENGTH = 35;

const LimitsRequestSchema = LimitsSchema.extend({ costUsd: z.number().min(0) })
  .partial()
  .strict();

export const MAX_QUESTION_LENGTH = 8_000;
export const MAX_TITLE_LENGTH = 200;
export const MAX_MODEL_NAME_LENGTH = 200;

const ModelNameSchema = z.string().trim().min(1).max(MAX_MODEL_NAME_LENGTH);

export const PriceSchema = z.strictObject({ inputPerMillion: z.number().nonnegative(), outputPerMillion: z.number().nonnegative() });
export type Price = z.infer<typeof PriceSchema>;

export const ModelsSchema = z.object({
  default: z.string(),
  roles: z.partialRecord(ModelRoleSchema, z.string()),
  contextTokens: z.int().positive(),
  maxOutputTokens: z.int().positive(),
  prices: z.record(z.string(), PriceSchema),
});
export type Models = z.infer<typeof ModelsSchema>;

export function modelOf(models: Pick<Models, "default" | "roles">, role: ModelRole): string {
  return models.roles[role] ?? models.default;
}

export const MAX_CONTEXT_LENGTH = 20_000;

const PromptsSchema = z.record(z.string(), z.string().max(MAX_CONTEXT_LENGTH)).superRefine((prompts, context) => {
  for (const [role, text] of Object.entries(prompts)) {
    const known = ModelRoleSchema.safeParse(role).data;
    const faults = known === undefined ? [] : checkTemplate(text, ROLES[known].placeholders);
    if (known === undefined) faults.push({ line: 0, message: `is not a role; the roles are: ${ModelRoleSchema.options.join(", ")}` });
    for (const { line, message } of faults)
      context.addIssue({ code: "custom", path: [role], message: line === 0 ? message : `line ${line}: ${message}` });
  }
});

export const TimeZoneSchema = z.string().max(100).refine(isTimeZone, "must be an IANA time zone such as Europe/Berlin or UTC");

export const MAX_URLS = 20;
const MAX_URL_LENGTH = 8_000;

function hasCredentials(text: string): boolean {
  const { username, password } = URL.parse(text) ?? {};
  return Boolean(username) || Boolean(password);
}

/** Whether an address may be fetched is decided when it is. */
export const UrlsSchema = z
  .array(
    z
      .string()
      .trim()
      .max(MAX_URL_LENGTH)
      .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), "must be an address such as https://example.org/report.pdf")
      .refine(
        (text) => !hasCredentials(text),
        "must not have a user name or password: it would be stored, and no page is fetched with one",
      ),
  )
  .max(MAX_URLS);

const NamesSchema = z.array(z.string().min(1).max(200)).max(100);

export const ThreadIdSchema = z.string().regex(/^[A-Za-z0-9_.:-]{1,100}$/, "1 to 100 characters of A-Z a-z 0-9 _ . : -");

export const BusyThreadSchema = z.enum(["enqueue", "reject", "interrupt", "rollback"]);
export type BusyThread = z.infer<typeof BusyThreadSchema>;

export const ResearchRequestSchema = z.strictObject({
  question: z
    .string()
    .max(MAX_QUESTION_LENGTH)
    .refine((text) => !isBlank(text), "must not be empty")
    .describe("The question to research, 1 to 8,000 characters, in any language."),
  graph: z.string().min(1).max(100).default("executor"),
  sources: z
    .array(z.string().min(1).max(100))
    .min(1)
    .max(50)
    .optional()
    .describe(
      "The sources and tools that the run may use. If absent, only what the user gave (files, addresses) and the folder that the server was given (`CORPUS_DIR`); all that the server has if there is neither.",
    ),
  otherSources: z
    .boolean()
    .optional()
    .describe(
      "Without `sources`: whether to use the other sources and tools of the server beside the user's own files, addresses and folder.",
    ),
  tools: NamesSchema.optional().describe(
    "The only tools that the run may call besides those that `sources` names: optional tools by their names, tools of MCP servers as `server__tool`. The tools that every agent has, such as `search` and `calculator`, stay.",
  ),
  mcpServers: NamesSchema.optional().describe(
    "The only MCP servers whose tools the run may call, by the names that they have in the server's configuration, besides those that `sources` names.",
  ),
  queries: AskedQueriesSchema.optional().describe(
    `What to search for, in place of the words of the question and of queries that a model writes: 1 to ${MAX_QUERIES} texts. Sources and a ranking service are sent these words and no others; optional tools are called apart. Only for the graph \`executor\`.`,
  ),
  calls: GivenCallsSchema.optional().describe(
    `1 to ${MAX_CALLS_PER_ROUND} calls of optional tools, made in the first round, with or without a model. A model then sees their results and decides whether to call more. Only for the graph \`executor\`.`,
  ),
  urls: UrlsSchema.optional().describe(
    `At most ${MAX_URLS} web addresses to read besides what is found. They are read first, and count as downloads.`,
  ),
  limits: LimitsRequestSchema.optional(),
  depth: DepthSchema.optional().describe(
    "How much work the run is: its limits, as far as `limits` does not name them, and the length of the report. If absent, the server's limits apply. `deep` needs the graph `research`.",
  ),
  report: ReportFormSchema.optional().describe("The form of the report. It needs a model."),
  language: z
    .string()
    .max(MAX_LANGUAGE_LENGTH)
    .refine((text) => text === "auto" || isLanguageTag(text), "must be auto or a well-formed BCP 47 tag such as en or zh-Hans")
    .default("auto")
    .describe("`auto` or a well-formed BCP 47 tag such as `en` or `zh-Hans`."),
  since: z.iso
    .date("must be a day such as 2025-01-31")
    .optional()
    .describe("Only what was published on or after this day. What is older is not read; what has no date is kept, after what has one."),
  timeZone: TimeZoneSchema.optional().describe("The IANA time zone of the run's date, such as `Europe/Berlin`; the server's if absent."),
  systemContext: z.string().max(MAX_CONTEXT_LENGTH).optional(),
  threadId: ThreadIdSchema.optional().describe(
    "Runs of one thread are executed one after another. Each knows the questions and answers of those before.",
  ),
  onBusyThread: BusyThreadSchema.optional().describe(
    "If the thread has a run that is queued, in flight or waiting for its user: `enqueue` (the default) lets the new one follow it, `reject` refuses the new one, `interrupt` cancels the others, `rollback` cancels and deletes them.",
  ),
  startAfter: z.iso
    .datetime({ offset: true, error: "must be a time such as 2026-12-01T08:00:00Z" })
    .optional()
    .describe("The run starts at this time, and at once if it has passed. At most a year ahead."),
  messages: ConversationSchema.optional(),
  model: ModelNameSchema.optional().describe("The model of this run; the server's default model if absent."),
  models: z.partialRecord(ModelRoleSchema, ModelNameSchema).optional().describe("Models by role. Any other role uses `model`."),
  prompts: PromptsSchema.optional().describe(
    "Templates by role, which replace those of the server for this run. What a role cannot do without is appended where it is missing.",
  ),
  planApproval: z.boolean().optional().describe("Whether the user must approve the plan before it is executed. Only for graphs that plan."),
  clarify: z
    .boolean()
    .optional()
    .describe("Whether the planner may ask the user one question before deep work; true if absent. Only with the depth `deep`."),
  team: z
    .union([z.string().min(1).max(100), TeamSchema])
    .optional()
    .describe("A team, or the name of a team of the server; the server's default team if absent. Only for the graph `team`."),
  metadata: JsonFieldsSchema.optional(),
  context: JsonFieldsSchema.optional().describe(
    "Another name of `metadata`. If both are given, they are merged; `context` takes precedence.",
  ),
});
export type ResearchRequest = z.infer<typeof ResearchRequestSchema>;

function isLanguageTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

export const RenameRequestSchema = z.strictObject({
  title: z
    .string()
    .trim()
    .min(1)
    .max(MAX_TITLE_LENGTH)
    .refine((text) => !isBlank(text), "must not be empty")
    .nullable()
    .describe("The name of the run, 1 to 200 characters. With null the run has no name, and is shown by its question."),
});

export const AnswerRequestSchema = z.strictObject({
  answer: z.json().optional().describe("The answer to a question."),
  approve: z.boolean().optional().describe("Whether a tool call may be made, or a plan executed."),
  reason: z.string().max(8_000).optional().describe("Why not, with `approve: false`."),
  plan: z.json().optional().describe("An edited plan, instead of `approve`."),
  pendingId: z.string().max(200).optional().describe("Which entry of `pending` this answers, if there are several."),
});
export type AnswerRequest = z.infer<typeof AnswerRequestSchema>;

export const ForkRequestSchema = z.strictObject({
  afterSeq: z
    .int()
    .nonnegative()
    .describe(
      "The `seq` of an event. The step in which it falls is made again, unless it had ended by then; what came before is taken over.",
    ),
  question: ResearchRequestSchema.shape.question.optional(),
  systemContext: ResearchRequestSchema.shape.systemContext,
  prompts: ResearchRequestSchema.shape.prompts,
  model: ResearchRequestSchema.shape.model,
});
export type ForkRequest = z.infer<typeof ForkRequestSchema>;

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
  /** The ISO 8601 date at which the run was created, in the request's time zone. Absent in old recordings. */
  today: z.string().optional(),
  since: z.string().optional(),
  language: z.string(),
  systemContext: z.string(),
  sources: z.array(z.string()),
  tools: z.array(z.string()),
  /** The only tools of MCP servers that are offered; absent means all of those in `tools`. */
  serverTools: z.array(z.string()).optional(),
  /** Of the sources, by id. Absent in old recordings, in which a query goes to all of them. */
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
  /** The SHA-256 of each prompt by name. Absent without a model and in old recordings. */
  prompts: z.record(z.string(), z.string()).optional(),
  /** The templates of the request, by role, complete with what the roles need. */
  promptTexts: z.record(z.string(), z.string()).optional(),
  /** Absent only in old recordings, where it means `strike`. */
  unsupported: UnsupportedSchema.optional(),
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

const UNKNOWN_DATE = "unknown";

/** Returns the fields that every view of an analyst has. */
export function taskView(task: Task) {
  const { question, today = UNKNOWN_DATE, language, history, models, limits, supportCheck, promptTexts: prompts } = task;
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
