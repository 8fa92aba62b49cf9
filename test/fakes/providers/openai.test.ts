import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { expect, it } from "vitest";
import * as say from "../model-server/behaviors.ts";
import { chatDeepSeek, chatOpenAi } from "./langchain/classes.ts";
import { asMessage, failed, SEARCH, streamed } from "./langchain/streamed.ts";
import { refusal } from "./neutral.ts";
import { openAi } from "./openai/provider.ts";
import { startProvider } from "./serve.ts";

const QUESTION = [new SystemMessage("Answer briefly."), new HumanMessage("你好")];
const USAGE = { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 };
const SCHEMA = { type: "object", properties: { year: { type: "integer" } }, required: ["year"] };

it("streams a text with its usage and finish reason", async () => {
  const server = await startProvider(openAi(), [say.text("你好，世界。", { usage: USAGE })]);
  const whole = await streamed(chatOpenAi(server, { maxTokens: 77 }), QUESTION);
  expect(whole).toMatchObject({
    text: "你好，世界。",
    usage_metadata: { input_tokens: 9, output_tokens: 5 },
    response_metadata: { finish_reason: "stop" },
  });
  expect(server.requests[0]?.neutral).toMatchObject({
    model: "gpt-4o",
    system: "Answer briefly.",
    messages: [{ role: "user", text: "你好" }],
    maxTokens: 77,
    stream: true,
  });
});

it("streams a call and takes it back with its result", async () => {
  const server = await startProvider(openAi(), [say.toolCalls([{ name: "search", arguments: { query: "茅台" } }]), say.text("1871")]);
  const model = chatOpenAi(server);
  const first = await streamed(model, QUESTION, { tools: [SEARCH] });
  expect(first.tool_calls).toMatchObject([{ id: "call_0_0", name: "search", args: { query: "茅台" } }]);
  const history = [...QUESTION, asMessage(first), new ToolMessage({ content: "found", tool_call_id: "call_0_0" })];
  expect((await streamed(model, history, { tools: [SEARCH] })).text).toBe("1871");
  expect(server.requests[1]?.neutral).toMatchObject({
    tools: [{ name: "search", description: "Searches.", schema: SEARCH.function.parameters }],
    messages: [{}, { calls: [{ id: "call_0_0", args: { query: "茅台" } }] }, { role: "tool", text: "found", callId: "call_0_0" }],
  });
});

it("answers with JSON of a schema, which it checks only if strict is sent", async () => {
  const server = await startProvider(openAi(), [say.text('{"year":1871}')]);
  const format = (strict: boolean) => ({ type: "json_schema", json_schema: { name: "answer", schema: SCHEMA, strict } });
  expect((await streamed(chatOpenAi(server), QUESTION, { response_format: format(false) })).text).toBe('{"year":1871}');
  expect(server.requests[0]?.neutral).toMatchObject({ schema: SCHEMA, schemaName: "answer" });
  expect(await failed(chatOpenAi(server), QUESTION, { response_format: format(true) })).toMatchObject({
    status: 400,
    error: { message: expect.stringContaining("'additionalProperties' has to be there") },
  });
});

it("sends reasoning, which DeepSeek's class keeps", async () => {
  const server = await startProvider(openAi(), [say.text("好", { reasoning: "想一想" })]);
  expect(await streamed(chatDeepSeek(server), QUESTION)).toMatchObject({ text: "好", additional_kwargs: { reasoning_content: "想一想" } });
});

it.each<[string, object, RegExp]>([
  ["an unknown field", { modelKwargs: { foo: 1 } }, /Unknown parameter: 'foo'/],
  ["max_tokens for a reasoning model", { model: "gpt-5", modelKwargs: { max_tokens: 9 } }, /max_completion_tokens/],
  ["a temperature for a reasoning model", { model: "o3", temperature: 0 }, /'temperature' 1 only/],
  ["a key that is not the right one", { apiKey: "other" }, /Incorrect API key/],
])("refuses %s", async (_, fields, message) => {
  const server = await startProvider(openAi({ requireKey: "k" }), []);
  expect(await failed(chatOpenAi(server, fields), QUESTION)).toMatchObject({ error: { message: expect.stringMatching(message) } });
  expect(server.refused).toHaveLength(1);
});

it.each([
  ["a result without a call", [...QUESTION, new ToolMessage({ content: "x", tool_call_id: "b" })], /none with id b/],
  [
    "a call without a result",
    [...QUESTION, new AIMessage({ content: "", tool_calls: [{ id: "a", name: "search", args: {} }] })],
    /Without a result: a/,
  ],
  [
    "a call of an invalid name",
    [...QUESTION, new AIMessage({ content: "", tool_calls: [{ id: "a", name: "se arch", args: {} }] })],
    /must match/,
  ],
])("refuses %s", async (_, messages, message) => {
  const server = await startProvider(openAi(), []);
  expect(await failed(chatOpenAi(server), messages)).toMatchObject({ status: 400, error: { message: expect.stringMatching(message) } });
});

it("sends errors with a status and inside a stream", async () => {
  const server = await startProvider(openAi(), [refusal(503, "Busy."), say.groqError("好", { message: "No more." })]);
  expect(await failed(chatOpenAi(server), QUESTION)).toMatchObject({ status: 503, error: { message: "Busy." } });
  expect(await failed(chatOpenAi(server), QUESTION)).toMatchObject({ error: { message: "No more." } });
});

it("sees a client leave in the middle", async () => {
  const server = await startProvider(openAi(), [say.hang({ after: 1 })]);
  const leaving = new AbortController();
  const reading = async () => {
    for await (const { text } of await chatOpenAi(server).stream(QUESTION, { signal: leaving.signal })) if (text !== "") leaving.abort();
  };
  await expect(reading()).rejects.toThrow();
  await server.left(1);
});
