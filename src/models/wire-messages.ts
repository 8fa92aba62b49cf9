import type { OpenAIClient } from "@langchain/openai";
import type { ChatMessage, ModelToolCall } from "../domain/chat.ts";
import type { ToolDescription } from "../domain/tool.ts";
import { isFields, parseJson } from "./raw-json.ts";

type Message = OpenAIClient.Chat.ChatCompletionMessageParam;
type Tool = OpenAIClient.Chat.ChatCompletionFunctionTool;

/** A message in the form of the protocol. */
export function wireMessage(message: ChatMessage): Message {
  if (message.role === "tool") return { role: "tool", tool_call_id: message.callId, content: message.content };
  if (message.role !== "assistant") return { role: message.role, content: message.content };
  if (message.toolCalls.length === 0) return { role: "assistant", content: message.content };
  return { role: "assistant", content: message.content === "" ? null : message.content, tool_calls: message.toolCalls.map(wireCall) };
}

function wireCall({ id, name, arguments: text }: ModelToolCall) {
  return { id, type: "function" as const, function: { name, arguments: wireArguments(text) } };
}

/** Servers parse the arguments of earlier calls and refuse the request where they cannot, so what is no object is sent inside one. */
function wireArguments(text: string): string {
  return isFields(parseJson(text)) ? text : JSON.stringify({ unreadable_arguments: text });
}

export function wireTool({ name, description, parameters }: ToolDescription): Tool {
  return { type: "function", function: { name, description, parameters } };
}
