import { expect, it } from "vitest";
import type { CallForm } from "../fakes/model-server/behavior.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { plainEffects } from "../helpers/plain-effects.ts";
import { OPTIONS, openModel, REQUEST, tool } from "./model-under-test.ts";

const OFFERED = { ...REQUEST, tools: [tool("look_up"), tool("compare")] };
const CALLS = [
  { name: "look_up", arguments: { q: '英伟达 "2024" {年报}' } },
  { name: "look_up", arguments: { q: "苹果" } },
  { name: "compare", arguments: {} },
];

async function replyTo(...script: Parameters<typeof startModelServer>[0] & readonly unknown[]) {
  const server = await startModelServer(script as never);
  return openModel(server).complete(OFFERED, OPTIONS, plainEffects());
}

function readText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const forms: CallForm[] = (["once", "every", "absent", "empty", "0"] as const).flatMap((id) =>
  (["pieces", "whole", "null", "missing"] as const).flatMap((text) =>
    (["once", "every", "empty-later"] as const).flatMap((name) =>
      (["given", "missing"] as const).map((index) => ({ id, arguments: text, name, index })),
    ),
  ),
);
it("puts calls together, in whatever form they are sent", async () => {
  const server = await startModelServer((_, index) => say.toolCalls(CALLS, { form: forms[index] ?? {} }));
  const model = openModel(server);
  for (const form of forms) {
    const { toolCalls, finishReason } = await model.complete(OFFERED, OPTIONS, plainEffects());
    const read = toolCalls.map(({ name, arguments: text }) => ({ name, arguments: readText(text) }));
    expect({ form, read }).toEqual({ form, read: CALLS });
    expect(new Set(toolCalls.map(({ id }) => id)).size).toBe(3);
    expect(finishReason).toBe("tool_calls");
  }
});

it("puts interleaved calls together", async () => {
  const { toolCalls } = await replyTo(say.toolCalls(CALLS, { form: { order: "interleaved" } }));
  expect(toolCalls.map(({ arguments: text }) => JSON.parse(text))).toEqual([{ q: '英伟达 "2024" {年报}' }, { q: "苹果" }, {}]);
});

it.each(["reasoning_content", "reasoning", "both", "think"] as const)("reads reasoning in %s once", async (reasoningIn) => {
  const reply = await replyTo(say.text("是。<think>不是标签</think>", { reasoning: "想一想，a < b", reasoningIn }));
  expect(reply).toMatchObject({ content: "是。<think>不是标签</think>", reasoning: "想一想，a < b" });
});

it("reads the answer of a server that does not stream", async () => {
  expect(await replyTo(say.asJson(say.text("好", { reasoning: "想" })))).toMatchObject({
    content: "好",
    reasoning: "想",
    finishReason: "stop",
  });
  expect((await replyTo(say.asJson(say.toolCalls(CALLS)))).toolCalls.map(({ name }) => name)).toEqual(["look_up", "look_up", "compare"]);
});

it("reads the usage wherever it is, and estimates it if there is none", async () => {
  const usage = { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 };
  for (const usageIn of ["asked", "last", "finish"] as const)
    expect((await replyTo(say.text("好", { usage, usageIn }))).usage).toEqual({ inputTokens: 7, outputTokens: 3, estimated: false });
  expect((await replyTo(say.text("好的，四个", { usage: "none" }))).usage).toMatchObject({ outputTokens: 5, estimated: true });
});

const chunk = (delta: object, finish: string | null = null) => ({ model: "m", choices: [{ index: 0, delta, finish_reason: finish }] });

it("reads a call in the format before tools", async () => {
  const { toolCalls, finishReason } = await replyTo(
    say.chunks([
      chunk({ role: "assistant", content: null, function_call: { name: "look_up", arguments: "" } }),
      chunk({ function_call: { arguments: '{"q":' } }),
      chunk({ function_call: { arguments: '"中"}' } }),
      chunk({}, "function_call"),
    ]),
  );
  expect({ toolCalls, finishReason }).toEqual({
    toolCalls: [{ id: "call-1", name: "look_up", arguments: '{"q":"中"}' }],
    finishReason: "tool_calls",
  });
});

it("reads arguments that are an object, a refusal, and content in parts", async () => {
  const object = { index: 0, id: "a", function: { name: "look_up", arguments: { q: "中" } } };
  expect((await replyTo(say.chunks([chunk({ tool_calls: [object] }), chunk({}, "tool_calls")]))).toolCalls).toEqual([
    { id: "a", name: "look_up", arguments: '{"q":"中"}' },
  ]);
  expect((await replyTo(say.chunks([chunk({ refusal: "不行。" }), chunk({}, "stop")]))).content).toBe("不行。");
  const parts = [
    { type: "thinking", thinking: [{ type: "text", text: "想" }] },
    { type: "text", text: "好" },
  ];
  expect(await replyTo(say.chunks([chunk({ content: parts }), chunk({}, "stop")]))).toMatchObject({ content: "好", reasoning: "想" });
});

it("gives calls with equal or missing ids new ids", async () => {
  const call = (index: number, id?: string) => ({
    index,
    ...(id !== undefined && { id }),
    function: { name: "look_up", arguments: '{"q":"中"}' },
  });
  const { toolCalls } = await replyTo(
    say.chunks([chunk({ tool_calls: [call(0, "call-2"), call(1), call(2, "call-2")] }), chunk({}, "stop")]),
  );
  expect(toolCalls.map(({ id }) => id)).toEqual(["call-2", "call-3", "call-4"]);
});

it("ends with tool calls if the server's finish reason is stop or missing", async () => {
  for (const finishReason of ["stop", null]) {
    const reply = await replyTo(say.toolCalls(CALLS, { finishReason }));
    expect(reply.finishReason).toBe("tool_calls");
    expect(reply.toolCalls).toHaveLength(3);
  }
});

it.each(["length", "content_filter"] as const)("reports that a response ended by %s", async (finishReason) => {
  expect((await replyTo(say.text("半", { finishReason }))).finishReason).toBe(finishReason);
});

it("leaves arguments that were cut off as they are", async () => {
  const { toolCalls, finishReason } = await replyTo(say.halfJson({ name: "look_up", arguments: '{"q":"英伟达的年报"}' }, { keep: 8 }));
  expect({ text: toolCalls[0]?.arguments, finishReason }).toEqual({ text: '{"q":"英伟', finishReason: "length" });
});

it.each([
  ["先想一想。\n</think>\n\n答案是四。", "答案是四。", "先想一想。"],
  ["I should greet. </think>\n\nHello there.", "Hello there.", "I should greet."],
  ["先想。\n</think>答案。", "答案。", "先想。"],
  ["</think>", "", ""],
  ["</think>\n\n好。", "好。", ""],
])("finds reasoning that has only a closing tag in %j", async (text, content, reasoning) => {
  for (const pieceLength of [3, 1_000]) expect(await replyTo(say.text(text, { pieceLength }))).toMatchObject({ content, reasoning });
});

it.each(["标签 </think> 结束思考。", "```\n<a>\n</think>\n```\n这是标签。", "用 <think> 和\n</think>\n包起来。"])(
  "keeps a closing tag that the text is about: %j",
  async (text) => expect((await replyTo(say.text(text))).content).toBe(text),
);

it("retracts text that turns out to be reasoning", async () => {
  const text = `${"我先想一想这个问题。".repeat(30)} </think>\n\n你好，有什么可以帮忙？`;
  const server = await startModelServer([say.text(text)]);
  const effects = plainEffects();
  const heard: string[] = [];
  const restart = () => void heard.splice(0);
  const reply = await openModel(server).complete(REQUEST, { ...OPTIONS, onContent: (piece) => heard.push(piece), restart }, effects);
  expect([reply.content, heard.join("")]).toEqual(["你好，有什么可以帮忙？", "你好，有什么可以帮忙？"]);
  expect(effects.events.map(({ type }) => type).slice(-4)).toEqual(["call-restarted", "content", "call-ended", "usage"]);
  expect(effects.events.slice(-3)).toMatchObject([{ try: 2, delta: "你好，有什么可以帮忙？" }, { try: 2 }, {}]);
});

it("takes the first of several answers, whether they come in one chunk or apart", async () => {
  const choice = (index: number, content: string) => ({ index, delta: { content }, finish_reason: null });
  const apart = ["你", "好", "。"].flatMap((piece) => [{ choices: [choice(1, "别的")] }, { choices: [choice(0, piece)] }]);
  const beside = ["你", "好", "。"].map((piece) => ({ choices: [choice(1, "别的"), choice(0, piece)] }));
  for (const list of [apart, beside])
    expect(
      await replyTo(say.chunks([...list, { choices: [{ index: 1, delta: {}, finish_reason: "length" }] }, chunk({}, "stop")])),
    ).toMatchObject({ content: "你好。", finishReason: "stop" });
});
