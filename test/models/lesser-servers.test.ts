import { expect, it } from "vitest";
import type { ChatMessage } from "../../src/domain/chat.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf } from "../fakes/model-server/seen-request.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { plainEffects } from "../helpers/plain-effects.ts";
import { OPTIONS, openModel, REQUEST, tool } from "./model-under-test.ts";

const OFFERED = { ...REQUEST, tools: [tool("look_up")] };
const CALL = '{"tool_calls":[{"name":"look_up","arguments":{"q":"中国"}}]}';
const SCHEMA = { name: "answer", schema: { type: "object", properties: { answer: { type: "string" } } } };

it.each([false, "vllm"] as const)("describes the tools in words to a server without tool support (%s), and remembers it", async (tools) => {
  const server = await startModelServer([say.text(CALL), say.text("直接回答。")], { tools });
  const model = openModel(server);
  const effects = plainEffects();
  const first = await model.complete(OFFERED, OPTIONS, effects);
  expect(first).toMatchObject({
    content: "",
    toolCalls: [{ id: "call-1", name: "look_up", arguments: '{"q":"中国"}' }],
    finishReason: "tool_calls",
  });
  expect(await model.complete(OFFERED, OPTIONS, effects)).toMatchObject({ content: "直接回答。", toolCalls: [] });
  expect(server.requests.map(({ body }) => body.tools !== undefined)).toEqual([true, true, false, false]);
  expect(contentsOf(server.requests[2] ?? expect.fail(), "system")[0]).toContain("- look_up: The tool look_up.");
  expect(effects.spent().modelCalls).toBe(2);
  expect(effects.events.filter(({ type }) => type === "call-restarted")).toEqual([]);
});

it("sends such a server earlier calls and results as text", async () => {
  const server = await startModelServer([say.text("好")], { tools: false });
  const messages: ChatMessage[] = [
    { role: "user", content: "问" },
    { role: "assistant", content: "", toolCalls: [{ id: "1", name: "look_up", arguments: '{"q":"中"}' }] },
    { role: "tool", callId: "1", name: "look_up", content: "结果" },
  ];
  await openModel(server).complete({ ...OFFERED, messages }, OPTIONS, plainEffects());
  expect(server.requests.at(-1)?.body.messages.slice(1)).toEqual([
    { role: "user", content: "问" },
    { role: "assistant", content: '{"tool_calls":[{"name":"look_up","arguments":{"q":"中"}}]}' },
    { role: "user", content: "Result of the tool look_up:\n结果" },
  ]);
});

it.each([
  ["in a fence", `\`\`\`json\n${CALL}\n\`\`\``],
  ["with faults", "{tool_calls:[{name:'look_up',arguments:{q:'中国',}}]"],
  ["alone", '{"name":"look_up","arguments":{"q":"中国"}}'],
])("reads calls that are written as text %s", async (_, text) => {
  const server = await startModelServer([say.text(text)], { tools: false });
  const effects = plainEffects();
  const reply = await openModel(server).complete(OFFERED, OPTIONS, effects);
  expect(reply.toolCalls).toEqual([{ id: "call-1", name: "look_up", arguments: '{"q":"中国"}' }]);
  expect(effects.events.map(({ type }) => type)).toEqual(["tool-calls", "call-ended", "usage"]);
});

const TAGGED = '<tool_call>\n{"name": "look_up", "arguments": {"q": "中国"}}\n</tool_call>';
it.each([
  ["alone", TAGGED, 1],
  ["twice, after thoughts", `<think>想</think>\n${TAGGED}\n${TAGGED}\n`, 2],
])("reads calls between tags that a server with tool support did not parse, %s", async (_, text, times) => {
  for (const pieceLength of [4, 1_000]) {
    const server = await startModelServer([say.text(text, { pieceLength })]);
    const effects = plainEffects();
    const reply = await openModel(server).complete(OFFERED, OPTIONS, effects);
    const calls = Array.from({ length: times }, (_, at) => ({ id: `call-${at + 1}`, name: "look_up", arguments: '{"q":"中国"}' }));
    expect(reply).toMatchObject({ content: "", toolCalls: calls, finishReason: "tool_calls" });
    expect(effects.events.map(({ type }) => type)).not.toContain("content");
  }
});

it.each([TAGGED.replace("look_up", "delete_all"), `${TAGGED} 是这样写的。`, `例如 ${TAGGED}`, TAGGED.slice(0, 40), "<table>好</table>"])(
  "reads no other text as a call: %s",
  async (text) => {
    const server = await startModelServer([say.text(text, { pieceLength: 4 })]);
    const effects = plainEffects();
    expect(await openModel(server).complete(OFFERED, OPTIONS, effects)).toMatchObject({ content: text, toolCalls: [] });
    expect(effects.events.map((event) => (event.type === "content" ? event.delta : "")).join("")).toBe(text);
  },
);

it("reads other JSON as an answer, and repairs nothing that was cut off", async () => {
  const other = '{"answer":"中国"}';
  const server = await startModelServer([say.text(other), say.text(CALL.slice(0, 40), { finishReason: "length" })], { tools: false });
  const model = openModel(server);
  expect(await model.complete(OFFERED, OPTIONS, plainEffects())).toMatchObject({ content: other, toolCalls: [] });
  expect(await model.complete(OFFERED, OPTIONS, plainEffects())).toMatchObject({
    content: CALL.slice(0, 40),
    toolCalls: [],
    finishReason: "length",
  });
});

it("asks for JSON in words if a server has no schemas", async () => {
  const server = await startModelServer([say.text('{"answer":"好"}')], { schemas: false });
  const reply = await openModel(server).complete({ ...REQUEST, schema: SCHEMA }, OPTIONS, plainEffects());
  expect(reply.content).toBe('{"answer":"好"}');
  expect(server.requests.map(({ body }) => body["response_format"])).toEqual([{ type: "json_schema", json_schema: SCHEMA }, undefined]);
  expect(contentsOf(server.requests[1] ?? expect.fail(), "system")[0]).toContain(JSON.stringify(SCHEMA.schema));
});

it("sends no format option if a server supports none", async () => {
  const refusal = { error: { message: "response_format is not supported", type: "invalid_request_error" } };
  const server = await startModelServer(({ body }) => (body["response_format"] === undefined ? say.text("{}") : say.status(400, refusal)));
  await openModel(server).complete({ ...REQUEST, schema: SCHEMA }, OPTIONS, plainEffects());
  expect(server.requests).toHaveLength(2);
});

it("omits the request for usage if the server does not support it", async () => {
  const server = await startModelServer([say.text("好")], { streamOptions: false });
  expect((await openModel(server).complete(REQUEST, OPTIONS, plainEffects())).usage.estimated).toBe(true);
});

it("leaves out a token limit that the server does not know", async () => {
  const message = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
  const server = await startModelServer(({ body }) =>
    body["max_tokens"] === undefined ? say.text("好") : say.status(400, { error: { message, type: "invalid_request_error" } }),
  );
  await openModel(server).complete(REQUEST, OPTIONS, plainEffects());
  expect(server.requests.map(({ body }) => [body["max_tokens"], body["max_completion_tokens"]])).toEqual([
    [1_000, undefined],
    [undefined, undefined],
  ]);
});

it("shows the server's words if it refuses every form, and asks in no other form until a call succeeds", async () => {
  const refusal = say.status(400, { error: { message: "Invalid value for messages." } });
  const server = await startModelServer([...Array<typeof refusal>(20).fill(refusal)]);
  const model = openModel(server);
  const words = { code: "model_refused", message: expect.stringContaining("Invalid value for messages.") };
  await expect(model.complete({ ...OFFERED, schema: SCHEMA }, OPTIONS, plainEffects())).rejects.toMatchObject(words);
  const asked = server.requests.length;
  expect(asked).toBeLessThanOrEqual(8);
  await expect(model.complete({ ...OFFERED, schema: SCHEMA }, OPTIONS, plainEffects())).rejects.toMatchObject(words);
  expect(server.requests).toHaveLength(asked + 1);
});

const VLLM =
  "'max_tokens' or 'max_completion_tokens' is too large: 4000. This model's maximum context length is 4096 tokens and your request has 1200 input tokens (4000 > 4096 - 1200).";
const OPENAI =
  "This model's maximum context length is 2048 tokens. However, you requested 5000 tokens (1000 in the messages, 4000 in the completion). Please reduce the length.";
const MOST = "max_tokens is too large: 4000. This model supports at most 3000 completion tokens.";
const LONG = { ...REQUEST, maxOutputTokens: 4_000 };
it.each([
  [VLLM, 1_200],
  [OPENAI, 2_048],
  [MOST, 3_000],
  ["max_tokens 超出范围: max_tokens exceeds the limit.", undefined],
])("asks for a shorter answer in the same try if the longest does not fit: %s", async (message, fitting) => {
  const server = await startModelServer(({ body }) =>
    body["max_tokens"] === 4_000 ? say.status(400, { object: "error", message, code: 400 }) : say.text("好"),
  );
  const effects = plainEffects();
  expect((await openModel(server).complete(LONG, OPTIONS, effects)).content).toBe("好");
  expect(server.requests.map(({ body }) => body["max_tokens"])).toEqual([4_000, fitting]);
  expect(effects.spent().modelCalls).toBe(1);
});

it("says how large the context is if the conversation alone is too large", async () => {
  const message =
    "This model's maximum context length is 2048 tokens. However, you requested 9000 tokens (5000 in the messages, 4000 in the completion).";
  const server = await startModelServer([say.repeat(say.status(400, { error: { message } }))]);
  const messages: ChatMessage[] = [{ role: "user", content: "灯塔".repeat(2_500) }];
  await expect(openModel(server).complete({ ...LONG, messages }, OPTIONS, plainEffects())).rejects.toMatchObject({
    code: "context_too_large",
    limitTokens: 2_048,
    message: expect.stringMatching(/5000 in the messages.*MODEL_CONTEXT_TOKENS/),
  });
});

it("sends a model without a system role the same text as user turns", async () => {
  const server = await startModelServer(({ body: { messages } }) => {
    if (messages.some(({ role }) => role === "system")) return say.status(400, { error: { message: "System role not supported" } });
    const alternate = messages.every(({ role }, at) => role === (at % 2 === 0 ? "user" : "assistant"));
    return alternate
      ? say.text("好")
      : say.status(400, { error: { message: "Conversation roles must alternate user/assistant/user/..." } });
  });
  const messages: ChatMessage[] = [
    { role: "system", content: "用中文。" },
    { role: "user", content: "问" },
    { role: "assistant", content: "答", toolCalls: [] },
    { role: "user", content: "再问" },
    { role: "user", content: "现在答。" },
  ];
  const model = openModel(server);
  const effects = plainEffects();
  for (const _ of [1, 2]) expect((await model.complete({ ...REQUEST, messages }, OPTIONS, effects)).content).toBe("好");
  expect(server.requests).toHaveLength(3);
  expect(server.requests[2]?.body.messages).toEqual([
    { role: "user", content: "用中文。\n\n问" },
    { role: "assistant", content: "答" },
    { role: "user", content: "再问\n\n现在答。" },
  ]);
  expect(effects.spent().modelCalls).toBe(2);
});
