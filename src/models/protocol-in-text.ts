import type { ChatMessage, ChatRequest } from "../domain/chat.ts";
import { parseJson } from "./raw-json.ts";

/** What a server that knows no tools, or no schemas, is told in words instead. */

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
