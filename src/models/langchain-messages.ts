import { AIMessage, type AIMessageChunk, type BaseMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import type { Attached, ChatMessage, FinishReason, ModelToolCall, TokenUsage } from "../domain/chat.ts";
import { type Fields, fieldsOf, isFields, listOf, parseJson, textOf } from "../util/json-fields.ts";

// The only file that converts between our messages and LangChain's.

/** Returns LangChain's messages. Those of the classes of other providers get back what such a class attached. */
export function toLangChain(messages: readonly ChatMessage[]): BaseMessage[] {
  return messages.map((message) => {
    const { content } = message;
    if (message.role === "tool") return new ToolMessage({ content, tool_call_id: message.callId, name: wireName(message.name) });
    if (message.role !== "assistant") return message.role === "system" ? new SystemMessage({ content }) : new HumanMessage({ content });
    const { attached, toolCalls } = message;
    return new AIMessage({ content, ...returnedToClass(attached), tool_calls: toolCalls.map(toLangChainCall) });
  });
}

function toLangChainCall({ id, name, arguments: text }: ModelToolCall) {
  return { id, name: wireName(name), args: wireArguments(text), type: "tool_call" as const };
}

const MAX_NAME_LENGTH = 64;

/** Servers refuse a history with an invalid tool name, which a model may have made up. */
function wireName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, MAX_NAME_LENGTH) || "unnamed";
}

/** Servers refuse a history with tool arguments that are not JSON. */
function wireArguments(text: string): Record<string, unknown> {
  const fields = parseJson(text);
  return isFields(fields) ? { ...fields } : { unreadable_arguments: text };
}

export interface CallFragment {
  readonly index: number | null;
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/** What one chunk of an answer brings. */
export interface ChunkParts {
  readonly content: string;
  readonly reasoning: string;
  readonly calls: readonly CallFragment[];
  readonly finish: FinishReason | null;
  readonly usage: Omit<TokenUsage, "estimated"> | null;
  readonly model: string;
}

export function readChunk(chunk: AIMessageChunk): ChunkParts {
  const { content, additional_kwargs, response_metadata, tool_call_chunks } = chunk;
  const usage = chunk.usage_metadata as Record<"input_tokens" | "output_tokens", number> | undefined;
  const extra = fieldsOf(additional_kwargs);
  const metadata = fieldsOf(response_metadata);
  const spoken = spokenIn(content);
  return {
    content: spoken.content,
    reasoning: textOf(extra["reasoning_content"]) || spoken.reasoning,
    calls: (tool_call_chunks ?? []).map(({ index = null, id = "", name = "", args = "" }) => ({ index, id, name, text: args })),
    finish: finishOf(FINISH_FIELDS.map((field) => textOf(metadata[field]) || textOf(extra[field])).find(Boolean) ?? ""),
    usage: usage === undefined ? null : { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens },
    model: textOf(metadata["model_name"]) || textOf(metadata["model"]) || textOf(extra["model"]),
  };
}

/** The text and the reasoning of a content, which is a text or blocks. */
export function spokenIn(content: unknown): { readonly content: string; readonly reasoning: string } {
  const blocks = listOf(content).map(fieldsOf);
  const text = textOf(content) + blocks.map((block) => textOf(block["text"])).join("");
  return { content: text, reasoning: blocks.map(reasoningOf).join("") };
}

/** LangChain's standard blocks, those of Anthropic and Gemini, and those of Mistral. */
function reasoningOf(block: Fields): string {
  const thinking = listOf(block["thinking"]).map((one) => textOf(fieldsOf(one)["text"]));
  return textOf(block["thinking"]) + textOf(block["reasoning"]) + thinking.join("");
}

const FINISH_FIELDS = ["finish_reason", "finishReason", "stop_reason", "stopReason", "done_reason", "status"];
const FINISHES: Readonly<Record<string, FinishReason>> = {
  ...{ tool_calls: "tool_calls", function_call: "tool_calls", tool_use: "tool_calls" },
  ...{ length: "length", max_tokens: "length", model_length: "length", model_context_window_exceeded: "length", incomplete: "length" },
  ...{ content_filter: "content_filter", safety: "content_filter", refusal: "content_filter", recitation: "content_filter" },
};

function finishOf(reason: string): FinishReason | null {
  return reason === "" ? null : (FINISHES[reason.toLowerCase()] ?? "stop");
}

/** The key of what a class attached to its chunks, which fits only its own messages. */
const OF_CLASS = "langchain";
const BLOCKS_OF_CALLS: readonly unknown[] = ["tool_use", "input_json_delta", "functionCall", "tool_call", "tool_call_chunk"];

/** What a provider's class puts beside words and calls: blocks with signatures, and fields of its own. */
export function attachedByClass({ content, additional_kwargs }: AIMessageChunk): Fields {
  const { tool_calls: _, function_call: __, reasoning_content: ___, ...own } = additional_kwargs;
  const blocks = listOf(content).filter((block) => !BLOCKS_OF_CALLS.includes(fieldsOf(block)["type"]));
  return blocks.length === 0 && Object.keys(own).length === 0 ? {} : { [OF_CLASS]: { blocks, additional_kwargs: own } };
}

function returnedToClass(attached: Attached | undefined): Fields {
  const { blocks, ...own } = fieldsOf(attached?.message[OF_CLASS]);
  // Reasoning without a signature is not wanted back.
  const isSigned = listOf(blocks)
    .map(fieldsOf)
    .some((block) => "signature" in block || "data" in block);
  return isSigned ? { ...own, content: blocks } : own;
}
