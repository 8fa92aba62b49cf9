import { z } from "zod";
import { ContentItemSchema } from "./content.ts";
import { BlockSchema } from "./document.ts";
import { HitSchema } from "./hit.ts";
import { JsonFieldsSchema, type JsonValue } from "./json.ts";
import { SourceSchema } from "./report.ts";

/** `control` tools steer the agent's loop. `query` tools only read, so results may be reused. `mutation` tools change something. */
export const ToolKindSchema = z.enum(["control", "query", "mutation"]);

export interface ToolDescription {
  readonly name: string;
  readonly description: string;
  readonly kind: z.infer<typeof ToolKindSchema>;
  readonly parameters: Readonly<Record<string, JsonValue>>;
}

export interface OfferedTool extends ToolDescription {
  readonly server: string;
  readonly tool: string;
  readonly confirm: boolean;
  readonly timeoutMs: number;
}

export const SERVER_PREFIX = "mcp:";

export function isServerId(name: string): boolean {
  return name.startsWith(SERVER_PREFIX);
}

/** OpenAI allows function names of at most 64 characters from this set. A name that is longer or has others ends with a hash. */
export const FOREIGN_CHARACTERS = /[^A-Za-z0-9_-]/g;
export const PLAIN_NAME_LENGTH = 55;

/** The names of the tools of the server with this id begin with it. */
export function toolPrefix(server: string): string {
  return `${server.slice(SERVER_PREFIX.length)}__`.replace(FOREIGN_CHARACTERS, "_").slice(0, PLAIN_NAME_LENGTH);
}

export interface ConsentDecision {
  readonly callId: string;
  readonly approve: boolean;
  readonly reason: string;
}

export const ToolCallSchema = z.object({ id: z.string(), name: z.string(), arguments: z.json() });
export type ToolCall = z.infer<typeof ToolCallSchema>;

export const MAX_CALLS_PER_ROUND = 16;
/** Calls that a request gives. */
export const GivenCallsSchema = z
  .array(z.strictObject({ tool: z.string().min(1).max(100), arguments: JsonFieldsSchema }))
  .min(1)
  .max(MAX_CALLS_PER_ROUND);
export type GivenCalls = z.infer<typeof GivenCallsSchema>;

/** If `text` is null, the page is downloaded later. Several texts of one page need different URL fragments. */
export const ToolSourceSchema = z.object({
  title: z.string(),
  url: z.string(),
  publishedAt: z.string().nullable(),
  snippet: z.string(),
  text: z.string().nullable(),
  kind: SourceSchema.shape.kind.optional(),
  blocks: z.array(BlockSchema).optional(),
  /** The website of the organization that the source describes, such as `www.example.org`. */
  site: z.string().optional(),
});
export type ToolSource = z.infer<typeof ToolSourceSchema>;

/** The model reads `text` and can cite `sources`. `shouldContinue` keeps a stop tool from ending the agent's loop. */
export const ToolResultSchema = z.object({
  text: z.string(),
  sources: z.array(ToolSourceSchema),
  shouldContinue: z.boolean().optional(),
  /** A shorter text beside `text`, of a tool that ends the agent's loop. */
  summary: z.string().optional(),
  content: z.array(ContentItemSchema).optional(),
  /** Says what a successful call could not look up. Later runs of the thread repeat such a call. */
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
  /** The result depends on this value too. Only a call with an equal value reuses the result. */
  scope: z.string().optional(),
  /** Set if a later call changed something or the metadata differs. An equal call is then repeated. */
  outdated: z.literal(true).optional(),
  at: z.int().nonnegative(),
});
export type ThreadResult = z.infer<typeof ThreadResultSchema>;

export interface ToolOutcome {
  readonly round: number;
  readonly name: string;
  readonly arguments: JsonValue;
  readonly ok: boolean;
  readonly reused: boolean;
  readonly results: number;
  readonly newResults: number;
  readonly observation: string;
  readonly failure: string | null;
}
