import type { Readable } from "node:stream";
import { createParser, type EventSourceParser } from "eventsource-parser";
import type { ChatMessage, ChatRequest, ModelToolCall } from "../domain/chat.ts";
import type { WhileWaiting } from "../domain/ports/effects.ts";
import { bodyStream } from "../util/body-stream.ts";
import { isFields, parseJson } from "../util/json-fields.ts";
import type { Refusal, ServerCapabilities } from "./server-capabilities.ts";

/** Follows no redirects. Rejects with an error that has a system code such as `ECONNREFUSED`. */
type ModelFetch = (
  url: string,
  init: {
    readonly method: "GET" | "POST";
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string | Readable;
    readonly signal: AbortSignal;
  },
) => Promise<Response>;

export interface ModelEndpoint {
  readonly baseUrl: string;
  readonly apiKey?: string | undefined;
  /** The ways to write the key, if it is a secret. */
  readonly secrets?: readonly string[];
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
  readonly whileWaiting: WhileWaiting;
}

/** One request, what the server refused, and whether its answer arrived as a whole. */
export class HttpExchange {
  refusal: Refusal | null = null;
  /** Whether the answer is complete, because it ended with `[DONE]` or is one JSON object. */
  whole = false;
  readonly endpoint: ModelEndpoint;
  readonly signal: AbortSignal;
  readonly whileWaiting: WhileWaiting;
  readonly #answer: KeptAnswer;

  constructor(endpoint: ModelEndpoint, signal: AbortSignal, answer: KeptAnswer) {
    this.endpoint = endpoint;
    this.signal = signal;
    this.#answer = answer;
    this.whileWaiting = answer.whileWaiting;
  }

  async send(body: Readable): Promise<Response> {
    const { kept } = this.#answer;
    if (kept !== null) {
      this.whole = true;
      return new Response(Buffer.from(kept), { headers: EVENT_STREAM });
    }
    const post = { method: "POST", headers: headersFor(this.endpoint), body, signal: this.signal } as const;
    const response = await this.whileWaiting(() => this.endpoint.fetch(addressOf(this.endpoint, "chat/completions"), post));
    const type = response.headers.get("content-type") ?? "";
    if (!response.ok || /html/i.test(type)) return this.#refused(response);
    if (/json/i.test(type)) return this.#asStream(await this.whileWaiting(() => response.text()), response);
    return new Response(response.body?.pipeThrough(this.#watchEnd()) ?? null, { headers: EVENT_STREAM });
  }

  async #refused(response: Response): Promise<Response> {
    this.refusal = { status: response.status, headers: response.headers, body: await this.whileWaiting(() => beginning(response)) };
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

/** @throws Error if the server refuses; `exchange.refusal` then has its answer */
export async function* streamChunks(
  request: ChatRequest & { readonly model: string },
  exchange: HttpExchange,
  capabilities: ServerCapabilities,
): AsyncGenerator<unknown> {
  const response = await exchange.send(bodyStream(JSON.stringify(bodyOf(request, capabilities))));
  if (exchange.refusal !== null) throw new Error("The server refused the request.");
  const events = (response.body ?? emptyBody()).pipeThrough(new TextDecoderStream()).pipeThrough(readEvents());
  const iterator = events[Symbol.asyncIterator]();
  const next = () => exchange.whileWaiting(() => iterator.next());
  try {
    for (let event = await next(); event.done !== true && !event.value.startsWith("[DONE]"); event = await next()) {
      yield JSON.parse(event.value);
    }
  } finally {
    await iterator.return?.();
  }
}

function emptyBody(): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new Blob([]).stream();
}

/** Yields the data of events. The stream of the library would make an error of each other line, which takes seconds for a megabyte. */
function readEvents(): TransformStream<string, string> {
  let parser: EventSourceParser;
  return new TransformStream({
    start: (controller) => {
      parser = createParser({ onEvent: ({ data }) => controller.enqueue(data) });
    },
    transform: (text) => parser.feed(text),
    // Some servers leave out the empty line after the last event.
    flush: () => parser.feed("\n\n"),
  });
}

function bodyOf(request: ChatRequest & { readonly model: string }, capabilities: ServerCapabilities): object {
  const { messages, tools, toolChoice, schema } = adaptRequest(request, capabilities);
  const functions = tools.map(({ name, description, parameters }) => ({ type: "function", function: { name, description, parameters } }));
  return {
    model: request.model,
    ...(functions.length > 0 && { tools: functions }),
    ...(functions.length > 0 && toolChoice !== "auto" && capabilities.toolChoice && { tool_choice: toolChoice }),
    ...(schema !== null && formatFor(schema, capabilities)),
    [capabilities.limitField ?? limitFieldFor(request.model)]: request.maxOutputTokens,
    ...(capabilities.streamOptions && { stream_options: { include_usage: true } }),
    messages: messages.map(wireMessage),
    stream: true,
  };
}

/** OpenAI's reasoning models refuse `max_tokens`, and many other servers do not know the newer field. */
function limitFieldFor(model: string): "max_tokens" | "max_completion_tokens" {
  return /^(?:o\d|gpt-[56](?!-chat))/.test(model) ? "max_completion_tokens" : "max_tokens";
}

function adaptRequest(request: ChatRequest, { tools, schemas, roles }: ServerCapabilities): ChatRequest {
  const withTools = tools ? request : withToolsInText(request);
  const withSchema = schemas === "json_schema" ? withTools : withSchemaInText(withTools);
  return roles ? withSchema : withPlainRoles(withSchema);
}

function formatFor(schema: NonNullable<ChatRequest["schema"]>, { schemas }: ServerCapabilities): object {
  if (schemas === "none") return {};
  if (schemas === "json_object") return { response_format: { type: "json_object" } };
  return { response_format: { type: "json_schema", json_schema: { name: schema.name, schema: { ...schema.schema } } } };
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

function wireMessage(message: ChatMessage): object {
  if (message.role === "tool") return { role: "tool", tool_call_id: message.callId, content: message.content };
  if (message.role !== "assistant") return { role: message.role, content: message.content };
  if (message.toolCalls.length === 0) return { role: "assistant", content: message.content };
  return { role: "assistant", content: message.content === "" ? null : message.content, tool_calls: message.toolCalls.map(wireCall) };
}

function wireCall({ id, name, arguments: text }: ModelToolCall) {
  return { id, type: "function", function: { name: wireName(name), arguments: wireArguments(text) } };
}

/** Servers refuse a history with an invalid tool name, which a model may have made up. */
function wireName(name: string): string {
  return name.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, MAX_NAME_LENGTH) || "unnamed";
}

/** Servers refuse a history with tool arguments that are not JSON. */
function wireArguments(text: string): string {
  return isFields(parseJson(text)) ? text : JSON.stringify({ unreadable_arguments: text });
}
