import type { FinishReason, TokenUsage } from "../domain/chat.ts";
import { countOf, type Fields, fieldsOf, isFields, listOf, textOf } from "./raw-json.ts";

/** What one chunk of a stream, or a whole answer in one object, says. */
export interface ChunkParts {
  readonly content: string;
  readonly reasoning: string;
  /** Fragments of tool calls, unread. */
  readonly calls: readonly unknown[];
  readonly finish: FinishReason | null;
  readonly usage: TokenUsage | null;
  readonly model: string;
  readonly error: Fields | null;
}

/** Reads a chunk in any form that servers send; of several choices the one with index 0. */
export function readChunk(data: unknown): ChunkParts {
  const chunk = fieldsOf(data);
  // Where several were made, though one was asked for, a chunk may hold any of them.
  const choice = fieldsOf(listOf(chunk["choices"]).find((one) => (countOf(fieldsOf(one)["index"]) ?? 0) === 0));
  const said = isFields(choice["delta"]) ? choice["delta"] : fieldsOf(choice["message"]);
  const legacy = isFields(said["function_call"]) ? [{ index: -1, function: said["function_call"] }] : [];
  const parts = partsOf(said["content"]);
  return {
    content: parts.content + textOf(said["refusal"]),
    // Some servers send the same in both fields.
    reasoning: textOf(said["reasoning_content"]) || textOf(said["reasoning"]) || parts.reasoning,
    calls: [...listOf(said["tool_calls"]), ...legacy],
    finish: finishOf(choice["finish_reason"]),
    usage: usageOf(chunk["usage"]) ?? usageOf(fieldsOf(chunk["x_groq"])["usage"]),
    model: textOf(chunk["model"]),
    error: errorOf(chunk["error"]) ?? errorOf(choice["error"]),
  };
}

function partsOf(content: unknown): { content: string; reasoning: string } {
  const parts = listOf(content).map(fieldsOf);
  const thinking = parts.flatMap((part) => [
    textOf(part["thinking"]),
    ...listOf(part["thinking"]).map((one) => textOf(fieldsOf(one)["text"])),
  ]);
  return { content: textOf(content) + parts.map((part) => textOf(part["text"])).join(""), reasoning: thinking.join("") };
}

const FINISHES: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  eos: "stop",
  end_turn: "stop",
  tool_calls: "tool_calls",
  function_call: "tool_calls",
  length: "length",
  max_tokens: "length",
  content_filter: "content_filter",
};

/** A reason that nobody knows is an ending like any other. */
function finishOf(reason: unknown): FinishReason | null {
  const text = textOf(reason);
  return text === "" ? null : (FINISHES[text] ?? "stop");
}

function usageOf(value: unknown): TokenUsage | null {
  const inputTokens = countOf(fieldsOf(value)["prompt_tokens"]);
  const outputTokens = countOf(fieldsOf(value)["completion_tokens"]);
  if (inputTokens === null || outputTokens === null) return null;
  return { inputTokens, outputTokens, estimated: false };
}

function errorOf(value: unknown): Fields | null {
  if (isFields(value)) return value;
  return typeof value === "string" && value !== "" ? { message: value } : null;
}
