import { expect, it } from "vitest";
import * as say from "./model-server/behaviors.ts";
import type { ModelServerOptions } from "./model-server/serve.ts";
import { startModelServer } from "./model-server.ts";

const call = (id: string, name = "look_up") => ({ id, type: "function", function: { name, arguments: "{}" } });
const asks = (...ids: string[]) => ({ role: "assistant", content: null, tool_calls: ids.map((id) => call(id)) });
const result = (id: string) => ({ role: "tool", tool_call_id: id, content: "结果" });
const tool = (name: string, parameters?: object) => ({ type: "function", function: { name, ...(parameters && { parameters }) } });
const USER = { role: "user", content: "你好" };

/** Returns the answer of a server with these options to one request. */
async function answer(request: object, options: ModelServerOptions = {}, headers: Record<string, string> = {}) {
  const server = await startModelServer([say.text("好")], options);
  const body = JSON.stringify({ model: "m", messages: [USER], ...request });
  const response = await fetch(`${server.url}/chat/completions`, { method: "POST", headers, body });
  const { error } = (await response.json()) as { error?: { message: string; type: string; code: string | null; param: string | null } };
  return { status: response.status, error, server };
}

it.each<[string, readonly object[]]>([
  ["a result for every call", [USER, asks("a", "b"), result("b"), result("a"), USER]],
  ["two turns with the same ids", [USER, asks("0"), result("0"), asks("0"), result("0")]],
  ["an assistant without words but with a call", [USER, asks("a"), result("a")]],
  ["an assistant with an empty text", [USER, { role: "assistant", content: "" }, USER]],
])("accepts a history with %s", async (_, messages) => {
  expect(await answer({ messages })).toMatchObject({ status: 200, server: { refused: [] } });
});

it.each<[string, readonly object[], RegExp]>([
  ["a result without a call", [USER, result("a")], /none with id a/],
  ["a result of an earlier call after a user's message", [USER, asks("a"), result("a"), USER, result("a")], /none with id a/],
  ["a call without a result before the next message", [USER, asks("a", "b"), result("a"), USER], /Without a result: b/],
  ["a call without a result at the end", [USER, asks("甲")], /Without a result: 甲/],
  ["the same id twice", [USER, asks("a", "a"), result("a")], /Duplicate id/],
  ["an assistant with neither words nor calls", [USER, { role: "assistant", content: null }], /content or tool_calls/],
  ["an empty list of calls", [USER, { role: "assistant", content: "x", tool_calls: [] }], /at least one call/],
  ["a call of an invalid name", [USER, { role: "assistant", tool_calls: [call("a", "查 询")] }, result("a")], /must match/],
  ["an unknown role", [{ role: "observer", content: "x" }], /Invalid role/],
  ["no messages", [], /at least one message/],
])("refuses a history with %s, and uses up no entry of the script", async (_, messages, message) => {
  const { status, error, server } = await answer({ messages });
  expect(status).toBe(400);
  expect(error).toMatchObject({ type: "invalid_request_error", message: expect.stringMatching(message) });
  expect(server.refused).toEqual([error?.message]);
  expect(server.requests.map(({ refusal }) => refusal)).toEqual([error?.message]);
  const next = await fetch(`${server.url}/chat/completions`, { method: "POST", body: JSON.stringify({ model: "m", messages: [USER] }) });
  expect(next.status).toBe(200);
});

it.each<[string, object, RegExp]>([
  ["no model", { model: undefined }, /model parameter/],
  ["no tools in the list", { tools: [] }, /at least one tool/],
  ["a tool of an invalid name", { tools: [tool("查询", {})] }, /must match/],
  ["a tool without parameters", { tools: [tool("look_up")] }, /JSON schema object/],
  ["a choice among no tools", { tool_choice: "auto" }, /'tools' are specified/],
  ["stream options without a stream", { stream_options: { include_usage: true } }, /'stream' is enabled/],
  ["a JSON object that no message speaks of", { response_format: { type: "json_object" } }, /the word 'json'/],
  ["a schema without a name", { response_format: { type: "json_schema", json_schema: { schema: {} } } }, /name of the schema/],
])("refuses a request with %s", async (_, request, message) => {
  expect(await answer(request)).toMatchObject({ status: 400, error: { message: expect.stringMatching(message) } });
});

it.each<[string, ModelServerOptions, object, object]>([
  [
    "tools, in Ollama's words",
    { tools: false },
    { tools: [tool("f", {})] },
    { status: 400, error: { message: "m does not support tools" } },
  ],
  [
    "tools, in vLLM's words",
    { tools: "vllm" },
    { tools: [tool("f", {})] },
    { status: 400, error: { message: /--enable-auto-tool-choice/ } },
  ],
  [
    "schemas",
    { schemas: false },
    { response_format: { type: "json_schema", json_schema: { name: "s", schema: {} } } },
    { status: 400, error: { param: "response_format" } },
  ],
  [
    "stream options",
    { streamOptions: false },
    { stream: true, stream_options: { include_usage: true } },
    { status: 400, error: { param: "stream_options" } },
  ],
  ["a model", { models: ["n"] }, {}, { status: 404, error: { code: "model_not_found" } }],
  ["so much", { maxContextTokens: 500 }, { max_tokens: 495 }, { status: 400, error: { code: "context_length_exceeded" } }],
  ["requests without the key", { requireKey: "k" }, {}, { status: 401, error: { code: "invalid_api_key" } }],
])(
  "can be a server that does not support or allow %s, which does not count as a protocol error of the client",
  async (_, options, request, expected) => {
    const { message, ...rest } = (expected as { error: { message?: string | RegExp } }).error;
    const seen = await answer(request, options);
    expect(seen.status).toBe((expected as { status: number }).status);
    expect(seen.error).toMatchObject({ ...rest, ...(message && { message: expect.stringMatching(message) }) });
    expect(seen.server.refused).toEqual([]);
  },
);

it("checks the key and lists its models", async () => {
  const { status, server } = await answer({}, { requireKey: "k", models: ["m", "通义"] }, { authorization: "Bearer k" });
  expect(status).toBe(200);
  const list = await fetch(`${server.url}/models`, { headers: { authorization: "Bearer k" } });
  expect(await list.json()).toMatchObject({ object: "list", data: [{ id: "m" }, { id: "通义", object: "model" }] });
  expect((await fetch(`${server.url}/models`)).status).toBe(401);
});

it("records requests of paths that it does not have", async () => {
  const { server } = await answer({});
  expect((await fetch(`${server.url}/responses`, { method: "POST", body: "{}" })).status).toBe(404);
  expect(server.unexpected).toEqual(["There is nothing at POST /v1/responses."]);
});
