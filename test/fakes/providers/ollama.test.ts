import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { expect, it } from "vitest";
import * as say from "../model-server/behaviors.ts";
import { chatOllama } from "./langchain/classes.ts";
import { asMessage, failed, SEARCH, streamed } from "./langchain/streamed.ts";
import { refusal } from "./neutral.ts";
import { ollama } from "./ollama/provider.ts";
import { startProvider } from "./serve.ts";

const QUESTION = [new SystemMessage("Answer briefly."), new HumanMessage("你好")];

it("streams a text with its usage and finish reason", async () => {
  const usage = { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 };
  const server = await startProvider(ollama(), [say.text("你好，世界。", { usage })]);
  const whole = await streamed(chatOllama(server, { numPredict: 77 }), QUESTION);
  expect(whole).toMatchObject({ text: "你好，世界。", usage_metadata: { input_tokens: 9, output_tokens: 5 } });
  expect(whole.response_metadata).toMatchObject({ done: true, done_reason: "stop", prompt_eval_count: 9 });
  expect(server.requests[0]?.neutral).toMatchObject({
    model: "qwen3",
    system: "Answer briefly.",
    messages: [{ role: "user", text: "你好" }],
    maxTokens: 77,
  });
});

it("streams thinking and a call, and takes the call back with its result", async () => {
  const call = say.toolCalls([{ name: "search", arguments: { query: "茅台" } }], { reasoning: "想一想" });
  const server = await startProvider(ollama(), [call, say.text("1871")]);
  const model = chatOllama(server, { think: true });
  const first = await streamed(model, QUESTION, { tools: [SEARCH] });
  expect(first.additional_kwargs).toEqual({ reasoning_content: "想一想" });
  expect(first.tool_calls).toMatchObject([{ name: "search", args: { query: "茅台" } }]);
  const history = [...QUESTION, asMessage(first), new ToolMessage({ content: "found", tool_call_id: first.tool_calls?.[0]?.id ?? "" })];
  expect((await streamed(model, history, { tools: [SEARCH] })).text).toBe("1871");
  expect(server.requests[1]?.neutral).toMatchObject({
    tools: [{ name: "search" }],
    messages: [{}, { calls: [{ name: "search", args: { query: "茅台" } }] }, { role: "tool", text: "found" }],
  });
});

it("answers with JSON of a schema", async () => {
  const server = await startProvider(ollama(), [say.text('{"year":1871}')]);
  const format = { type: "object", properties: { year: { type: "integer" } } };
  expect((await streamed(chatOllama(server), QUESTION, { format })).text).toBe('{"year":1871}');
  expect(server.requests[0]?.neutral.schema).toEqual(format);
});

it("cuts a prompt to its context without a word", async () => {
  const server = await startProvider(ollama({ numCtx: 500 }), [say.text("?"), say.text("!")]);
  const long = [...QUESTION, new AIMessage("好"), new HumanMessage("字".repeat(600)), new AIMessage("好"), new HumanMessage("When?")];
  expect(await streamed(chatOllama(server), long)).toMatchObject({ usage_metadata: { input_tokens: 500 } });
  expect(server.requests[0]?.neutral).toMatchObject({ system: "Answer briefly.", messages: [{ text: "好" }, { text: "When?" }] });
  await streamed(chatOllama(server, { numCtx: 2000 }), long);
  expect(server.requests[1]?.neutral.messages).toHaveLength(5);
});

it("tells its models and what they can do", async () => {
  const server = await startProvider(ollama({ models: ["qwen3:latest"], tools: false, contextLength: 40_960 }), []);
  expect(await (await fetch(`${server.url}/api/tags`)).json()).toMatchObject({ models: [{ name: "qwen3:latest" }] });
  const show = await fetch(`${server.url}/api/show`, { method: "POST", body: '{"model":"qwen3"}' });
  expect(await show.json()).toMatchObject({ model_info: { "scripted.context_length": 40_960 }, capabilities: ["completion", "thinking"] });
});

it("refuses models that it does not have, and tools and thinking that they do not support", async () => {
  const server = await startProvider(ollama({ models: ["qwen3"], tools: false, thinking: false }), []);
  const said = async (error: Promise<unknown>) => {
    const { error: message, status_code: status } = (await error) as { error: string; status_code: number };
    return [status, message];
  };
  expect(await said(failed(chatOllama(server, { model: "other" }), QUESTION))).toEqual([404, "model 'other' not found"]);
  expect(await said(failed(chatOllama(server), QUESTION, { tools: [SEARCH] }))).toEqual([
    400,
    expect.stringContaining("does not support tools"),
  ]);
  expect(await said(failed(chatOllama(server, { think: true }), QUESTION))).toEqual([
    400,
    expect.stringContaining("does not support thinking"),
  ]);
});

it("sends errors with a status and inside a stream", async () => {
  const server = await startProvider(ollama(), [refusal(500, "out of memory"), say.groqError("好", { message: "The runner stopped." })]);
  expect(await failed(chatOllama(server), QUESTION)).toMatchObject({ status_code: 500, message: "out of memory" });
  expect(await failed(chatOllama(server), QUESTION)).toMatchObject({ message: "The runner stopped." });
});

it("sees a client leave in the middle, if the fetch it is given ends with the signal", async () => {
  const server = await startProvider(ollama(), [say.hang({ after: 1 })]);
  const leaving = new AbortController();
  const ending: typeof fetch = (input, init) => fetch(input, { ...init, signal: leaving.signal });
  const reading = async () => {
    for await (const { text } of await chatOllama(server, { fetch: ending }).stream(QUESTION, { signal: leaving.signal }))
      if (text !== "") leaving.abort();
  };
  await expect(reading()).rejects.toThrow();
  await server.left(1);
});
