import { z } from "zod";
import type { JsonValue } from "./json.ts";
import type { ToolDescription } from "./tool.ts";

/** `arguments` is the text that the model wrote, which may be invalid JSON. */
export const ModelToolCallSchema = z.object({ id: z.string(), name: z.string(), arguments: z.string() });
export type ModelToolCall = z.infer<typeof ModelToolCallSchema>;

/** What a provider attached to an answer and wants back, such as a signature or its reasoning. It is shown to nobody. */
export const AttachedSchema = z.object({
  /** The server and the model that attached it. No others are sent it. */
  from: z.string(),
  message: z.record(z.string(), z.json()),
  /** By the id of the tool call. */
  calls: z.record(z.string(), z.record(z.string(), z.json())),
});
export type Attached = z.infer<typeof AttachedSchema>;

export const ChatMessageSchema = z.discriminatedUnion("role", [
  z.object({ role: z.enum(["system", "user"]), content: z.string() }).readonly(),
  z
    .object({
      role: z.literal("assistant"),
      content: z.string(),
      toolCalls: z.array(ModelToolCallSchema).readonly(),
      attached: AttachedSchema.optional(),
    })
    .readonly(),
  z.object({ role: z.literal("tool"), callId: z.string(), name: z.string(), content: z.string() }).readonly(),
]);
export type ChatMessage = z.infer<typeof ChatMessageSchema>;

/** `estimated` is true if the server reported no usage. */
export const TokenUsageSchema = z.object({
  inputTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  estimated: z.boolean(),
});
export type TokenUsage = z.infer<typeof TokenUsageSchema>;

/** `cut` means that Dossier stopped reading; `repetition` means that the text repeats itself. */
export const FinishReasonSchema = z.enum(["stop", "tool_calls", "length", "content_filter", "cut", "repetition"]);
export type FinishReason = z.infer<typeof FinishReasonSchema>;

export interface ChatDelta {
  readonly content: string;
  readonly reasoning: string;
  readonly toolCalls: readonly ModelToolCall[];
}

export interface ChatReply extends ChatDelta {
  readonly finishReason: FinishReason;
  readonly model: string;
  readonly usage: TokenUsage;
  readonly attached?: Attached | undefined;
}

export interface ChatRequest {
  /** An empty name selects the first model that the server lists. */
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly tools: readonly ToolDescription[];
  readonly toolChoice: "auto" | "none" | "required";
  readonly schema: { readonly name: string; readonly schema: Readonly<Record<string, JsonValue>> } | null;
  readonly maxOutputTokens: number;
  /** Tools that end the agent's loop. Dossier stops reading a response at the second complete call to such a tool. */
  readonly stopTools: readonly string[];
}

/** Returns a request for a text, or for a component of a `schema`. It offers no tools. */
export function textRequest(
  model: string,
  messages: readonly ChatMessage[],
  maxOutputTokens: number,
  schema: ChatRequest["schema"] = null,
): ChatRequest {
  return { model, messages, tools: [], toolChoice: "none", schema, maxOutputTokens, stopTools: [] };
}

const PAIRED = /[\ud840-\ud8bf]/;
const PAIRS = /[\ud840-\ud8bf][\udc00-\udfff]/g;
const CHARACTERS_PER_TOKEN = 4;
const MESSAGE_TOKENS = 4;

/** Counts the Chinese, Japanese and Korean characters of the basic plane, without a list of matches, which a megabyte would make long. */
export function countWide(text: string): number {
  let wide = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x2e80) continue;
    if (code <= 0x9fff || (code >= 0xac00 && code <= 0xd7af) || (code >= 0xf900 && code <= 0xfaff) || (code >= 0xff00 && code <= 0xffef))
      wide++;
  }
  return wide;
}

/** Estimates the tokens of a text: one per Chinese, Japanese or Korean character, one per four other characters. */
export function estimateTokens(text: string): number {
  const wide = countWide(text) + (PAIRED.test(text) ? (text.match(PAIRS)?.length ?? 0) : 0);
  return wide + Math.ceil((text.length - wide) / CHARACTERS_PER_TOKEN);
}

export function estimateInput({ messages, tools, schema }: Pick<ChatRequest, "messages" | "tools" | "schema">): number {
  const sizes = messages.map((message) => {
    const calls = message.role === "assistant" ? message.toolCalls.map((call) => call.name + call.arguments).join("") : "";
    return estimateTokens(message.content + calls) + MESSAGE_TOKENS;
  });
  const offered = tools.map(({ name, description, parameters }) => estimateTokens(name + description + JSON.stringify(parameters)));
  const schemaTokens = schema === null ? 0 : estimateTokens(JSON.stringify(schema.schema));
  return [...sizes, ...offered].reduce((sum, tokens) => sum + tokens, schemaTokens);
}
