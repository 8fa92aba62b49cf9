import { expect, it } from "vitest";
import type { Behavior } from "../fakes/model-server/behavior.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { plainEffects } from "../helpers/plain-effects.ts";
import { OPTIONS, openModel, REQUEST, tool } from "./model-under-test.ts";

const OFFERED = { ...REQUEST, maxOutputTokens: 100_000, tools: [tool("search"), tool("finish_task"), tool("ask_user")] };
const UNLIMITED = { ...OPTIONS, limits: { ...OPTIONS.limits, tokens: 1_000_000 } };

async function call(behavior: Behavior, change: Partial<typeof OFFERED> = {}) {
  const server = await startModelServer([behavior]);
  const effects = plainEffects();
  const reply = await openModel(server).complete({ ...OFFERED, ...change }, UNLIMITED, effects);
  return { server, effects, reply };
}

it.each(["content", "reasoning_content"] as const)("stops a megabyte of repetition in %s after a few thousand characters", async (into) => {
  const { reply } = await call(say.repetition({ bytes: 1_000_000 }, { into }));
  expect(reply.finishReason).toBe("repetition");
  expect(into === "content" ? reply.content : reply.reasoning).toBe("I will look again. 我再看一遍。");
});

it("does not read the rest of repeated output", async () => {
  const { reply, server } = await call(say.repetition({ bytes: 15_000_000 }));
  expect(reply.finishReason).toBe("repetition");
  await expect.poll(() => server.aborted()).toBe(1);
});

it.each(["constructor", "__proto__", "eos"])("reads the unknown finish reason %s as stop", async (finishReason) => {
  expect((await call(say.text("好。", { finishReason }))).reply).toMatchObject({ content: "好。", finishReason: "stop" });
});

it("accepts a text with many similar phrases", async () => {
  const text = Array.from({ length: 300 }, (_, at) => `| ${at} | 增长 | 10 % |\n`).join("");
  expect((await call(say.text(text))).reply).toMatchObject({ content: text, finishReason: "stop" });
});

const paragraph = Array.from({ length: 400 }, (_, at) => `w${(at * 7_919) % 9_973}`).join(" ");
it("stops a long paragraph that is repeated", async () => {
  for (const pieceLength of [20, 100_000]) {
    const { reply } = await call(say.text(`${paragraph}\n\n`.repeat(50), { pieceLength }));
    expect(reply).toMatchObject({ content: `${paragraph}\n\n`, finishReason: "repetition" });
  }
});

const REFRAIN = "Row, row on, through the mist and the rain,\nthe river will carry us homeward again.\n\n";
it.each([
  [
    "a table of numbers",
    Array.from({ length: 200 }, (_, at) => `| ${1_800 + at} | ${(at * 37) % 101} | ${at % 7}.${at % 10} | 0 |\n`).join(""),
  ],
  ["code", Array.from({ length: 200 }, (_, at) => `  values[${at}] = readTheValueOf(source, ${at});\n`).join("")],
  [
    "a poem with a refrain",
    Array.from(
      { length: 40 },
      (_, at) => `The ${"abcdefghij"[at % 10]}${"klmn"[at % 4]} of day ${at * at} rose over ${at} hills.\n${REFRAIN}`,
    ).join(""),
  ],
  ["a list", Array.from({ length: 200 }, (_, at) => `${at}. Town ${(at * 7_919) % 9_973} has ${(at * 31) % 97} lamps.\n`).join("")],
  ["名单", Array.from({ length: 300 }, (_, at) => `${1_700 + at} 年：净利润 ${at * 3} 万元。\n`).join("")],
])("accepts %s", async (_, text) => {
  expect((await call(say.text(text, { pieceLength: 50 }))).reply).toMatchObject({ content: text, finishReason: "stop" });
});

it.each([50, 3_000_000])("stops an answer that is longer than requested, in pieces of %i characters", async (pieceLength) => {
  const sentences = (count: number) => Array.from({ length: count }, (_, at) => `第${at}句。`).join("");
  const { reply } = await call(say.text(sentences(6_000), { pieceLength }), { maxOutputTokens: 1_000 });
  expect(reply.finishReason).toBe("length");
  expect(reply.content).toBe(sentences(6_000).slice(0, reply.content.length));
  expect(reply.content.length).toBeGreaterThan(3_000);
  expect(reply.content.length).toBeLessThan(8_000);
});

it("reads no more reasoning and arguments than requested", async () => {
  const words = Array.from({ length: 20_000 }, (_, at) => `w${(at * 7_919) % 99_991}`).join(" ");
  const thought = await call(say.text("好。", { reasoning: words, pieceLength: 1_000_000 }), { maxOutputTokens: 1_000 });
  expect(thought.reply).toMatchObject({ finishReason: "length", content: "", reasoning: words.slice(0, 7_000) });
  const search = { name: "search", arguments: JSON.stringify({ q: words }) };
  const { reply } = await call(say.toolCalls([search], { form: { arguments: "whole" } }), { maxOutputTokens: 1_000 });
  expect(reply).toMatchObject({ finishReason: "length", toolCalls: [{ name: "search", arguments: `{"q":"${words.slice(0, 6_994)}` }] });
});

it("accepts a complete answer of exactly the requested tokens", async () => {
  const text = Array.from({ length: 1_500 }, (_, at) => String.fromCharCode(0x4e00 + ((at * 7) % 5_000))).join("");
  expect((await call(say.text(text), { maxOutputTokens: 1_000 })).reply).toMatchObject({ content: text, finishReason: "stop" });
});

it("stops a response of hundreds of calls", async () => {
  const calls = Array.from({ length: 400 }, (_, at) => ({ name: "search", arguments: { q: `问题 ${at}` } }));
  const { reply } = await call(say.toolCalls(calls, { form: { arguments: "whole" } }));
  expect(reply.finishReason).toBe("length");
  expect(reply.toolCalls.length).toBeLessThan(140);
});

it("stops the response when a second call that ends the loop is complete, and keeps the first", async () => {
  const calls = Array.from({ length: 10 }, () => ({ name: "finish_task", arguments: { summary: "完成了 {}" } }));
  const { reply, server, effects } = await call(say.hang({ after: 40, of: say.toolCalls(calls) }), { stopTools: ["finish_task"] });
  expect(reply).toMatchObject({ finishReason: "cut", toolCalls: [{ name: "finish_task", arguments: '{"summary":"完成了 {}"}' }] });
  expect(reply.toolCalls).toHaveLength(1);
  expect(effects.events.filter(({ type }) => type === "tool-calls")).toHaveLength(1);
  await expect.poll(() => server.aborted()).toBe(1);
});

it.each(["pieces", "whole", "null", "missing"] as const)("keeps one of ten calls without arguments, sent as %s", async (form) => {
  const calls = Array.from({ length: 10 }, () => ({ name: "finish_task", arguments: {} }));
  const { reply } = await call(say.toolCalls(calls, { form: { arguments: form } }), { stopTools: ["finish_task"] });
  expect(reply.finishReason).toBe("cut");
  expect(reply.toolCalls).toEqual([{ id: expect.any(String), name: "finish_task", arguments: "{}" }]);
});

it("keeps the calls before the second one that ends the loop", async () => {
  const finish = { name: "finish_task", arguments: { summary: "好" } };
  const ask = { name: "ask_user", arguments: { question: "哪一座？" } };
  const { reply } = await call(say.toolCalls([{ name: "search", arguments: { q: "一" } }, finish, ask, finish, ask]), {
    stopTools: ["finish_task"],
  });
  expect(reply.toolCalls.map(({ name }) => name)).toEqual(["search", "finish_task", "ask_user"]);
  const once = await call(say.toolCalls([finish, ask]), { stopTools: ["finish_task"] });
  expect(once.reply).toMatchObject({ finishReason: "tool_calls", toolCalls: [{ name: "finish_task" }, { name: "ask_user" }] });
});
