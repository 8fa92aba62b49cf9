import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { HTTPClient } from "@mistralai/mistralai/lib/http.js";
import { expect, it } from "vitest";
import * as say from "../model-server/behaviors.ts";
import { chatMistral } from "./langchain/classes.ts";
import { failed, SEARCH, streamed } from "./langchain/streamed.ts";
import { mistral } from "./mistral/provider.ts";
import { refusal } from "./neutral.ts";
import { startProvider } from "./serve.ts";

const QUESTION = [new SystemMessage("Answer briefly."), new HumanMessage("你好")];
const FORMAT = {
  type: "json_schema",
  json_schema: { name: "answer", schema: { type: "object", properties: { year: { type: "integer" } } } },
};

it("streams a text with its usage and finish reason", async () => {
  const usage = { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 };
  const server = await startProvider(mistral(), [say.text("你好，世界。", { usage })]);
  const whole = await streamed(chatMistral(server, { maxTokens: 77 }), QUESTION);
  expect(whole).toMatchObject({ text: "你好，世界。", usage_metadata: { input_tokens: 9, output_tokens: 5 } });
  expect(server.requests[0]?.neutral).toMatchObject({
    model: "mistral-small-latest",
    system: "Answer briefly.",
    messages: [{ role: "user", text: "你好" }],
    maxTokens: 77,
  });
});

it("streams a call with an id of nine characters, and takes it back with its result", async () => {
  const server = await startProvider(mistral(), [say.toolCalls([{ name: "search", arguments: { query: "茅台" } }]), say.text("1871")]);
  const first = await streamed(chatMistral(server), QUESTION, { tools: [SEARCH] });
  const [call] = first.tool_calls ?? [];
  expect(call).toMatchObject({ id: expect.stringMatching(/^[a-zA-Z0-9]{9}$/), name: "search", args: { query: "茅台" } });
  const back = new AIMessage({ content: "", tool_calls: first.tool_calls ?? [] });
  const history = [...QUESTION, back, new ToolMessage({ content: "found", tool_call_id: call?.id ?? "" })];
  expect((await streamed(chatMistral(server), history, { tools: [SEARCH] })).text).toBe("1871");
  expect(server.requests[1]?.neutral).toMatchObject({
    tools: [{ name: "search" }],
    messages: [{}, { calls: [{ id: call?.id, args: { query: "茅台" } }] }, { role: "tool", text: "found", callId: call?.id }],
  });
});

it("streams thoughts as parts of the content", async () => {
  const server = await startProvider(mistral(), [say.text("好", { reasoning: "想一想" })]);
  const whole = await streamed(chatMistral(server), QUESTION);
  expect(JSON.stringify(whole.content)).toContain("想一想");
});

it("answers with JSON of a schema", async () => {
  const server = await startProvider(mistral(), [say.text('{"year":1871}')]);
  const whole = await streamed(chatMistral(server), QUESTION, { response_format: FORMAT });
  expect(whole.text).toBe('{"year":1871}');
});

it.each([
  [
    "a user after a tool",
    [
      { role: "tool", tool_call_id: "abcdefgh1", content: "x" },
      { role: "user", content: "?" },
    ],
    /Unexpected role 'user' after role 'tool'/,
  ],
  [
    "a last message of the assistant",
    [
      { role: "tool", tool_call_id: "abcdefgh1", content: "x" },
      { role: "assistant", content: "好" },
    ],
    /Expected last role User or Tool/,
  ],
  ["an id of other length", [{ role: "tool", tool_call_id: "call_1", content: "x" }], /Tool call id was call_1/],
  ["a system message after others", [{ role: "system", content: "x" }], /Unexpected role 'system'/],
  ["two results of one call", Array(2).fill({ role: "tool", tool_call_id: "abcdefgh1", content: "x" }), /same number of function calls/],
])("refuses %s", async (_, messages, message) => {
  const server = await startProvider(mistral(), []);
  const call = { id: "abcdefgh1", function: { name: "search", arguments: "{}" } };
  const before = [
    { role: "user", content: "?" },
    { role: "assistant", tool_calls: [call] },
  ];
  const body = JSON.stringify({ model: "m", messages: [...before, ...messages] });
  const answer = await fetch(`${server.url}/v1/chat/completions`, { method: "POST", body });
  expect([answer.status, ((await answer.json()) as { message: string }).message]).toEqual([400, expect.stringMatching(message)]);
});

it("refuses unknown fields with a list", async () => {
  const server = await startProvider(mistral(), []);
  const body = JSON.stringify({ model: "m", max_completion_tokens: 9, messages: [{ role: "user", content: "?", name: "n" }] });
  const answer = await fetch(`${server.url}/v1/chat/completions`, { method: "POST", body });
  expect(answer.status).toBe(422);
  expect(await answer.json()).toMatchObject({
    detail: [
      { type: "extra_forbidden", loc: ["body", "max_completion_tokens"] },
      { type: "extra_forbidden", loc: ["body", "messages", 0, "user", "name"] },
    ],
  });
});

it("refuses the name of a tool as a choice, as LangChain sends it", async () => {
  const server = await startProvider(mistral(), []);
  await failed(chatMistral(server), QUESTION, { tools: [SEARCH], tool_choice: "search" });
  expect(server.refused).toEqual([expect.stringContaining("body.tool_choice: Input should be 'auto'")]);
});

it("sends errors with a status and inside a stream", async () => {
  const server = await startProvider(mistral(), [refusal(503, "Overloaded"), say.groqError("好", { message: "No more." })]);
  expect(await failed(chatMistral(server), QUESTION)).toMatchObject({ statusCode: 503, body: expect.stringContaining("Overloaded") });
  expect(await failed(chatMistral(server), QUESTION)).toBeInstanceOf(Error);
});

it("sees a client leave in the middle, if the HTTP client it is given ends with the signal", async () => {
  const server = await startProvider(mistral(), [say.hang({ after: 1 })]);
  const leaving = new AbortController();
  const httpClient = new HTTPClient({ fetcher: (input, init) => fetch(input, { ...init, signal: leaving.signal }) });
  const reading = async () => {
    for await (const { text } of await chatMistral(server, { httpClient }).stream(QUESTION, { signal: leaving.signal }))
      if (text !== "") leaving.abort();
  };
  await expect(reading()).rejects.toThrow();
  await server.left(1);
});
