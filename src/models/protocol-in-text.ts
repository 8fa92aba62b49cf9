import { jsonrepair } from "jsonrepair";
import type { ChatMessage, ChatRequest, ModelToolCall } from "../domain/chat.ts";
import { fieldsOf, isFields, listOf, parseJson, textOf } from "./raw-json.ts";

/** What a server that knows no tools, or no schemas, is told in words instead. */

const MAX_CALLS = 32;
/** The most space before a text that is waited out. */
const MAX_SPACE = 1_000;

const TOOLS_INTRODUCTION = `You can call tools. To call some, answer with nothing but one JSON object of this form:
{"tool_calls":[{"name":"<name of the tool>","arguments":{<its arguments>}}]}
You are given their results in the next message. To answer without a tool, write plain text. The tools, each with the JSON Schema of its arguments:`;

const TOOL_NEEDED = "Now you must call at least one tool.";

/** The same request for a server that knows no tools: they are described, and earlier calls and results are told as text. */
export function withToolsInText(request: ChatRequest): ChatRequest {
  const messages = request.messages.map(inWords);
  if (request.tools.length === 0 || request.toolChoice === "none") return { ...request, messages, tools: [] };
  const described = request.tools.map(({ name, description, parameters }) => `- ${name}: ${description}\n  ${JSON.stringify(parameters)}`);
  const needed = request.toolChoice === "required" ? [TOOL_NEEDED] : [];
  return { ...request, messages: afterSystem(messages, [TOOLS_INTRODUCTION, ...described, ...needed].join("\n")), tools: [] };
}

/** The same request for a server that knows no schemas. */
export function withSchemaInText(request: ChatRequest): ChatRequest {
  if (request.schema === null) return request;
  const told = `Answer with nothing but one JSON object that fits this JSON Schema:\n${JSON.stringify(request.schema.schema)}`;
  return { ...request, messages: afterSystem(request.messages, told) };
}

/** The same request for a model that knows only users and itself, in turns: what the system says begins the first message. */
export function withPlainRoles(request: ChatRequest): ChatRequest {
  const messages: ChatMessage[] = [];
  for (const message of request.messages.map((one) => (one.role === "system" ? { ...one, role: "user" as const } : one))) {
    const last = messages.at(-1);
    if (message.role === "user" && last?.role === "user") messages.splice(-1, 1, joined(last, message));
    else messages.push(message);
  }
  return { ...request, messages };
}

function joined(first: ChatMessage, second: ChatMessage): ChatMessage {
  return { role: "user", content: `${first.content}\n\n${second.content}` };
}

function afterSystem(messages: readonly ChatMessage[], told: string): ChatMessage[] {
  const [first, ...rest] = messages;
  if (first?.role !== "system") return [{ role: "system", content: told }, ...messages];
  return [{ role: "system", content: `${first.content}\n\n${told}` }, ...rest];
}

function inWords(message: ChatMessage): ChatMessage {
  if (message.role === "tool") return { role: "user", content: `Result of the tool ${message.name}:\n${message.content}` };
  if (message.role !== "assistant" || message.toolCalls.length === 0) return message;
  const calls = message.toolCalls.map(({ name, arguments: text }) => ({ name, arguments: parseJson(text) ?? text }));
  const told = JSON.stringify({ tool_calls: calls });
  return { role: "assistant", content: message.content === "" ? told : `${message.content}\n${told}`, toolCalls: [] };
}

/** Whether a text that begins like this may turn out to be calls; null while that cannot be said. */
export function mayBeCalls(beginning: string): boolean | null {
  const text = beginning.trimStart();
  if (beginning.length > MAX_SPACE && text === "") return false;
  return text === "" || text === "`" || text === "``" ? null : /^(?:[{[]|```)/.test(text);
}

/** The calls that a whole text asks for, in the form it was told or one near to it; null where it is no such text. */
export function callsInText(text: string): ModelToolCall[] | null {
  const inside = /^\s*```[a-z]*\s*([\s\S]*?)\s*(?:```[\s\S]*)?$/i.exec(text)?.[1] ?? text;
  const value = repaired(inside);
  const asked = Array.isArray(value)
    ? value
    : isFields(value) && !("tool_calls" in value)
      ? [value]
      : listOf(fieldsOf(value)["tool_calls"]);
  const calls = asked.slice(0, MAX_CALLS).map(callOf);
  return calls.length === 0 || calls.some((call) => call === null)
    ? null
    : calls.flatMap((call, at) => (call ? [{ id: `call-${at + 1}`, ...call }] : []));
}

function callOf(value: unknown): Omit<ModelToolCall, "id"> | null {
  const call = isFields(fieldsOf(value)["function"]) ? fieldsOf(fieldsOf(value)["function"]) : fieldsOf(value);
  const name = textOf(call["name"]);
  if (name === "" || !("arguments" in call || "parameters" in call)) return null;
  const given = call["arguments"] ?? call["parameters"] ?? {};
  return { name, arguments: typeof given === "string" ? given : JSON.stringify(given) };
}

function repaired(text: string): unknown {
  try {
    return JSON.parse(jsonrepair(text));
  } catch {
    return undefined;
  }
}
