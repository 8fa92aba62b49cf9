import type { Body, NeutralMessage, NeutralRequest } from "../neutral.ts";
import { firstRefusal, type Provider, type ProviderRefusal } from "../provider.ts";
import { numberIn, objectIn, objectsIn, stringIn } from "../values.ts";
import { promptTokensOf, wireOf } from "../wire.ts";
import { ollamaFormat } from "./frames.ts";
import { readOllama } from "./read.ts";

export interface OllamaOptions {
  /** If given, other models are refused with 404. */
  readonly models?: readonly string[];
  readonly tools?: boolean;
  readonly thinking?: boolean;
  /** How many tokens it gives a prompt if the request does not say; 4,096 by default. */
  readonly numCtx?: number;
  /** How many the model could have; 131,072 by default. */
  readonly contextLength?: number;
}

const DEFAULT_NUM_CTX = 4096;
const CONTEXT_LENGTH = 131_072;
const ROLES = ["system", "user", "assistant", "tool"];

/** Ollama's chat. */
export function ollama({
  models,
  tools = true,
  thinking = true,
  numCtx = DEFAULT_NUM_CTX,
  contextLength = CONTEXT_LENGTH,
}: OllamaOptions = {}): Provider {
  const limitOf = ({ body }: NeutralRequest) => Math.min(numberIn(objectIn(body["options"])["num_ctx"]) ?? numCtx, contextLength);
  const format = ollamaFormat(limitOf);
  const knows = (model: string) => models === undefined || models.some((name) => name === model || name === `${model}:latest`);
  return {
    basePath: "",
    asksModel: (path) => path === "/api/chat",
    read: ({ body }) => cut(readOllama(body), limitOf),
    refuse,
    refusalOf({ body }, { model, tools: offered }) {
      return firstRefusal<ProviderRefusal>([
        () => (model === "" ? refuse(400, "model is required") : undefined),
        () => (knows(model) ? undefined : refuse(404, `model '${model}' not found`)),
        () => (offered.length > 0 && !tools ? refuse(400, `${noRegistry(model)} does not support tools`) : undefined),
        () =>
          body["think"] !== undefined && body["think"] !== false && !thinking
            ? refuse(400, `"${model}" does not support thinking`)
            : undefined,
        () => wrong(formatFault(body)),
        () => wrong(messagesFault(body)),
      ]);
    },
    wire: (behavior, accepted) => wireOf(format, behavior, accepted),
    answer(route, body) {
      const names = models ?? ["scripted:latest"];
      if (route === "GET /api/version") return { version: "0.14.0" };
      if (route === "GET /api/tags")
        return { models: names.map((name) => ({ name, model: name, size: 1, digest: "scripted", details: {} })) };
      if (route !== "POST /api/show" || !knows(stringIn(body["model"]))) return undefined;
      return {
        parameters: `num_ctx ${numCtx}`,
        details: { format: "gguf", family: "scripted" },
        model_info: { "general.architecture": "scripted", "scripted.context_length": contextLength },
        capabilities: ["completion", ...(tools ? ["tools"] : []), ...(thinking ? ["thinking"] : [])],
      };
    },
  };
}

const refuse = (status: number, message: string): ProviderRefusal => ({ status, message, body: { error: message } });

const wrong = (message: string | undefined) => (message === undefined ? undefined : refuse(400, message));

const noRegistry = (model: string) => `registry.ollama.ai/library/${model}`;

function formatFault({ format }: Body): string | undefined {
  if (format === undefined || format === "" || format === "json") return undefined;
  return typeof format === "object" && format !== null
    ? undefined
    : `invalid format: ${JSON.stringify(format)}; expected "json" or a JSON schema`;
}

function messagesFault(body: Body): string | undefined {
  for (const { role, content, tool_calls: calls } of objectsIn(body["messages"])) {
    if (!ROLES.includes(stringIn(role))) return `invalid role: ${stringIn(role)}, it must be one of [system, user, assistant, tool]`;
    if (content !== undefined && content !== null && typeof content !== "string")
      return "json: cannot unmarshal array into Go struct field ChatRequest.messages.content of type string";
    if (objectsIn(calls).some((call) => typeof objectIn(call["function"])["arguments"] === "string"))
      return "json: cannot unmarshal string into Go struct field ChatRequest.messages.tool_calls.function.arguments of type map";
  }
  return undefined;
}

/** Returns the request as the model sees it: the first messages are dropped until the rest fits; the last one always stays. */
function cut(neutral: NeutralRequest, limitOf: (neutral: NeutralRequest) => number): NeutralRequest {
  const limit = limitOf(neutral);
  let messages: readonly NeutralMessage[] = neutral.messages;
  while (messages.length > 1 && promptTokensOf({ ...neutral, messages }) > limit) messages = messages.slice(1);
  return messages.length === neutral.messages.length ? neutral : { ...neutral, messages };
}
