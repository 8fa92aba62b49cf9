import type { BaseChatModel, BaseChatModelCallOptions } from "@langchain/core/language_models/chat_models";
import { AIMessage, type AIMessageChunk, type BaseMessage } from "@langchain/core/messages";
import { concat } from "@langchain/core/utils/stream";

type Options = BaseChatModelCallOptions & { readonly [key: string]: unknown };

/** Streams an answer and returns its chunks. */
export async function chunksOf(model: BaseChatModel, messages: readonly BaseMessage[], options: Options = {}): Promise<AIMessageChunk[]> {
  const chunks: AIMessageChunk[] = [];
  for await (const chunk of await model.stream([...messages], options)) chunks.push(chunk);
  return chunks;
}

/** Streams an answer and returns it as one chunk. */
export async function streamed(model: BaseChatModel, messages: readonly BaseMessage[], options: Options = {}): Promise<AIMessageChunk> {
  const chunks = await chunksOf(model, messages, options);
  return chunks.reduce((whole, chunk) => concat(whole, chunk));
}

/** Returns an answer as a message for the next request, with all that the chunk has. */
export const asMessage = ({ content, tool_calls, additional_kwargs, response_metadata }: AIMessageChunk): AIMessage =>
  new AIMessage({ content, additional_kwargs, response_metadata, ...(tool_calls ? { tool_calls } : {}) });

/** Streams an answer that fails, and returns the error. */
export async function failed(model: BaseChatModel, messages: readonly BaseMessage[], options: Options = {}): Promise<unknown> {
  try {
    await streamed(model, messages, options);
  } catch (error) {
    return error;
  }
  throw new Error("The answer did not fail.");
}

/** A tool in the form that every class takes. */
export const SEARCH = {
  type: "function" as const,
  function: {
    name: "search",
    description: "Searches.",
    parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
  },
};
