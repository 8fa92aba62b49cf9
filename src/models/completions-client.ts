import type { ChatOpenAICompletions, OpenAIClient } from "@langchain/openai";
import type { ChatRequest } from "../domain/chat.ts";
import type { ModelEndpoint } from "./endpoint.ts";
import { withPlainRoles, withSchemaInText, withToolsInText } from "./protocol-in-text.ts";
import type { Skills } from "./skills.ts";
import type { Wire } from "./wire.ts";
import { wireMessage, wireTool } from "./wire-messages.ts";

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
