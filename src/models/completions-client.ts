import type { ChatOpenAICompletions, OpenAIClient } from "@langchain/openai";
import type { ChatMessage, ChatRequest, ModelToolCall } from "../domain/chat.ts";
import type { ToolDescription } from "../domain/tool.ts";
import type { ModelEndpoint } from "./endpoint.ts";
import { isFields, parseJson } from "./raw-json.ts";
import type { Skills } from "./skills.ts";
import type { Wire } from "./wire.ts";

type Parameters = OpenAIClient.Chat.ChatCompletionCreateParamsStreaming;
type Format = OpenAIClient.ResponseFormatJSONObject | OpenAIClient.ResponseFormatJSONSchema;
type Fields = ConstructorParameters<typeof ChatOpenAICompletions>[0];

/** The library's own limit may be no shorter than any of ours. */
const MAX_TIMEOUT_MS = 2_000_000_000;

/** Loads the library with the first call, ahead of the call's clock: it takes a tenth of a second that a service without a model can do without. */
export const loadClient = () => import("@langchain/openai");

/**
 * The chunks of one response, as the server sent them. `_streamResponseChunks` is passed by: it drops chunks without choices, and
 * with them errors and usage, and writes to the console about content that is no text. Messages are not converted either: the
 * library's would parse the arguments of calls, and lose those that are no JSON.
 */
export async function streamChunks(
  endpoint: ModelEndpoint,
  request: ChatRequest & { readonly model: string },
  { wire, skills, signal }: { readonly wire: Wire; readonly skills: Skills; readonly signal: AbortSignal },
): Promise<AsyncIterable<unknown>> {
  const client = new (await loadClient()).ChatOpenAICompletions(fieldsFor(endpoint, request, wire));
  const { messages, tools, toolChoice, schema } = [
    skills.tools ? (same: ChatRequest) => same : withToolsInText,
    skills.schemas === "json_schema" ? (same: ChatRequest) => same : withSchemaInText,
    // Last, because the others add to what the system says.
    skills.roles ? (same: ChatRequest) => same : withPlainRoles,
  ].reduce((asked, change) => change(asked), request as ChatRequest);
  const params = client.invocationParams(
    {
      ...(tools.length > 0 && { tools: tools.map(wireTool) }),
      ...(tools.length > 0 && toolChoice !== "auto" && skills.toolChoice && { tool_choice: toolChoice }),
    },
    { streaming: true },
  );
  const format = schema === null ? {} : formatFor(schema, skills);
  return client.completionWithRetry(adapt({ ...params, ...format, messages: messages.map(wireMessage), stream: true }, request, skills), {
    signal,
  });
}

/** Everything that the libraries would look for in the environment is said here; the wire sends no other headers, nor elsewhere. */
function fieldsFor({ baseUrl, apiKey }: ModelEndpoint, { model, maxOutputTokens }: ChatRequest, wire: Wire): Fields {
  return {
    model,
    apiKey: apiKey || "none",
    maxTokens: maxOutputTokens,
    maxRetries: 0,
    streamUsage: true,
    // Limits are ours: see src/models/time-limits.ts.
    timeout: MAX_TIMEOUT_MS,
    configuration: {
      baseURL: baseUrl,
      organization: null,
      project: null,
      adminAPIKey: null,
      webhookSecret: null,
      logLevel: "off",
      fetch: (_, init) => wire.send(init?.body),
    },
  };
}

function formatFor(schema: NonNullable<ChatRequest["schema"]>, { schemas }: Skills): { response_format?: Format } {
  if (schemas === "none") return {};
  if (schemas === "json_object") return { response_format: { type: "json_object" } };
  return { response_format: { type: "json_schema", json_schema: { name: schema.name, schema: { ...schema.schema } } } };
}

/** Leaves out what the server does not know, and names the limit of the answer as it wants it. */
function adapt(params: Parameters, { maxOutputTokens }: ChatRequest, skills: Skills): Parameters {
  const { max_tokens: _, max_completion_tokens: completion, stream_options: usage, ...rest } = params;
  const newer = skills.limitField === null ? completion != null : skills.limitField === "max_completion_tokens";
  return {
    ...rest,
    ...(newer ? { max_completion_tokens: maxOutputTokens } : { max_tokens: maxOutputTokens }),
    ...(skills.streamOptions && usage !== undefined && { stream_options: usage }),
  };
}

/** What a server that knows no tools, or no schemas, is told in words instead. */

const TOOLS_INTRODUCTION = `You can call tools. To call some, answer with nothing but one JSON object of this form:
{"tool_calls":[{"name":"<name of the tool>","arguments":{<its arguments>}}]}
You are given their results in the next message. To answer without a tool, write plain text. The tools, each with the JSON Schema of its arguments:`;

const TOOL_NEEDED = "Now you must call at least one tool.";

/** The same request for a server that knows no tools: they are described, and earlier calls and results are told as text. */
function withToolsInText(request: ChatRequest): ChatRequest {
  const messages = request.messages.map(inWords);
  if (request.tools.length === 0 || request.toolChoice === "none") return { ...request, messages, tools: [] };
  const described = request.tools.map(({ name, description, parameters }) => `- ${name}: ${description}\n  ${JSON.stringify(parameters)}`);
  const needed = request.toolChoice === "required" ? [TOOL_NEEDED] : [];
  return { ...request, messages: afterSystem(messages, [TOOLS_INTRODUCTION, ...described, ...needed].join("\n")), tools: [] };
}

/** The same request for a server that knows no schemas. */
function withSchemaInText(request: ChatRequest): ChatRequest {
  if (request.schema === null) return request;
  const told = `Answer with nothing but one JSON object that fits this JSON Schema:\n${JSON.stringify(request.schema.schema)}`;
  return { ...request, messages: afterSystem(request.messages, told) };
}

/** The same request for a model that knows only users and itself, in turns: what the system says begins the first message. */
function withPlainRoles(request: ChatRequest): ChatRequest {
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

type Message = OpenAIClient.Chat.ChatCompletionMessageParam;
type Tool = OpenAIClient.Chat.ChatCompletionFunctionTool;

const MAX_NAME_LENGTH = 64;

/** A message in the form of the protocol. */
function wireMessage(message: ChatMessage): Message {
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

function wireTool({ name, description, parameters }: ToolDescription): Tool {
  return { type: "function", function: { name, description, parameters } };
}
