import { z } from "zod";
import { type ModelRole, ModelRoleSchema } from "./roles.ts";
import { TeamSchema } from "./team.ts";
import { ThreadResultSchema } from "./tool.ts";

/** Upper bounds of one run. A request may lower the operator's, never raise them. `seconds` counts running time. */
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

/** Lists of runs show it, so it must stay small. */
const MAX_METADATA_LENGTH = 16_000;

/** Of a conversation, in UTF-16 code units each and together; a run is given the last turns of it. */
const MAX_MESSAGES = 100;
const MAX_MESSAGE_LENGTH = 20_000;
const MAX_CONVERSATION_LENGTH = 200_000;

/** As long as BCP 47 asks of everybody to keep room for. */
const MAX_LANGUAGE_LENGTH = 35;

const LimitsRequestSchema = LimitsSchema.extend({ costUsd: z.number().min(0) })
  .partial()
  .strict();

const ModelNameSchema = z.string().trim().min(1).max(200);

/** US dollars for a million tokens. */
export const PriceSchema = z.strictObject({ inputPerMillion: z.number().nonnegative(), outputPerMillion: z.number().nonnegative() });
export type Price = z.infer<typeof PriceSchema>;

/** The models of a run, with all that its requests depend on. An empty name stands for the model that the server offers. */
export const ModelsSchema = z.object({
  default: z.string(),
  roles: z.partialRecord(ModelRoleSchema, z.string()),
  /** The most tokens that a request and its answer may have together. */
  contextTokens: z.int().positive(),
  /** The most tokens of one answer. */
  maxOutputTokens: z.int().positive(),
  /** Of those models whose price is known. */
  prices: z.record(z.string(), PriceSchema),
});
export type Models = z.infer<typeof ModelsSchema>;

/** The model of a role. */
export function modelOf(models: Pick<Models, "default" | "roles">, role: ModelRole): string {
  return models.roles[role] ?? models.default;
}

/** What was said in a conversation that is kept elsewhere. */
export const ConversationMessageSchema = z.strictObject({
  role: z.enum(["user", "assistant"], { error: "must be user or assistant; what a system message says belongs into systemContext" }),
  content: z.string().max(MAX_MESSAGE_LENGTH),
});
export type ConversationMessage = z.infer<typeof ConversationMessageSchema>;

const ConversationSchema = z
  .array(ConversationMessageSchema)
  .max(MAX_MESSAGES)
  .refine(
    (messages) => messages.reduce((sum, { content }) => sum + content.length, 0) <= MAX_CONVERSATION_LENGTH,
    `must not have more than ${MAX_CONVERSATION_LENGTH} characters together`,
  )
  .describe("What was said before, oldest first, of a conversation that is kept elsewhere; it follows what the thread has.");

/** The body of `POST /research`. */
export const ResearchRequestSchema = z.strictObject({
  question: z
    .string()
    .max(8_000)
    .refine((text) => text.trim().length > 0, "must not be empty")
    .describe("What to find out, 1 to 8,000 characters, in any language."),
  graph: z.string().min(1).max(100).default("executor"),
  sources: z.array(z.string().min(1).max(100)).min(1).max(50).optional().describe("The scope; enforced, never widened."),
  limits: LimitsRequestSchema.optional(),
  language: z
    .string()
    .max(MAX_LANGUAGE_LENGTH)
    .refine((text) => text === "auto" || isLanguageTag(text), "must be auto or a well-formed BCP 47 tag such as en or zh-Hans")
    .default("auto")
    .describe("`auto` or a well-formed BCP 47 tag such as `en` or `zh-Hans`."),
  systemContext: z.string().max(20_000).optional(),
  threadId: z
    .string()
    .regex(/^[A-Za-z0-9_.:-]{1,100}$/, "1 to 100 characters of A-Z a-z 0-9 _ . : -")
    .optional()
    .describe("Runs of one thread share memory and are executed one after another."),
  messages: ConversationSchema.optional(),
  model: ModelNameSchema.optional().describe("The model of this run instead of the deployment's."),
  models: z.partialRecord(ModelRoleSchema, ModelNameSchema).optional().describe("A model for each role that shall have its own."),
  planApproval: z.boolean().optional().describe("Of a graph that plans: whether the plan waits for the user before anything is executed."),
  team: z
    .union([z.string().min(1).max(100), TeamSchema])
    .optional()
    .describe("Of the graph `team`: the team, or the name of one that the server has; its default one if absent."),
  metadata: z
    .record(z.string().max(200), z.json())
    .refine(
      (metadata) => JSON.stringify(metadata).length <= MAX_METADATA_LENGTH,
      `must not have more than ${MAX_METADATA_LENGTH} characters of JSON`,
    )
    .optional(),
});
export type ResearchRequest = z.infer<typeof ResearchRequestSchema>;

/** Whether a text is a well-formed tag (BCP 47, as Unicode reads it); the language need not be one that anybody speaks. */
function isLanguageTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

/** The body of `POST /research/{id}/answer`. */
export const AnswerRequestSchema = z.strictObject({
  answer: z.json().optional(),
  approve: z.boolean().optional(),
  reason: z.string().max(8_000).optional(),
  plan: z.json().optional(),
  pendingId: z.string().max(200).optional(),
});
export type AnswerRequest = z.infer<typeof AnswerRequestSchema>;

/** An earlier question of the thread and what was answered. */
export const TurnSchema = z.object({
  question: z.string(),
  answer: z.string(),
  /** In recordings of earlier versions: the run that answered. */
  run: z.string().optional(),
  /** In recordings of earlier versions: that run did not answer. */
  unanswered: z.literal(true).optional(),
});
export type Turn = z.infer<typeof TurnSchema>;

/** What becomes of sentences of a model's report that their quotes do not bear out: left out, or shown and marked. */
export const UnsupportedSchema = z.enum(["strike", "show"]);
export type Unsupported = z.infer<typeof UnsupportedSchema>;

/** What an agent is held to that works as a part of a run; whatever it leaves open is as for an agent of its own. */
export const PartTermsSchema = z.object({
  /** The only tools it has, by name; a tool that stops it stays. */
  tools: z.array(z.string()).optional(),
  /** How often its model is asked at most. */
  maxThinks: z.int().positive(),
  /** Its running time. */
  timeoutMs: z.number().nonnegative(),
});

/**
 * When an agent's text ends its run: `any_text`, as soon as it says anything; `stock_phrases`, unless it says nothing or a short stock
 * phrase; `finish_task`, only after it was told once to call that tool.
 */
export const TERMINATION_POLICIES = ["stock_phrases", "any_text", "finish_task"] as const;

/** `phrases` are stock phrases beside those that are known. */
export const TerminationTermsSchema = z.object({ policy: z.enum(TERMINATION_POLICIES), phrases: z.array(z.string()) });
export type TerminationTerms = z.infer<typeof TerminationTermsSchema>;

/** What a graph is given: the request with everything resolved, so that a replay needs no configuration. */
export const TaskSchema = z.object({
  question: z.string(),
  language: z.string(),
  systemContext: z.string(),
  sources: z.array(z.string()),
  tools: z.array(z.string()),
  limits: LimitsSchema,
  history: z.array(TurnSchema),
  /** Null where rules decide and write. */
  models: ModelsSchema.nullable().default(null),
  /** A model is there, and the limits of the run allow it no call at all. */
  modelUnpaid: z.literal(true).optional(),
  /** SHA-256 of the templates that its roles are told by, by name. Absent without a model, and in recordings of earlier versions. */
  prompts: z.record(z.string(), z.string()).optional(),
  /** Absent for `strike`: a default would change the digests of older recordings. */
  unsupported: UnsupportedSchema.optional(),
  /** The name of what ranks hits by meaning. Where words alone do it is left out, as recordings of earlier versions have none. */
  semantic: z.string().optional(),
  /** Of a graph that plans: whether the user approves the plan; absent where nobody asked for it. */
  planApproval: z.literal(true).optional(),
  /** Of a graph that plans: how many todos are worked on at the same time. */
  parallelTodos: z.int().positive().optional(),
  /** Of the graph `team`. */
  team: TeamSchema.optional(),
  part: PartTermsSchema.optional(),
  /** What tools brought in earlier runs of the thread, newest first; absent where there is nothing. */
  threadResults: z.array(ThreadResultSchema).optional(),
  /** How old one of them may be to answer an equal call, in seconds; absent where none may. */
  reuseSeconds: z.number().positive().optional(),
  /** Absent for `stock_phrases` without further ones. */
  termination: TerminationTermsSchema.optional(),
  metadata: z.record(z.string(), z.json()),
});
export type Task = z.infer<typeof TaskSchema>;

/** The ids of all that a run may connect to. */
export function scopeOf({ sources, tools }: Task): string[] {
  return [...sources, ...tools];
}
