import { z } from "zod";
import { ContentItemSchema } from "./content.ts";
import { BlockSchema } from "./document.ts";
import { HitSchema } from "./hit.ts";
import { SourceSchema } from "./report.ts";

/** `control` steers the loop, `query` reads (may be reused and retried), `mutation` changes something (never either). */
export const ToolKindSchema = z.enum(["control", "query", "mutation"]);

/** What an analyst is told of a tool. `parameters` is a JSON Schema. */
export const ToolDescriptionSchema = z.object({
  name: z.string(),
  description: z.string(),
  kind: ToolKindSchema,
  parameters: z.record(z.string(), z.json()),
});
export type ToolDescription = z.infer<typeof ToolDescriptionSchema>;

/** A tool of a server, as a run keeps it from the server's own list, so that nothing has to be asked again to know it. */
export const OfferedToolSchema = ToolDescriptionSchema.extend({
  /** The server's id in the scope of a run. */
  server: z.string(),
  /** The server's own name for the tool. */
  tool: z.string(),
  /** Whether the user has to agree to every call. */
  confirm: z.boolean(),
  /** Milliseconds one call may take. */
  timeoutMs: z.int().positive(),
});
export type OfferedTool = z.infer<typeof OfferedToolSchema>;

/** What stands before the ids of servers among the tools of a task. */
export const SERVER_PREFIX = "mcp:";

/** Whether a task's tool is a server that offers tools of its own. */
export function isServerId(name: string): boolean {
  return name.startsWith(SERVER_PREFIX);
}

/** What the user said to a call that had to be agreed to. */
export const VerdictSchema = z.object({ callId: z.string(), approve: z.boolean(), reason: z.string() });
export type Verdict = z.infer<typeof VerdictSchema>;

/** A call as an analyst asks for it; `arguments` is unchecked until the tool's own schema has seen it. */
export const ToolCallSchema = z.object({ id: z.string(), name: z.string(), arguments: z.json() });
export type ToolCall = z.infer<typeof ToolCallSchema>;

/**
 * A source that a tool brings along. `text` is its content where the tool has it, otherwise it is downloaded later. Several
 * texts from one address have that address with a fragment each, or they count as one.
 */
export const ToolSourceSchema = z.object({
  title: z.string(),
  url: z.string(),
  publishedAt: z.string().nullable(),
  snippet: z.string(),
  text: z.string().nullable(),
  /** What kind of place it is; `tool` where the tool does not say. */
  kind: SourceSchema.shape.kind.optional(),
  /** The parts of `text`, as documents have them; one paragraph where the tool does not say. */
  blocks: z.array(BlockSchema).optional(),
});
export type ToolSource = z.infer<typeof ToolSourceSchema>;

/**
 * A tool's answer: `text` is what a model reads, `sources` are what can be cited. A tool that stops the loop may decline with
 * `shouldContinue`; the loop then goes on.
 */
export const ToolResultSchema = z.object({
  text: z.string(),
  sources: z.array(ToolSourceSchema),
  shouldContinue: z.boolean().optional(),
  /** What readers are shown beside the text, where there is more than text. */
  content: z.array(ContentItemSchema).optional(),
  /** What could not be looked up although the call succeeded; later runs of the thread make an equal call again. */
  incomplete: z.string().optional(),
});
export type ToolResult = z.infer<typeof ToolResultSchema>;

/** What a call of an earlier run of the thread brought. */
export const ThreadResultSchema = z.object({
  run: z.string(),
  name: z.string(),
  arguments: z.json(),
  text: z.string(),
  hits: z.array(HitSchema),
  content: z.array(ContentItemSchema).optional(),
  /** What it depends on besides the arguments, where the run itself has looked. */
  scope: z.string().optional(),
  /** A later call has changed something, or its run had other metadata: an equal call is made again. */
  outdated: z.literal(true).optional(),
  /** Milliseconds since 1970. */
  at: z.int().nonnegative(),
});
export type ThreadResult = z.infer<typeof ThreadResultSchema>;

/** What became of one call; `observation` is what the analyst is told of it. */
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
