import type { OpenAIClient } from "@langchain/openai";
import type { ChatMessage, ModelToolCall } from "../domain/chat.ts";
import type { ToolDescription } from "../domain/tool.ts";
import { isFields, parseJson } from "./raw-json.ts";

type Message = OpenAIClient.Chat.ChatCompletionMessageParam;
type Tool = OpenAIClient.Chat.ChatCompletionFunctionTool;

const MAX_NAME_LENGTH = 64;

/** A message in the form of the protocol. */
export function wireMessage(message: ChatMessage): Message {
  if (message.role === "tool") return { role: "tool", tool_call_id: message.callId, content: message.content };
  if (message.role !== "assistant") return { role: message.role, content: message.content };
  if (message.toolCalls.length === 0) return { role: "assistant", content: message.content };
  return { role: "assistant", content: message.content === "" ? null : message.content, tool_calls: message.toolCalls.map(wireCall) };
}

function wireCall({ id, name, arguments: text }: ModelToolCall) {
  return { id, type: "function" as const, function: { name: wireName(name), arguments: wireArguments(text) } };
}

/** A model may call what it likes; servers refuse a history with a name that no tool can have. */
function wireName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, MAX_NAME_LENGTH) || "unnamed";
}

/** Servers parse the arguments of earlier calls and refuse the request where they cannot, so what is no object is sent inside one. */
function wireArguments(text: string): string {
  return isFields(parseJson(text)) ? text : JSON.stringify({ unreadable_arguments: text });
}

export function wireTool({ name, description, parameters }: ToolDescription): Tool {
  return { type: "function", function: { name, description, parameters } };
}
