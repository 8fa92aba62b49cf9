import { z } from "zod";
import { BlockSchema } from "./document.ts";
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
});
export type ToolResult = z.infer<typeof ToolResultSchema>;

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
