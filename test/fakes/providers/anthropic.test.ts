import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { expect, it } from "vitest";
import * as say from "../model-server/behaviors.ts";
import { anthropic } from "./anthropic/provider.ts";
import { chatAnthropic } from "./langchain/classes.ts";
import { asMessage, chunksOf, failed, SEARCH, streamed } from "./langchain/streamed.ts";
import { refusal } from "./neutral.ts";
import { startProvider } from "./serve.ts";

const THINKING = { thinking: { type: "enabled" as const, budget_tokens: 1024 }, maxTokens: 4096 };
const QUESTION = [new SystemMessage("Answer briefly."), new HumanMessage("你好")];
const CALL = say.toolCalls([{ name: "search", arguments: { query: "茅台" } }], { reasoning: "Look it up first." });

it("streams a text with its usage and finish reason", async () => {
  const usage = { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 };
  const server = await startProvider(anthropic(), [say.text("你好，世界。", { usage })]);
  const chunks = await chunksOf(chatAnthropic(server), QUESTION);
  expect(chunks.map(({ text }) => text).filter((text) => text !== "")).toEqual(["你好，世", "界。"]);
  const whole = await streamed(chatAnthropic(await startProvider(anthropic(), [say.text("好", { usage })])), QUESTION);
  expect(whole.usage_metadata).toMatchObject({ input_tokens: 9, output_tokens: 6 });
  expect(whole.additional_kwargs).toMatchObject({ stop_reason: "end_turn" });
  expect(server.requests[0]?.neutral).toMatchObject({
    system: "Answer briefly.",
    messages: [{ role: "user", text: "你好" }],
    maxTokens: 16_384,
  });
});

it("streams thinking and a call, and takes both back with the result", async () => {
  const server = await startProvider(anthropic(), [CALL, say.text("1871")]);
  const model = chatAnthropic(server, THINKING);
  const first = await streamed(model, QUESTION, { tools: [SEARCH] });
  expect(first.tool_calls).toMatchObject([{ id: "toolu_0_0", name: "search", args: { query: "茅台" } }]);
  expect(first.content).toMatchObject([
    { type: "thinking", thinking: "Look it up first.", signature: expect.any(String) },
    { type: "tool_use" },
    {},
  ]);
  const history = [...QUESTION, asMessage(first), new ToolMessage({ content: "found", tool_call_id: "toolu_0_0" })];
  expect((await streamed(model, history, { tools: [SEARCH] })).text).toBe("1871");
  expect(server.refused).toEqual([]);
  expect(server.requests[1]?.neutral.messages.slice(1)).toEqual([
    { role: "assistant", text: "", calls: [{ id: "toolu_0_0", name: "search", args: { query: "茅台" } }], callId: null },
    { role: "tool", text: "found", calls: [], callId: "toolu_0_0" },
  ]);
});

it("refuses a call whose thinking is gone, changed or not signed", async () => {
  const server = await startProvider(anthropic(), [CALL]);
  const model = chatAnthropic(server, THINKING);
  const first = await streamed(model, QUESTION, { tools: [SEARCH] });
  const result = new ToolMessage({ content: "found", tool_call_id: "toolu_0_0" });
  const { tool_calls: calls = [] } = first;
  const with_ = (content: AIMessage["content"]) => [...QUESTION, new AIMessage({ content, tool_calls: calls }), result];
  const signature = (first.content as { signature?: string }[])[0]?.signature;
  for (const content of ["", [{ type: "thinking", thinking: "Other.", signature }], [{ type: "thinking", thinking: "Look it up first." }]])
    expect(await failed(model, with_(content), { tools: [SEARCH] })).toMatchObject({ status: 400 });
  expect(server.refused).toEqual([
    "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`, although `thinking` is enabled",
    "messages.1.content.0: Invalid `signature` in `thinking` block",
    "messages.1.content.0.thinking.signature: Field required",
  ]);
});

it("answers with JSON of a schema", async () => {
  const server = await startProvider(anthropic(), [say.text('{"year":1871}')]);
  const schema = { type: "object", properties: { year: { type: "integer" } }, required: ["year"], additionalProperties: false };
  const outputConfig = { format: { type: "json_schema", schema } };
  expect((await streamed(chatAnthropic(server), QUESTION, { outputConfig })).text).toBe('{"year":1871}');
  expect(server.requests[0]?.neutral.schema).toEqual(schema);
});

it.each([
  ["a first message of the assistant", [new AIMessage("好"), new HumanMessage("?")], {}, /first message/],
  ["a call without a result", [...QUESTION, callOf("a"), new HumanMessage("?")], { tools: [SEARCH] }, /no `tool_result` blocks.*: a\./],
  [
    "a result without a call",
    [...QUESTION, new ToolMessage({ content: "x", tool_call_id: "b" })],
    { tools: [SEARCH] },
    /unexpected `tool_use_id`.*: b/,
  ],
  [
    "a history with calls but no tools",
    [...QUESTION, callOf("a"), new ToolMessage({ content: "x", tool_call_id: "a" })],
    {},
    /must define tools/,
  ],
  ["an empty text", [new HumanMessage({ content: [{ type: "text", text: "" }] })], {}, /non-empty/],
  [
    "a schema with bounds",
    QUESTION,
    { outputConfig: { format: { type: "json_schema", schema: { type: "string", maxLength: 5 } } } },
    /maxLength/,
  ],
])("refuses %s", async (_, messages, options, message) => {
  const server = await startProvider(anthropic(), []);
  const error = await failed(chatAnthropic(server), messages, options);
  expect(error).toMatchObject({
    status: 400,
    error: { type: "error", error: { type: "invalid_request_error", message: expect.stringMatching(message) } },
  });
});

it("refuses a request without max_tokens or with an unknown field", async () => {
  const server = await startProvider(anthropic(), []);
  const ask = async (more: object) => {
    const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: "?" }], ...more });
    const answer = await fetch(`${server.url}/v1/messages`, { method: "POST", headers: { "anthropic-version": "2023-06-01" }, body });
    return answer.status;
  };
  expect([await ask({}), await ask({ max_tokens: 9, seed: 1 })]).toEqual([400, 400]);
  expect(server.refused).toEqual(["max_tokens: Field required", "seed: Extra inputs are not permitted"]);
});

it("sends errors with a status and inside a stream", async () => {
  const server = await startProvider(anthropic(), [
    refusal(529, "Overloaded"),
    say.groqError("", { type: "overloaded_error", message: "Too much." }),
  ]);
  expect(await failed(chatAnthropic(server), QUESTION)).toMatchObject({ status: 529, error: { error: { type: "overloaded_error" } } });
  expect(await failed(chatAnthropic(server), QUESTION)).toMatchObject({ error: { error: { message: "Too much." } } });
});

it("is asked through the fetch that LangChain's class is given", async () => {
  const server = await startProvider(anthropic(), [say.text("好")]);
  const asked: string[] = [];
  const counting: typeof fetch = (input, init) => {
    asked.push(String(input));
    return fetch(input, init);
  };
  await streamed(chatAnthropic(server, { clientOptions: { fetch: counting } }), QUESTION);
  expect(asked).toEqual([`${server.url}/v1/messages`]);
});

it("sees a client leave in the middle", async () => {
  const server = await startProvider(anthropic(), [say.hang({ after: 1 })]);
  const leaving = new AbortController();
  const reading = async () => {
    for await (const { text } of await chatAnthropic(server).stream(QUESTION, { signal: leaving.signal })) if (text !== "") leaving.abort();
  };
  await expect(reading()).rejects.toThrow();
  await server.left(1);
  expect(server.requests[0]).toMatchObject({ left: true, status: 200 });
});

function callOf(id: string): AIMessage {
  return new AIMessage({ content: "", tool_calls: [{ id, name: "search", args: { query: "x" } }] });
}
