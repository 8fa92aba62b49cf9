import { z } from "zod";
import { isBlank } from "../util/visible-text.ts";
import { ConversationSchema } from "./conversation.ts";
import { DepthSchema, ReportFormSchema } from "./depth.ts";
import { DomainRulesSchema } from "./domains.ts";
import { JsonFieldsSchema } from "./json.ts";
import { LimitsSchema } from "./limits.ts";
import { checkTemplate } from "./prompt-template.ts";
import { AskedQueriesSchema, MAX_QUERIES } from "./queries.ts";
import { type ModelRole, ModelRoleSchema, ROLES } from "./roles.ts";
import { isTimeZone } from "./run-date.ts";
import { TeamSchema } from "./team.ts";
import { GivenCallsSchema, MAX_CALLS_PER_ROUND } from "./tool.ts";

/** The length that BCP 47 (RFC 5646, section 4.4.1) asks all programs to support. */
const MAX_LANGUAGE_LENGTH = 35;

const LimitsRequestSchema = LimitsSchema.extend({ costUsd: z.number().min(0) })
  .partial()
  .strict();

export const MAX_QUESTION_LENGTH = 8_000;
export const MAX_TITLE_LENGTH = 200;
export const MAX_MODEL_NAME_LENGTH = 200;

export const ModelNameSchema = z.string().trim().min(1).max(MAX_MODEL_NAME_LENGTH);

export const PriceSchema = z.strictObject({ inputPerMillion: z.number().nonnegative(), outputPerMillion: z.number().nonnegative() });
export type Price = z.infer<typeof PriceSchema>;

export const ModelsSchema = z.object({
  default: z.string(),
  roles: z.partialRecord(ModelRoleSchema, z.string()),
  contextTokens: z.int().positive(),
  maxOutputTokens: z.int().positive(),
  prices: z.record(z.string(), PriceSchema),
  /** The models that the tenant has set, as `tenant/setting` by the name of the model: these calls go to its own servers. */
  servers: z.record(z.string(), z.string()).optional(),
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
  domains: DomainRulesSchema.optional(),
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
