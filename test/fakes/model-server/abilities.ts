import { z } from "zod";
import { promptTokens } from "./count-tokens.ts";
import { firstOf, invalid, type Refusal } from "./refusal.ts";

/** What the server supports and allows; by default everything, for every client. */
export const AbilitiesSchema = z.strictObject({
  /** `false` refuses requests with `tools`, in Ollama's words; `vllm` in vLLM's. */
  tools: z.union([z.boolean(), z.literal("vllm")]).optional(),
  schemas: z.boolean().optional(),
  streamOptions: z.boolean().optional(),
  /** The only accepted key, as a bearer token. */
  requireKey: z.string().optional(),
  /** The list of `GET /v1/models`; if given, other models are refused with 404. */
  models: z.array(z.string()).optional(),
  /** The limit for the roughly counted tokens of the prompt plus the requested tokens. */
  maxContextTokens: z.number().int().positive().optional(),
});
export type Abilities = z.infer<typeof AbilitiesSchema>;

type Body = Readonly<Record<string, unknown>>;

/** Refuses requests without the key. */
export function keyRefusal({ requireKey }: Abilities, authorization: string | undefined): Refusal | undefined {
  if (requireKey === undefined || authorization === `Bearer ${requireKey}`) return undefined;
  const error = { message: "Incorrect API key provided.", type: "invalid_request_error", param: null, code: "invalid_api_key" };
  return { status: 401, error };
}

/** Refuses features that OpenAI's server has and this one does not. */
export function abilityRefusal(abilities: Abilities, body: Body): Refusal | undefined {
  return firstOf([
    modelRefusal(abilities, body),
    toolsRefusal(abilities, body),
    formRefusal(abilities, body),
    lengthRefusal(abilities, body),
  ]);
}

function modelRefusal({ models }: Abilities, { model }: Body): Refusal | undefined {
  if (models === undefined || models.includes(String(model))) return undefined;
  const error = {
    message: `The model '${String(model)}' does not exist.`,
    type: "invalid_request_error",
    param: null,
    code: "model_not_found",
  };
  return { status: 404, error };
}

function toolsRefusal({ tools }: Abilities, body: Body): Refusal | undefined {
  if (body["tools"] === undefined || tools === undefined || tools === true) return undefined;
  if (tools === false) return invalid(`${String(body["model"])} does not support tools`);
  return invalid('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set');
}

function formRefusal({ schemas, streamOptions }: Abilities, body: Body): Refusal | undefined {
  const format = body["response_format"] as { type?: unknown } | undefined;
  if (schemas === false && format?.type === "json_schema")
    return invalid("Invalid 'response_format': type 'json_schema' is not supported with this model.", "response_format");
  if (streamOptions === false && body["stream_options"] !== undefined)
    return invalid("Unrecognized request argument supplied: stream_options", "stream_options");
  return undefined;
}

function lengthRefusal({ maxContextTokens }: Abilities, body: Body): Refusal | undefined {
  if (maxContextTokens === undefined) return undefined;
  const asked = promptTokens(body) + (Number(body["max_completion_tokens"] ?? body["max_tokens"] ?? 0) || 0);
  if (asked <= maxContextTokens) return undefined;
  const message = `This model's maximum context length is ${maxContextTokens} tokens. However, the messages and the answer need ${asked}.`;
  return invalid(message, "messages", "context_length_exceeded");
}
