import { invalid, type Refusal } from "../../model-server/refusal.ts";
import type { Body } from "../neutral.ts";
import { findKeyword, nodesOf } from "../schemas.ts";
import { objectIn, objectsIn, stringIn, unknownKeys } from "../values.ts";

const FIELDS = [
  ...["model", "messages", "tools", "tool_choice", "parallel_tool_calls", "functions", "function_call", "response_format"],
  ...["max_tokens", "max_completion_tokens", "temperature", "top_p", "n", "stop", "seed", "logit_bias", "logprobs", "top_logprobs"],
  ...["frequency_penalty", "presence_penalty", "stream", "stream_options", "user", "store", "metadata", "modalities", "audio"],
  ...["prediction", "reasoning_effort", "verbosity", "service_tier", "web_search_options", "safety_identifier", "moderation"],
  ...["prompt_cache_key", "prompt_cache_retention", "prompt_cache_options"],
];
const MESSAGE_FIELDS = ["role", "content", "name", "tool_calls", "tool_call_id", "refusal", "audio", "function_call", "annotations"];
const CALL_FIELDS = ["id", "type", "function", "custom"];
const REASONING_MODEL = /^(?:o\d|gpt-[5-9](?!-chat))/;
const MAX_ID_CHARACTERS = 40;
/** What a strict schema must not have. */
const NOT_STRICT = ["allOf", "not", "dependentRequired", "dependentSchemas", "if", "then", "else", "patternProperties", "oneOf"];

/** Returns why OpenAI's server would refuse a field of the request; undefined if it would not. */
export function fieldFault(body: Body): Refusal | undefined {
  return unknownFault(body) ?? reasoningModelFault(body) ?? strictFault(body);
}

function unknownFault(body: Body): Refusal | undefined {
  const [key] = [
    ...unknownKeys(body, FIELDS),
    ...objectsIn(body["messages"]).flatMap((message, at) => messageKeys(message).map((name) => `messages[${at}].${name}`)),
  ];
  return key === undefined ? longIdFault(body) : invalid(`Unknown parameter: '${key}'.`, key, "unknown_parameter");
}

const messageKeys = (message: Body): string[] => [
  ...unknownKeys(message, MESSAGE_FIELDS),
  ...objectsIn(message["tool_calls"]).flatMap((call, at) => unknownKeys(call, CALL_FIELDS).map((name) => `tool_calls[${at}].${name}`)),
];

function longIdFault(body: Body): Refusal | undefined {
  const ids = objectsIn(body["messages"]).flatMap(({ tool_calls: calls }) => objectsIn(calls).map(({ id }) => stringIn(id)));
  const long = ids.find((id) => id.length > MAX_ID_CHARACTERS);
  return long === undefined
    ? undefined
    : invalid(
        `The id of a call is too long: at most ${MAX_ID_CHARACTERS} characters, got ${long.length}.`,
        "messages",
        "string_above_max_length",
      );
}

function reasoningModelFault(body: Body): Refusal | undefined {
  if (!REASONING_MODEL.test(stringIn(body["model"]))) return undefined;
  if (body["max_tokens"] !== undefined)
    return invalid(
      "Unsupported parameter: this model takes 'max_completion_tokens' instead of 'max_tokens'.",
      "max_tokens",
      "unsupported_parameter",
    );
  if (body["temperature"] !== undefined && body["temperature"] !== 1)
    return invalid("Unsupported value: this model takes 'temperature' 1 only.", "temperature", "unsupported_value");
  return undefined;
}

/** Schemas are only checked where `strict` is sent. */
function strictFault(body: Body): Refusal | undefined {
  const asked = objectIn(objectIn(body["response_format"])["json_schema"]);
  const tools = objectsIn(body["tools"]).map(({ function: tool }) => objectIn(tool));
  const strict = [
    {
      schema: asked["strict"] === true ? asked["schema"] : undefined,
      what: `response_format '${stringIn(asked["name"])}'`,
      param: "response_format",
    },
    ...tools.map((tool, at) => ({
      schema: tool["strict"] === true ? tool["parameters"] : undefined,
      what: `function '${stringIn(tool["name"])}'`,
      param: `tools[${at}].function.parameters`,
    })),
  ];
  for (const { schema, what, param } of strict) {
    const fault = strictSchemaFault(schema);
    if (fault !== undefined)
      return invalid(`Invalid schema for ${what}: ${fault}`, param, param === "response_format" ? null : "invalid_function_parameters");
  }
  return undefined;
}

function strictSchemaFault(root: unknown): string | undefined {
  const found = findKeyword(root, NOT_STRICT);
  if (found) return `In context=${placeOf(found.path)}, '${found.keyword}' is not permitted.`;
  for (const { schema, path } of nodesOf(root)) {
    const types = [schema["type"]].flat();
    if (!types.includes("object")) continue;
    if (schema["additionalProperties"] !== false)
      return `In context=${placeOf(path)}, 'additionalProperties' has to be there and has to be false.`;
    const required: unknown[] = Array.isArray(schema["required"]) ? schema["required"] : [];
    const missing = Object.keys(objectIn(schema["properties"])).find((name) => !required.includes(name));
    if (missing !== undefined) return `In context=${placeOf(path)}, 'required' has to list every property. Missing '${missing}'.`;
  }
  return undefined;
}

const placeOf = (path: readonly (string | number)[]) => `(${path.map((step) => `'${step}'`).join(", ")})`;
