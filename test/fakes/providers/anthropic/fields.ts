import type { Body } from "../neutral.ts";
import { firstRefusal } from "../provider.ts";
import { findKeyword, nodesOf } from "../schemas.ts";
import { numberIn, objectIn, objectsIn, stringIn, unknownKeys } from "../values.ts";

const FIELDS = [
  ...["model", "messages", "system", "max_tokens", "stream", "tools", "tool_choice", "thinking", "temperature", "top_p", "top_k"],
  ...["stop_sequences", "metadata", "service_tier", "output_config", "container", "context_management", "mcp_servers"],
  ...["cache_control", "inference_geo"],
];
const NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const COMPOSITIONS = ["oneOf", "anyOf", "allOf"];
/** What the schema of an answer, or of a strict tool, must not have. */
const NOT_CONSTRAINED = [
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength", "maxLength", "maxItems", "uniqueItems"],
  ...["minProperties", "maxProperties", "patternProperties", "oneOf", "not", "if"],
];
const MIN_BUDGET = 1024;

/** Returns why Anthropic refuses a field of the request; undefined if it does not. */
export function fieldFault(body: Body): string | undefined {
  return firstRefusal<string>([
    () => unknownKeys(body, FIELDS).map((key) => `${key}: Extra inputs are not permitted`)[0],
    () => ["model", "max_tokens", "messages"].filter((key) => body[key] === undefined).map((key) => `${key}: Field required`)[0],
    () => (Number(body["max_tokens"]) >= 1 ? undefined : "max_tokens: Input should be greater than or equal to 1"),
    () => (body["system"] === "" ? "system: text content blocks must be non-empty" : undefined),
    () =>
      objectsIn(body["tools"])
        .map(toolFault)
        .find((fault) => fault !== undefined),
    () => choiceFault(body),
    () => thinkingFault(body),
    () => formatFault(body),
  ]);
}

function toolFault({ name, input_schema: schema, strict }: Body, at: number): string | undefined {
  const where = `tools.${at}.custom`;
  if (!NAME.test(stringIn(name))) return `${where}.name: String should match pattern '${NAME.source}'`;
  const root = objectIn(schema);
  if (root["type"] !== "object") return `${where}.input_schema.type: Field required`;
  if (COMPOSITIONS.some((key) => root[key] !== undefined))
    return `${where}.input_schema: oneOf, allOf and anyOf are not supported at the top level`;
  return strict === true ? constrainedFault(root, where) : undefined;
}

function choiceFault(body: Body): string | undefined {
  const choice = objectIn(body["tool_choice"]);
  if (body["tool_choice"] === undefined || choice["type"] === "none") return undefined;
  const names = objectsIn(body["tools"]).map(({ name }) => name);
  if (names.length === 0) return "tool_choice: it may only be specified while providing tools";
  if (choice["type"] === "tool" && !names.includes(choice["name"])) return `tool_choice: no tool is named '${stringIn(choice["name"])}'`;
  return undefined;
}

function thinkingFault(body: Body): string | undefined {
  const { type, budget_tokens: budget } = objectIn(body["thinking"]);
  if (type !== "enabled" && type !== "adaptive") return undefined;
  const choice = objectIn(body["tool_choice"])["type"];
  if (choice === "any" || choice === "tool") return "Thinking may not be enabled when tool_choice forces the use of a tool.";
  if (body["temperature"] !== undefined && body["temperature"] !== 1) return "`temperature` may only be 1 when thinking is enabled.";
  if (type === "adaptive") return undefined;
  const tokens = numberIn(budget) ?? 0;
  if (tokens < MIN_BUDGET) return `thinking.enabled.budget_tokens: Input should be at least ${MIN_BUDGET}`;
  return tokens < Number(body["max_tokens"]) ? undefined : "`max_tokens` must be greater than `thinking.budget_tokens`.";
}

function formatFault(body: Body): string | undefined {
  const format = objectIn(objectIn(body["output_config"])["format"]);
  return format["type"] === "json_schema" ? constrainedFault(format["schema"], "output_config.format.schema") : undefined;
}

function constrainedFault(root: unknown, where: string): string | undefined {
  const found = findKeyword(root, NOT_CONSTRAINED);
  if (found) return `${where}: For '${stringIn(found.schema["type"])}' type, property '${found.keyword}' is not supported`;
  for (const { schema } of nodesOf(root)) {
    if (schema["type"] === "object" && schema["additionalProperties"] !== false)
      return `${where}: For 'object' type, 'additionalProperties' must be set to false`;
    if (schema["type"] === "array" && Number(schema["minItems"] ?? 0) > 1)
      return `${where}: For 'array' type, 'minItems' values other than 0 or 1 are not supported`;
  }
  return undefined;
}
