import { LRUCache } from "lru-cache";
import type { Attached, ChatMessage, ChatRequest } from "../domain/chat.ts";
import type { JsonValue } from "../domain/json.ts";
import { isFields, parseJson } from "../util/json-fields.ts";
import type { CountedPrompt } from "./sizes.ts";

const MAX_MODELS = 200;

interface Known {
  readonly form: Form;
  /** Set after a refusal that no form mended, until a call succeeds. */
  readonly hopeless: boolean;
  /** The latest prompts with the server's count of their tokens. */
  readonly prompts: readonly CountedPrompt[];
  /** The size of the context, if the server's counts or refusals told it. */
  readonly contextTokens: number | null;
}

const UNKNOWN: Known = { form: [], hopeless: false, prompts: [], contextTokens: null };

/** What this process learnt of models, by server and model. */
export class KnownModels {
  readonly #models = new LRUCache<string, Known>({ max: MAX_MODELS });

  of(model: string): Known {
    return this.#models.get(model) ?? UNKNOWN;
  }

  learn(model: string, known: Partial<Known>): void {
    this.#models.set(model, { ...this.of(model), ...known });
  }
}

/** Statuses that never mean a form: the key, the money, the address, the rate. */
const NEVER: readonly number[] = [401, 402, 403, 404, 408, 409, 413, 425, 429];

/**
 * Whether a refusal with this status may be one of the request's form. 0 stands for an error that names no status. One that may be
 * passing, as a 500 or an error within an answer, has to come twice.
 */
export function mayRefuseForm(status: number, { failed, mayPass }: { readonly failed: number; readonly mayPass: boolean }): boolean {
  if (status === 500 || (status === 0 && mayPass)) return failed > 0;
  return status === 0 || status === 501 || (status >= 400 && status < 500 && !NEVER.includes(status));
}

/** The simpler forms of a request, each once: first every step alone, then one after the other together. */
export function simplerForms(request: ChatRequest, known: Form): Form[] {
  const open = STEPS.filter((step) => !known.includes(step) && changes(request, step));
  const together = open.slice(1).map((_, at) => open.slice(0, at + 2));
  return [...open.map((step) => [step]), ...together].map((steps) => [...known, ...steps]);
}

/** The forms in which a request can be made simpler, the least costly first. */
const STEPS = ["plainSchemas", "schemaInText", "singleCalls", "plainRoles", "nothingAttached", "fewFields", "toolsInText"] as const;
type Step = (typeof STEPS)[number];
export type Form = readonly Step[];

/** Returns the request in this form. `fewFields` is also for the fetch, which leaves out what the library adds. */
export function inForm(request: ChatRequest, form: Form): ChatRequest {
  return STEPS.filter((step) => form.includes(step)).reduce((simpler, step) => SIMPLER[step](simpler), request);
}

/** Whether the step makes this request simpler. `fewFields` always does. */
function changes(request: ChatRequest, step: Step): boolean {
  return step === "fewFields" || JSON.stringify(SIMPLER[step](request)) !== JSON.stringify(request);
}

const SIMPLER: Readonly<Record<Step, (request: ChatRequest) => ChatRequest>> = {
  plainSchemas: (request) => ({
    ...request,
    tools: request.tools.map((tool) => ({ ...tool, parameters: plainSchema(tool.parameters) as typeof tool.parameters })),
    schema: request.schema && { ...request.schema, schema: plainSchema(request.schema.schema) as typeof request.schema.schema },
  }),
  schemaInText: withSchemaInText,
  singleCalls: withSingleCalls,
  plainRoles: withPlainRoles,
  nothingAttached: (request) => keepAttached(request, () => false),
  fewFields: (request) => ({ ...request, toolChoice: request.toolChoice === "required" ? "auto" : request.toolChoice }),
  toolsInText: withToolsInText,
};

/** Leaves out what providers attached to messages, unless it is to be kept. */
export function keepAttached(request: ChatRequest, isKept: (attached: Attached) => boolean): ChatRequest {
  const messages = request.messages.map((message) => {
    if (message.role !== "assistant" || message.attached === undefined || isKept(message.attached)) return message;
    const { attached: _, ...said } = message;
    return said;
  });
  return { ...request, messages };
}

/** What all servers know of JSON Schema: no bounds, patterns or formats, and one type for each value. */
const PLAIN_KEYS: ReadonlySet<string> = new Set(["type", "enum", "items", "anyOf", "required", "description", "title"]);

function plainSchema(schema: unknown): JsonValue {
  if (Array.isArray(schema)) return schema.map(plainSchema);
  if (!isFields(schema)) return schema as JsonValue;
  const plain: Record<string, JsonValue> = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === "const") plain["enum"] = [value as JsonValue];
    else if (key === "type" && Array.isArray(value)) plain[key] = value.find((type) => type !== "null") ?? "null";
    else if (key === "oneOf") plain["anyOf"] = plainSchema(value);
    else if (key === "properties" || key === "$defs") plain[key] = plainProperties(value);
    else if (PLAIN_KEYS.has(key) || key === "$ref")
      plain[key] = key === "items" || key === "anyOf" ? plainSchema(value) : (value as JsonValue);
  }
  return plain;
}

function plainProperties(properties: unknown): JsonValue {
  return Object.fromEntries(Object.entries(properties as object).map(([name, schema]) => [name, plainSchema(schema)]));
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

/** Also for providers whose class takes no schema. */
export function withSchemaInText(request: ChatRequest): ChatRequest {
  if (request.schema === null) return request;
  const form = `Answer with nothing but one JSON object that fits this JSON Schema:\n${JSON.stringify(request.schema.schema)}`;
  return { ...request, messages: afterSystem(request.messages, form), schema: null };
}

/** Each call in a message of its own with its result after it, as if they had been made one after the other. */
function withSingleCalls(request: ChatRequest): ChatRequest {
  const messages: ChatMessage[] = [];
  const parallel = new Set<string>();
  for (const message of request.messages) {
    if (message.role === "tool" && parallel.has(message.callId)) continue;
    if (message.role !== "assistant" || message.toolCalls.length < 2) {
      messages.push(message);
      continue;
    }
    for (const [at, call] of message.toolCalls.entries()) {
      parallel.add(call.id);
      const result = request.messages.filter((one) => one.role === "tool" && one.callId === call.id);
      messages.push({ ...message, content: at === 0 ? message.content : "", toolCalls: [call] }, ...result);
    }
  }
  return { ...request, messages };
}

/** No system message, user and assistant by turns, and tool calls only after the last question and if tools are offered. */
function withPlainRoles(request: ChatRequest): ChatRequest {
  const lastQuestion = request.messages.findLastIndex(({ role }) => role === "user");
  const messages: ChatMessage[] = [];
  for (const [at, sent] of request.messages.entries()) {
    const isPast = at < lastQuestion || request.tools.length === 0;
    const message = isPast ? messageAsText(sent) : sent;
    const plain = message.role === "system" ? { role: "user" as const, content: message.content } : message;
    const last = messages.at(-1);
    if (plain.role === "user" && last?.role === "user")
      messages[messages.length - 1] = { role: "user", content: `${last.content}\n\n${plain.content}` };
    else messages.push(plain);
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
