import { z } from "zod";
import type { JsonValue } from "./json.ts";
import type { ToolDescription } from "./tool.ts";

/** A call as a model wrote it: `arguments` is text that may be no JSON at all. */
export const ModelToolCallSchema = z.object({ id: z.string(), name: z.string(), arguments: z.string() });
export type ModelToolCall = z.infer<typeof ModelToolCallSchema>;

/** One message of a conversation with a model. A tool's result follows the assistant's message that asked for it. */
const ChatMessageSchema = z.discriminatedUnion("role", [
  z.object({ role: z.literal("system"), content: z.string() }),
  z.object({ role: z.literal("user"), content: z.string() }),
  z.object({ role: z.literal("assistant"), content: z.string(), toolCalls: z.array(ModelToolCallSchema) }),
  z.object({ role: z.literal("tool"), callId: z.string(), name: z.string(), content: z.string() }),
]);
export type ChatMessage = z.infer<typeof ChatMessageSchema>;

/** Tokens of one call; `estimated` where the server did not say. */
export const TokenUsageSchema = z.object({
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  estimated: z.boolean(),
});
export type TokenUsage = z.infer<typeof TokenUsageSchema>;

/**
 * Why a response ended. `cut`: we ended it, because a call that stops the loop was complete. `repetition`: we ended it, because
 * it said the same again and again.
 */
export const FinishReasonSchema = z.enum(["stop", "tool_calls", "length", "content_filter", "cut", "repetition"]);
export type FinishReason = z.infer<typeof FinishReasonSchema>;

/** A whole response. Content and reasoning are apart, whatever way the server mixes them. */
const ChatReplySchema = z.object({
  content: z.string(),
  reasoning: z.string(),
  toolCalls: z.array(ModelToolCallSchema),
  finishReason: FinishReasonSchema,
  /** As the server names it. */
  model: z.string(),
  usage: TokenUsageSchema,
});
export type ChatReply = z.infer<typeof ChatReplySchema>;

/** A piece of a response; `toolCalls` are those that have become complete. */
const ChatDeltaSchema = z.object({ content: z.string(), reasoning: z.string(), toolCalls: z.array(ModelToolCallSchema) });
export type ChatDelta = z.infer<typeof ChatDeltaSchema>;

/** What is asked of a model; equal requests mean the same, whatever server they go to. */
export interface ChatRequest {
  /** Empty for the deployment's own. */
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolDescription[];
  /** Whether it may, may not or must call a tool. */
  readonly toolChoice: "auto" | "none" | "required";
  /** The form of the answer, as a JSON Schema, where it is not free. */
  readonly schema: { readonly name: string; readonly schema: Readonly<Record<string, JsonValue>> } | null;
  readonly maxOutputTokens: number;
  /** Names of tools that end the loop: the second complete call of any of them ends the response at once. */
  readonly stopTools: readonly string[];
}

const WIDE = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|[\ud840-\ud8bf][\udc00-\udfff]/g;
const CHARACTERS_A_TOKEN = 4;
/** What a message takes beside its text. */
const MESSAGE_TOKENS = 4;

/** About how many tokens a text has: one for a Chinese, Japanese or Korean character, one for four of any other. */
export function estimateTokens(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0;
  return wide + Math.ceil((text.length - wide) / CHARACTERS_A_TOKEN);
}

/** About how many tokens are sent with a request. */
export function estimateInput({ messages, tools, schema }: Pick<ChatRequest, "messages" | "tools" | "schema">): number {
  const said = messages.map((message) => {
    const calls = message.role === "assistant" ? message.toolCalls.map((call) => call.name + call.arguments).join("") : "";
    return estimateTokens(message.content + calls) + MESSAGE_TOKENS;
  });
  const offered = tools.map(({ name, description, parameters }) => estimateTokens(name + description + JSON.stringify(parameters)));
  const form = schema === null ? 0 : estimateTokens(JSON.stringify(schema.schema));
  return [...said, ...offered].reduce((sum, tokens) => sum + tokens, form);
}
