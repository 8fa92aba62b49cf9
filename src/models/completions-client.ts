import type { ChatOpenAICompletions, OpenAIClient } from "@langchain/openai";
import type { ChatMessage, ChatRequest, ModelToolCall } from "../domain/chat.ts";
import { isFields, parseJson } from "../util/json-fields.ts";
import type { Refusal, ServerCapabilities } from "./server-capabilities.ts";

/** Follows no redirects. Rejects with an error that has a system code such as `ECONNREFUSED`. */
type ModelFetch = (
  url: string,
  init: {
    readonly method: "GET" | "POST";
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly signal: AbortSignal;
  },
) => Promise<Response>;

export interface ModelEndpoint {
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  readonly fetch: ModelFetch;
}

export function addressOf({ baseUrl }: ModelEndpoint, path: string): string {
  return `${baseUrl.replace(/\/+$/, "")}/${path}`;
}

export function headersFor({ apiKey }: ModelEndpoint): Record<string, string> {
  return {
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    ...(apiKey !== undefined && apiKey !== "" && { authorization: `Bearer ${apiKey}` }),
  };
}

const MAX_REFUSAL = 64_000;
const DONE = /[\r\n]data: ?\[DONE\]/;
const LONGEST_DONE = 16;
const EVENT_STREAM = { "content-type": "text/event-stream" };
/** A longer answer is not kept, because all open answers together must fit into memory. */
const MAX_KEPT_BYTES = 4_000_000;

/** The whole answer as an event stream. `kept` is null if the server must be asked. */
export interface KeptAnswer {
  readonly kept: Uint8Array | null;
  keep(answer: Uint8Array): void;
}

/** Replaces the library's HTTP client, which rewrites errors and hides that a stream was cut off. */
export class HttpExchange {
  refusal: Refusal | null = null;
  /** Whether the answer is complete, because it ended with `[DONE]` or is one JSON object. */
  whole = false;
  readonly endpoint: ModelEndpoint;
  readonly signal: AbortSignal;
  readonly #answer: KeptAnswer;

  constructor(endpoint: ModelEndpoint, signal: AbortSignal, answer: KeptAnswer) {
    this.endpoint = endpoint;
    this.signal = signal;
    this.#answer = answer;
  }

  async send(body: unknown): Promise<Response> {
    const { kept } = this.#answer;
    if (kept !== null) {
      this.whole = true;
      return new Response(Buffer.from(kept), { headers: EVENT_STREAM });
    }
    const response = await this.endpoint.fetch(addressOf(this.endpoint, "chat/completions"), {
      method: "POST",
      headers: headersFor(this.endpoint),
      body: typeof body === "string" ? body : "",
      signal: this.signal,
    });
    const type = response.headers.get("content-type") ?? "";
    if (!response.ok || /html/i.test(type)) return this.#refused(response);
    if (/json/i.test(type)) return this.#asStream(await response.text(), response);
    return new Response(response.body?.pipeThrough(this.#watchEnd()) ?? null, { headers: EVENT_STREAM });
  }

  async #refused(response: Response): Promise<Response> {
    this.refusal = { status: response.status, headers: response.headers, body: await beginning(response) };
    return new Response("{}", { status: 400, headers: { "content-type": "application/json" } });
  }

  #asStream(text: string, { status, headers }: Response): Promise<Response> | Response {
    const object = text.trimStart().startsWith("{");
    if (object && isForeign(text)) return this.#refused(new Response(text, { status, headers }));
    this.whole = object || DONE.test(`\n${text}`);
    // A line break would end the `data` field of the event stream.
    const body = object ? `data: ${text.replace(/[\r\n]+/g, " ")}\n\ndata: [DONE]\n\n` : text;
    if (this.whole) this.#answer.keep(Buffer.from(body));
    return new Response(body, { headers: EVENT_STREAM });
  }

  #watchEnd(): TransformStream<Uint8Array, Uint8Array> {
    let tail = "\n";
    const received: Uint8Array[] = [];
    let size = 0;
    return new TransformStream({
      transform: (bytes, controller) => {
        const text = tail + Buffer.from(bytes).toString("latin1");
        const ends = !this.whole && DONE.test(text);
        this.whole ||= ends;
        tail = text.slice(-LONGEST_DONE);
        size += bytes.byteLength;
        if (size <= MAX_KEPT_BYTES) received.push(bytes);
        else received.length = 0;
        if (ends && received.length > 0) this.#answer.keep(Buffer.concat(received));
        controller.enqueue(bytes);
      },
    });
  }
}

function isForeign(text: string): boolean {
  const value = parseJson(text);
  return isFields(value) && !("choices" in value) && !("error" in value);
}

async function beginning(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const bytes of response.body ?? []) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > MAX_REFUSAL) break;
  }
  return text;
}

type Parameters = OpenAIClient.Chat.ChatCompletionCreateParamsStreaming;
type Format = OpenAIClient.ResponseFormatJSONObject | OpenAIClient.ResponseFormatJSONSchema;
type Fields = ConstructorParameters<typeof ChatOpenAICompletions>[0];

/** Longer than our own time limits, which apply instead of the library's timeout. */
const MAX_TIMEOUT_MS = 2_000_000_000;

/** Loading the library takes 100 ms. Call this before the time limits of a call start. */
export const loadClient = () => import("@langchain/openai");

/** Bypasses parts of the library, because they drop chunks without choices and arguments that are not JSON. */
export async function streamChunks(
  request: ChatRequest & { readonly model: string },
  exchange: HttpExchange,
  capabilities: ServerCapabilities,
): Promise<AsyncIterable<unknown>> {
  const client = new (await loadClient()).ChatOpenAICompletions(fieldsFor(exchange, request));
  const { messages, tools, toolChoice, schema } = adaptRequest(request, capabilities);
  const params = client.invocationParams(
    {
      ...(tools.length > 0 && {
        tools: tools.map(({ name, description, parameters }) => ({
          type: "function" as const,
          function: { name, description, parameters },
        })),
      }),
      ...(tools.length > 0 && toolChoice !== "auto" && capabilities.toolChoice && { tool_choice: toolChoice }),
    },
    { streaming: true },
  );
  const format = schema === null ? {} : formatFor(schema, capabilities);
  const body = { ...params, ...format, messages: messages.map(wireMessage), stream: true as const };
  return client.completionWithRetry(adaptParameters(body, request, capabilities), { signal: exchange.signal });
}

function adaptRequest(request: ChatRequest, { tools, schemas, roles }: ServerCapabilities): ChatRequest {
  const withTools = tools ? request : withToolsInText(request);
  const withSchema = schemas === "json_schema" ? withTools : withSchemaInText(withTools);
  return roles ? withSchema : withPlainRoles(withSchema);
}

/** Sets all fields that the library would otherwise read from the environment. */
function fieldsFor(exchange: HttpExchange, { model, maxOutputTokens }: ChatRequest): Fields {
  const { baseUrl, apiKey } = exchange.endpoint;
  return {
    model,
    apiKey: apiKey || "none",
    maxTokens: maxOutputTokens,
    maxRetries: 0,
    streamUsage: true,
    timeout: MAX_TIMEOUT_MS,
    configuration: {
      baseURL: baseUrl,
      organization: null,
      project: null,
      adminAPIKey: null,
      webhookSecret: null,
      logLevel: "off",
      fetch: (_, init) => exchange.send(init?.body),
    },
  };
}

function formatFor(schema: NonNullable<ChatRequest["schema"]>, { schemas }: ServerCapabilities): { response_format?: Format } {
  if (schemas === "none") return {};
  if (schemas === "json_object") return { response_format: { type: "json_object" } };
  return { response_format: { type: "json_schema", json_schema: { name: schema.name, schema: { ...schema.schema } } } };
}

function adaptParameters(params: Parameters, { maxOutputTokens }: ChatRequest, capabilities: ServerCapabilities): Parameters {
  const { max_tokens: _, max_completion_tokens: completion, stream_options: usage, ...rest } = params;
  const newer = capabilities.limitField === null ? completion != null : capabilities.limitField === "max_completion_tokens";
  return {
    ...rest,
    ...(newer ? { max_completion_tokens: maxOutputTokens } : { max_tokens: maxOutputTokens }),
    ...(capabilities.streamOptions && usage !== undefined && { stream_options: usage }),
  };
}

const TOOLS_INTRODUCTION = `You can call tools. To call some, answer with nothing but one JSON object of this form:
{"tool_calls":[{"name":"<name of the tool>","arguments":{<its arguments>}}]}
You are given their results in the next message. To answer without a tool, write plain text. The tools, each with the JSON Schema of its arguments:`;

const TOOL_NEEDED = "Now you must call at least one tool.";

function withToolsInText(request: ChatRequest): ChatRequest {
  const messages = request.messages.map(messageAsText);
  if (request.tools.length === 0 || request.toolChoice === "none") return { ...request, messages, tools: [] };
  const described = request.tools.map(({ name, description, parameters }) => `- ${name}: ${description}\n  ${JSON.stringify(parameters)}`);
  const needed = request.toolChoice === "required" ? [TOOL_NEEDED] : [];
  return { ...request, messages: afterSystem(messages, [TOOLS_INTRODUCTION, ...described, ...needed].join("\n")), tools: [] };
}

function withSchemaInText(request: ChatRequest): ChatRequest {
  if (request.schema === null) return request;
  const form = `Answer with nothing but one JSON object that fits this JSON Schema:\n${JSON.stringify(request.schema.schema)}`;
  return { ...request, messages: afterSystem(request.messages, form) };
}

function withPlainRoles(request: ChatRequest): ChatRequest {
  const messages: ChatMessage[] = [];
  for (const message of request.messages.map((one) => (one.role === "system" ? { ...one, role: "user" as const } : one))) {
    const last = messages.at(-1);
    if (message.role === "user" && last?.role === "user")
      messages[messages.length - 1] = { role: "user", content: `${last.content}\n\n${message.content}` };
    else messages.push(message);
  }
  return { ...request, messages };
}

function afterSystem(messages: readonly ChatMessage[], text: string): ChatMessage[] {
  const [first, ...rest] = messages;
  if (first?.role !== "system") return [{ role: "system", content: text }, ...messages];
  return [{ role: "system", content: `${first.content}\n\n${text}` }, ...rest];
}

function messageAsText(message: ChatMessage): ChatMessage {
  if (message.role === "tool") return { role: "user", content: `Result of the tool ${message.name}:\n${message.content}` };
  if (message.role !== "assistant" || message.toolCalls.length === 0) return message;
  const calls = message.toolCalls.map(({ name, arguments: text }) => ({ name, arguments: parseJson(text) ?? text }));
  const json = JSON.stringify({ tool_calls: calls });
  return { role: "assistant", content: message.content === "" ? json : `${message.content}\n${json}`, toolCalls: [] };
}

const MAX_NAME_LENGTH = 64;

function wireMessage(message: ChatMessage): OpenAIClient.Chat.ChatCompletionMessageParam {
  if (message.role === "tool") return { role: "tool", tool_call_id: message.callId, content: message.content };
  if (message.role !== "assistant") return { role: message.role, content: message.content };
  if (message.toolCalls.length === 0) return { role: "assistant", content: message.content };
  return { role: "assistant", content: message.content === "" ? null : message.content, tool_calls: message.toolCalls.map(wireCall) };
}

function wireCall({ id, name, arguments: text }: ModelToolCall) {
  return { id, type: "function" as const, function: { name: wireName(name), arguments: wireArguments(text) } };
}

/** Servers refuse a history with an invalid tool name, which a model may have made up. */
function wireName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, MAX_NAME_LENGTH) || "unnamed";
}

/** Servers refuse a history with tool arguments that are not JSON. */
function wireArguments(text: string): string {
  return isFields(parseJson(text)) ? text : JSON.stringify({ unreadable_arguments: text });
}
