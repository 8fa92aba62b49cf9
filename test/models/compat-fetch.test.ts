import type { Readable } from "node:stream";
import { text as textOf } from "node:stream/consumers";
import { expect, it } from "vitest";
import type { ChatMessage, ChatReply, ChatRequest } from "../../src/domain/chat.ts";
import { createChatModel } from "../../src/models/chat-model.ts";
import { plainEffects } from "../helpers/plain-effects.ts";
import { OPTIONS, REQUEST, tool } from "./model-under-test.ts";

const LIMITS = { firstTokenMs: 30_000, betweenTokensMs: 30_000, callMs: 100_000 };
const OFFERED: ChatRequest = { ...REQUEST, model: "qwen3:8b", maxOutputTokens: 100, tools: [tool("search")] };

/** Returns what a call gives if the server answers with these bytes, and what it was asked. */
async function ask(answer: readonly Uint8Array[], request: ChatRequest = OFFERED): Promise<{ reply: ChatReply; asked: unknown }> {
  let asked: unknown;
  const fetch = async (_: string, { body = "" }: { body?: string | Readable }): Promise<Response> => {
    asked = JSON.parse(typeof body === "string" ? body : await textOf(body));
    return new Response(new Blob(answer.map((piece) => piece.slice())).stream(), { headers: { "content-type": "text/event-stream" } });
  };
  const model = createChatModel({ endpoint: { baseUrl: "http://127.0.0.1/v1", fetch }, limits: LIMITS });
  return { reply: await model.complete(request, OPTIONS, plainEffects()), asked };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const chunk = (choice: object): string => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`;
const says = (content: string): string => JSON.stringify({ choices: [{ delta: { content } }] });
const END = `${chunk({ delta: {}, finish_reason: "stop" })}data: [DONE]\n\n`;
const answered = async (...events: string[]): Promise<ChatReply> => (await ask([bytes([...events, END].join(""))])).reply;

const [LAMP, TOWER] = [says("灯"), says("塔")];
const DIVIDED = TOWER.replace('{"choices"', '{\ndata: "choices"');
it.each([
  ["line feeds", `data: ${LAMP}\n\ndata: ${TOWER}\n\ndata: [DONE]\n\n`],
  ["carriage returns", `data: ${LAMP}\r\n\r\ndata:${TOWER}\r\n\r\ndata: [DONE]\r\n\r\n`],
  ["comments and names", `: waiting\n\nevent: chunk\nid: 7\ndata: ${LAMP}\n\n: waiting\n\ndata: ${DIVIDED}\n\ndata: [DONE]\n\n`],
  [
    "no empty line at the end",
    `data: ${LAMP}\n\ndata: ${JSON.stringify({ choices: [{ delta: { content: "塔" }, finish_reason: "stop" }] })}`,
  ],
  ["more after the end", `data: ${LAMP}\n\ndata: ${TOWER}\n\ndata: [DONE]\n\ndata: ${says("!")}\n\n`],
])("reads an event stream with %s, wherever it is cut", async (_, text) => {
  const all = bytes(text);
  const single = Array.from(all, (byte) => Uint8Array.of(byte));
  for (const pieces of [[all], single]) expect((await ask(pieces)).reply).toMatchObject({ content: "灯塔", finishReason: "stop" });
});

it("sends only what the request needs, and the limit in the field that the model knows", async () => {
  const answer = [bytes(`data: ${LAMP}\n\n${END}`)];
  const plain = { ...REQUEST, maxOutputTokens: 100 };
  expect((await ask(answer, { ...plain, model: "qwen3:8b" })).asked).toEqual({
    model: "qwen3:8b",
    max_tokens: 100,
    stream_options: { include_usage: true },
    messages: [{ role: "user", content: "你好" }],
    stream: true,
  });
  for (const model of ["o3-mini", "gpt-5-nano"])
    expect((await ask(answer, { ...plain, model })).asked).toMatchObject({ max_completion_tokens: 100 });
  expect((await ask(answer, { ...plain, model: "gpt-5-chat-latest" })).asked).toMatchObject({ max_tokens: 100 });
});

it.each([":\n", "a\n"])("reads a million lines of %j, which are no events", async (line) => {
  expect((await answered(line.repeat(1_000_000), chunk({ delta: { content: "灯" } }))).content).toBe("灯");
});

const CALL = { index: 0, id: "c1", type: "function", function: { name: "search", arguments: '{"q":"灯塔"}' } };
const PIECES = [chunk({ delta: { role: "assistant", content: "灯塔建于" } }), chunk({ delta: { content: "1874年。" } })];
it.each([
  ["as a message", chunk({ finish_reason: "tool_calls", message: { role: "assistant", content: "灯塔建于1874年。", tool_calls: [CALL] } })],
  ["as a piece", chunk({ finish_reason: "tool_calls", delta: { content: "灯塔建于1874年。", tool_calls: [CALL] } })],
])("hears a last chunk that repeats the whole message once, %s", async (_, last) => {
  const reply = await answered(...PIECES, chunk({ delta: { tool_calls: [CALL] } }), last);
  expect(reply).toMatchObject({ content: "灯塔建于1874年。", toolCalls: [{ id: "c1", name: "search", arguments: '{"q":"灯塔"}' }] });
  expect(reply.toolCalls).toHaveLength(1);
});

it("does not take the last piece of a text for its repetition", async () => {
  expect((await answered(chunk({ delta: { content: "哈" } }), chunk({ delta: { content: "哈" }, finish_reason: "stop" }))).content).toBe(
    "哈哈",
  );
});

const SIGNED = { ...CALL, extra_content: { google: { thought_signature: "c2ln" } } };
const DETAILS = [{ type: "reasoning.encrypted", index: 0, data: "YWJj" }];
it("returns what the server attached, to the same server and model, and shows it to nobody", async () => {
  const thinks = [chunk({ delta: { reasoning_content: "先查" } }), chunk({ delta: { reasoning_content: "一下。" } })];
  const reply = await answered(...thinks, chunk({ delta: { reasoning_details: DETAILS, tool_calls: [SIGNED] } }));
  expect(reply).toMatchObject({ content: "", reasoning: "先查一下。" });
  const { attached, toolCalls } = reply;
  const history: ChatMessage[] = [
    { role: "user", content: "灯塔？" },
    { role: "assistant", content: "", toolCalls, attached },
    { role: "tool", callId: "c1", name: "search", content: "1874" },
  ];
  const same = await ask([bytes(PIECES.join("") + END)], { ...OFFERED, messages: history });
  expect((same.asked as { messages: object[] }).messages[1]).toEqual({
    role: "assistant",
    content: null,
    reasoning_content: "先查一下。",
    reasoning_details: DETAILS,
    tool_calls: [{ id: "c1", type: "function", function: CALL.function, extra_content: SIGNED.extra_content }],
  });
  const other = await ask([bytes(PIECES.join("") + END)], { ...OFFERED, model: "another", messages: history });
  expect(JSON.stringify(other.asked)).not.toMatch(/c2ln|YWJj|先查/);
});

it.each(["search<|channel|>commentary", "functions.search", "default_api:search", "search<|channel|>json"])(
  "calls the tool meant by %s",
  async (name) => {
    const reply = await answered(chunk({ delta: { tool_calls: [{ ...CALL, function: { ...CALL.function, name } }] } }));
    expect(reply.toolCalls).toEqual([{ id: "c1", name: "search", arguments: '{"q":"灯塔"}' }]);
  },
);

const HARMONY = "<|channel|>analysis<|message|>先想。<|end|><|start|>assistant<|channel|>final<|message|>灯塔建于1874年。<|return|>";
const CALLS = '<|channel|>commentary to=functions.search <|constrain|>json<|message|>{"q":"灯塔"}<|call|>';
it.each([1, 3, 1_000])("reads the channels of gpt-oss in a text that comes in pieces of %i", async (length) => {
  const inPieces = (text: string): string[] =>
    (text.match(new RegExp(`[^]{1,${length}}`, "g")) ?? []).map((content) => chunk({ delta: { content } }));
  expect(await answered(...inPieces(HARMONY))).toMatchObject({ content: "灯塔建于1874年。", reasoning: "先想。", toolCalls: [] });
  const called = await answered(...inPieces(CALLS));
  expect(called).toMatchObject({ content: "", toolCalls: [{ name: "search", arguments: '{"q":"灯塔"}' }], finishReason: "tool_calls" });
  expect((await answered(...inPieces("<|im_start|>assistant\n好。<|im_end|>"))).content).toBe("好。");
  expect((await answered(...inPieces("a < b, <b> and [INFO] | x"))).content).toBe("a < b, <b> and [INFO] | x");
});
