import type { ModelToolCall } from "../../domain/chat.ts";
import type { JsonValue } from "../../domain/json.ts";
import type { ToolCall } from "../../domain/tool.ts";
import { parseJson } from "../../util/json-fields.ts";
import type { AgentMessage } from "./state.ts";

type Response = Extract<AgentMessage, { role: "assistant" }>;
type Result = Extract<AgentMessage, { role: "tool" }>;

export function currentTurn(messages: readonly AgentMessage[]): readonly AgentMessage[] {
  const start = messages.findLastIndex(({ role, mark }) => role === "user" && mark === undefined);
  return messages.slice(Math.max(0, start));
}

export function controlCalls(messages: readonly AgentMessage[], controls: Readonly<Record<string, "stop" | "wait">>) {
  const turn = currentTurn(messages);
  return turn.flatMap((message, index) => {
    if (message.role !== "assistant") return [];
    const results = resultsAfter(turn, index);
    return message.toolCalls.flatMap((call) => {
      const effect = Object.hasOwn(controls, call.name) ? controls[call.name] : undefined;
      return effect === undefined ? [] : [{ effect, result: results.find(({ callId }) => callId === call.id) }];
    });
  });
}

export function lastResponse(messages: readonly AgentMessage[]): Response | undefined {
  return messages.findLast((message): message is Response => message.role === "assistant");
}

export function openCalls(messages: readonly AgentMessage[]): ModelToolCall[] {
  const index = messages.findLastIndex(({ role }) => role === "assistant");
  const response = messages[index];
  if (response?.role !== "assistant") return [];
  const answered = new Set(resultsAfter(messages, index).map(({ callId }) => callId));
  return response.toolCalls.filter(({ id }) => !answered.has(id));
}

export function answerText(messages: readonly AgentMessage[]): string {
  const last = messages.at(-1);
  if (last?.role !== "assistant") return "";
  if (messages.at(-2)?.mark !== "continue") return last.content;
  return answerText(messages.slice(0, -2)) + last.content;
}

/** Returns the texts of the responses since the last question, the latest first. A text and its continuation are one. */
export function writtenTexts(messages: readonly AgentMessage[]): string[] {
  const turn = currentTurn(messages);
  const isWhole = (at: number): boolean => turn[at]?.role === "assistant" && turn[at + 1]?.mark !== "continue";
  return turn.flatMap((_, at) => (isWhole(at) ? [answerText(turn.slice(0, at + 1))] : [])).toReversed();
}

/** Looks only at the results right after this response, because other responses may use the same call ids. */
function resultsAfter(messages: readonly AgentMessage[], index: number): Result[] {
  const end = messages.findIndex(({ role }, at) => at > index && role !== "tool");
  return messages.slice(index + 1, end === -1 ? undefined : end).filter((message): message is Result => message.role === "tool");
}

/** Some model servers refuse a conversation in which a tool call has no result. */
export function notExecutedResult({ id, name }: ModelToolCall, why: string): AgentMessage {
  return { role: "tool", callId: id, name, content: `Not executed: ${why}.`, mark: "declined", brief: `${name}: not executed` };
}

export function answerOpenCalls(messages: readonly AgentMessage[], why: string): AgentMessage[] {
  return [...messages, ...openCalls(messages).map((call) => notExecutedResult(call, why))];
}

/** Parses the arguments of a call. Some servers encode them as JSON twice. */
export function toToolCall({ id, name, arguments: text }: ModelToolCall): ToolCall {
  const value = jsonOrText(text);
  return { id, name, arguments: typeof value === "string" ? jsonOrText(value) : value };
}

function jsonOrText(text: string): JsonValue {
  const value = parseJson(text);
  return value === undefined ? text : (value as JsonValue);
}
