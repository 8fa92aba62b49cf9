import { z } from "zod";
import { ContentItemSchema } from "./content.ts";
import { BlockSchema } from "./document.ts";
import { HitSchema } from "./hit.ts";
import { SourceSchema } from "./report.ts";

/** `control` steers the loop, `query` only reads (may be reused and retried), `mutation` changes something (never). */
export const ToolKindSchema = z.enum(["control", "query", "mutation"]);

/** A tool as an analyst sees it. `parameters` is a JSON Schema. */
export const ToolDescriptionSchema = z.object({
  name: z.string(),
  description: z.string(),
  kind: ToolKindSchema,
  parameters: z.record(z.string(), z.json()),
});
export type ToolDescription = z.infer<typeof ToolDescriptionSchema>;

/** A tool of a server, as listed when the run began. */
export const OfferedToolSchema = ToolDescriptionSchema.extend({
  /** The server's id in the scope of a run. */
  server: z.string(),
  /** The server's own name for the tool. */
  tool: z.string(),
  /** Every call needs the user's consent. */
  confirm: z.boolean(),
  timeoutMs: z.int().positive(),
});
export type OfferedTool = z.infer<typeof OfferedToolSchema>;

/** Begins the ids of servers among a task's tools. */
export const SERVER_PREFIX = "mcp:";

/** Whether the name is that of a server, which has tools of its own. */
export function isServerId(name: string): boolean {
  return name.startsWith(SERVER_PREFIX);
}

/** The user's decision on a call that needs consent. */
export const VerdictSchema = z.object({ callId: z.string(), approve: z.boolean(), reason: z.string() });
export type Verdict = z.infer<typeof VerdictSchema>;

/** A call as an analyst writes it; `arguments` are not checked yet. */
export const ToolCallSchema = z.object({ id: z.string(), name: z.string(), arguments: z.json() });
export type ToolCall = z.infer<typeof ToolCallSchema>;

/**
 * A source of a tool's answer; without `text` it is downloaded later. Texts of one address need different fragments, or they count as one.
 */
export const ToolSourceSchema = z.object({
  title: z.string(),
  url: z.string(),
  publishedAt: z.string().nullable(),
  snippet: z.string(),
  text: z.string().nullable(),
  /** Default: `tool`. */
  kind: SourceSchema.shape.kind.optional(),
  /** The blocks of `text`; default: one paragraph. */
  blocks: z.array(BlockSchema).optional(),
});
export type ToolSource = z.infer<typeof ToolSourceSchema>;

/** The model reads `text` and can cite `sources`. `shouldContinue` lets the loop continue after a tool that stops it. */
export const ToolResultSchema = z.object({
  text: z.string(),
  sources: z.array(ToolSourceSchema),
  shouldContinue: z.boolean().optional(),
  content: z.array(ContentItemSchema).optional(),
  /** What a successful call could not look up; later runs of the thread repeat such a call. */
  incomplete: z.string().optional(),
});
export type ToolResult = z.infer<typeof ToolResultSchema>;

export const ThreadResultSchema = z.object({
  run: z.string(),
  name: z.string(),
  arguments: z.json(),
  text: z.string(),
  hits: z.array(HitSchema),
  content: z.array(ContentItemSchema).optional(),
  /** What the result depends on besides the arguments. */
  scope: z.string().optional(),
  /** A later call changed something, or the metadata differs: an equal call is repeated. */
  outdated: z.literal(true).optional(),
  /** Milliseconds since 1970. */
  at: z.int().nonnegative(),
});
export type ThreadResult = z.infer<typeof ThreadResultSchema>;

/** `observation` is the analyst's text for the call. */
export const ToolOutcomeSchema = z.object({
  round: z.int().positive(),
  name: z.string(),
  arguments: z.json(),
  ok: z.boolean(),
  reused: z.boolean(),
  results: z.int().nonnegative(),
  newResults: z.int().nonnegative(),
  observation: z.string(),
  failure: z.string().nullable(),
});
export type ToolOutcome = z.infer<typeof ToolOutcomeSchema>;
