import { expect, it } from "vitest";
import { KnownCapabilities, type ServerCapabilities } from "../../src/models/server-capabilities.ts";
import { REQUEST, tool } from "./model-under-test.ts";

const ASKED = { ...REQUEST, tools: [tool("look_up")], toolChoice: "required" as const, schema: { name: "a", schema: { type: "object" } } };

/** What one refusal adds to the default assumptions about a server. */
function lesson(status: number, message: string): Partial<ServerCapabilities> | null {
  const memory = new KnownCapabilities();
  const before = memory.of("m");
  const body = JSON.stringify({ error: { message } });
  if (!memory.learn("m", { status, headers: new Headers(), body }, ASKED)) return null;
  expect(memory.of("other")).toEqual(before);
  const entries = Object.entries(memory.of("m")).filter(([name, value]) => before[name as keyof ServerCapabilities] !== value);
  return Object.fromEntries(entries);
}

it.each([
  [400, "registry.ollama.ai/library/gemma:2b does not support tools"],
  [400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'],
  [404, "No endpoints found that support tool use. To learn more about provider routing, see the manual."],
  [500, "tools param requires --jinja flag"],
  [400, "deepseek-reasoner does not support Function Calling"],
  [422, "tools: Extra inputs are not permitted"],
  [400, "Unrecognized request argument supplied: tools"],
])("learns from %i that a model has no tools: %s", (status, message) => {
  expect(lesson(status, message)).toEqual({ tools: false });
});

it.each([
  [400, "This response_format type is unavailable now", { schemas: "json_object" }],
  [
    400,
    "'response_format.type' : value is not one of the allowed values ['text','json_object']; json_schema is unsupported",
    { schemas: "json_object" },
  ],
  [422, "body.stream_options: Extra inputs are not permitted", { streamOptions: false }],
  [400, "Unrecognized request argument supplied: max_completion_tokens", { limitField: "max_tokens" }],
  [400, "deepseek-reasoner does not support this tool_choice", { toolChoice: false }],
  [400, "System role not supported", { roles: false }],
  [400, "Conversation roles must alternate user/assistant/user/assistant/...", { roles: false }],
  [500, "Developer instruction and system messages are not allowed for this model", { roles: false }],
])("learns other limits, too, from %i: %s", (status, message, expected) => {
  expect(lesson(status, message)).toEqual(expected);
});

it.each([
  [400, "Tool call validation failed: parameters for tool look_up did not match schema: errors: [additionalProperties 'foo' not allowed]"],
  [400, "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."],
  [400, "max_tokens is too large: 100000. This model supports at most 16384 completion tokens."],
  [400, "This model's maximum context length is 8192 tokens, your request requires 9000."],
  [401, "Unsupported key for tools"],
  [404, "The model `qwen` does not exist or is not available to you."],
])("learns nothing from %i: %s", (status, message) => {
  expect(lesson(status, message)).toBeNull();
});
