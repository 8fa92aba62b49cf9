import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { expect, it } from "vitest";
import * as say from "../model-server/behaviors.ts";
import { gemini } from "./gemini/provider.ts";
import { chatGemini } from "./langchain/classes.ts";
import { asMessage, chunksOf, failed, SEARCH, streamed } from "./langchain/streamed.ts";
import { refusal } from "./neutral.ts";
import { startProvider } from "./serve.ts";

const QUESTION = [new SystemMessage("Answer briefly."), new HumanMessage("你好")];
const SIGNATURES = "__gemini_function_call_thought_signatures__";
const PRO = { model: "gemini-3-pro-preview" };
const tool = (schema: object) => ({
  tools: [
    {
      type: "function" as const,
      function: { name: "search", description: "", parameters: { type: "object", properties: { query: schema } } },
    },
  ],
});
const result = (id: string) => new ToolMessage({ content: "found", tool_call_id: id });

it("streams a text with its usage and finish reason", async () => {
  const usage = { prompt_tokens: 9, completion_tokens: 5, total_tokens: 14 };
  const server = await startProvider(gemini(), [say.text("你好，世界。", { usage })]);
  const whole = await streamed(chatGemini(server, { maxOutputTokens: 77 }), QUESTION);
  expect(whole.text).toBe("你好，世界。");
  expect(whole.usage_metadata).toMatchObject({ input_tokens: 9, output_tokens: 5, total_tokens: 14 });
  expect(whole.response_metadata).toMatchObject({ finishReason: "STOP" });
  expect(server.requests[0]?.neutral).toMatchObject({
    model: "gemini-2.5-flash",
    system: "Answer briefly.",
    messages: [{ role: "user", text: "你好" }],
    maxTokens: 77,
  });
});

it("streams thoughts and a signed call, and takes it back with its signature and its result", async () => {
  const call = say.toolCalls([{ name: "search", arguments: { query: "茅台" } }], { reasoning: "Look it up first." });
  const server = await startProvider(gemini({ exactSignatures: true }), [call, say.text("1871")]);
  const model = chatGemini(server, PRO);
  const chunks = await chunksOf(model, QUESTION, { tools: [SEARCH] });
  expect(chunks[0]?.content).toEqual([{ type: "thinking", thinking: "Look" }]);
  const first = chunks.find(({ tool_call_chunks: calls }) => (calls ?? []).length > 0);
  const id = first?.tool_calls?.[0]?.id ?? "";
  expect(first?.additional_kwargs[SIGNATURES]).toEqual({ [id]: expect.any(String) });
  const { additional_kwargs, tool_calls: calls = [] } = first ?? new AIMessage("");
  const history = [...QUESTION, new AIMessage({ content: "", tool_calls: calls, additional_kwargs }), result(id)];
  expect((await streamed(model, history, { tools: [SEARCH] })).text).toBe("1871");
  expect(server.refused).toEqual([]);
  expect(server.requests[1]?.neutral.messages.slice(1)).toEqual([
    { role: "assistant", text: "", calls: [{ id: null, name: "search", args: { query: "茅台" } }], callId: null },
    { role: "tool", text: "found", calls: [], callId: "search" },
  ]);
});

it("takes back the whole answer as LangChain joins it", async () => {
  const call = say.toolCalls([{ name: "search", arguments: { query: "x" } }], { reasoning: "Look." });
  const server = await startProvider(gemini({ exactSignatures: true }), [call, say.text("1871")]);
  const first = await streamed(chatGemini(server, PRO), QUESTION, { tools: [SEARCH] });
  const history = [...QUESTION, asMessage(first), result(first.tool_calls?.[0]?.id ?? "")];
  expect((await streamed(chatGemini(server, PRO), history, { tools: [SEARCH] })).text).toBe("1871");
});

it("answers with JSON of a schema", async () => {
  const server = await startProvider(gemini(), [say.text('{"year":1871}')]);
  const responseSchema = { type: "object", properties: { year: { type: "integer" } }, required: ["year"] };
  expect((await streamed(chatGemini(server), QUESTION, { responseSchema })).text).toBe('{"year":1871}');
  expect(server.requests[0]?.neutral.schema).toEqual(responseSchema);
});

it("refuses a call without its signature, which LangChain replaces by one of its own", async () => {
  const history = [...QUESTION, new AIMessage({ content: "", tool_calls: [{ id: "a", name: "search", args: {} }] }), result("a")];
  const exact = await startProvider(gemini({ exactSignatures: true }), []);
  expect(await failed(chatGemini(exact, PRO), history, { tools: [SEARCH] })).toMatchObject({
    message: expect.stringContaining("not valid"),
  });
  const server = await startProvider(gemini(), []);
  const contents = [
    { role: "user", parts: [{ text: "?" }] },
    { role: "model", parts: [{ functionCall: { name: "search", args: {} } }] },
    { role: "user", parts: [{ functionResponse: { name: "search", response: {} } }] },
  ];
  const path = "/v1beta/models/gemini-3-flash:generateContent";
  const answer = await fetch(server.url + path, { method: "POST", body: JSON.stringify({ contents }) });
  expect(answer.status).toBe(400);
  expect(server.refused[0]).toMatch(/lost its thought_signature.*default_api:search/);
});

it.each([
  [
    "additionalProperties",
    { type: "object", additionalProperties: { type: "string" }, patternProperties: {} },
    /"patternProperties" at 'tools\[0\]/,
  ],
  ["a pattern", { type: "string", pattern: "^a$" }, /Unknown name "pattern" at .*properties\.query'/],
  ["a constant", { const: 1 }, /Unknown name "const"/],
  ["several types", { type: ["string", "null"] }, /cannot start list/],
  ["an unknown format", { type: "string", format: "uri" }, /only 'enum' and 'date-time'/],
])("refuses schemas with %s", async (_, schema, message) => {
  const server = await startProvider(gemini(), []);
  expect(await failed(chatGemini(server), QUESTION, tool(schema))).toMatchObject({ status: 400, message: expect.stringMatching(message) });
});

it("refuses results of parallel calls that are not in one turn, as LangChain sends them", async () => {
  const server = await startProvider(gemini(), []);
  const calls = ["a", "b"].map((id) => ({ id, name: "search", args: {} }));
  const history = [...QUESTION, new AIMessage({ content: "", tool_calls: calls }), result("a"), result("b")];
  expect(await failed(chatGemini(server), history, { tools: [SEARCH] })).toMatchObject({
    message: expect.stringContaining("number of function response parts"),
  });
});

it("refuses contents that begin with the model", async () => {
  const server = await startProvider(gemini(), []);
  expect(await failed(chatGemini(server), [new AIMessage("好"), ...QUESTION.slice(1)])).toMatchObject({
    message: expect.stringContaining("begin with a user turn"),
  });
});

it("refuses a choice that names no function, such as 'required'", async () => {
  const server = await startProvider(gemini(), []);
  const error = await failed(chatGemini(server), QUESTION, { tools: [SEARCH], tool_choice: "required" });
  expect(error).toMatchObject({ message: expect.stringContaining("'required', which is not declared") });
});

it("sends errors with a status", async () => {
  const server = await startProvider(gemini(), [refusal(503, "Overloaded")]);
  expect(await failed(chatGemini(server), QUESTION)).toMatchObject({ status: 503, message: expect.stringContaining("Overloaded") });
});

it("sends errors inside a stream, which LangChain does not see", async () => {
  const server = await startProvider(gemini(), [say.groqError("好", { message: "No more." })]);
  const chunks = await chunksOf(chatGemini(server), QUESTION);
  expect(chunks.map(({ text, response_metadata: { finishReason } }) => [text, finishReason])).toEqual([["好", undefined]]);
});

it("sees a client leave in the middle", async () => {
  const server = await startProvider(gemini(), [say.hang({ after: 1 })]);
  const leaving = new AbortController();
  const reading = async () => {
    for await (const { text } of await chatGemini(server).stream(QUESTION, { signal: leaving.signal })) if (text !== "") leaving.abort();
  };
  await expect(reading()).rejects.toThrow();
  await server.left(1);
});
