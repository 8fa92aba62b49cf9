import { describe, expect, it } from "vitest";
import { ask, callsIn, chunksIn, deltasIn, HELLO, TOOL } from "./model-server/ask.ts";
import * as say from "./model-server/behaviors.ts";
import { contentsOf, offeredTools } from "./model-server/seen-request.ts";
import { startModelServer } from "./model-server.ts";

describe("a scripted text answer", () => {
  it("comes in small pieces with reasoning, finish reason, and usage last if it was requested", async () => {
    const server = await startModelServer([
      say.text("你好，世界。", { reasoning: "想", usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3 } }),
    ]);
    const body = await (await ask(server, { stream_options: { include_usage: true } })).text();
    expect(deltasIn(body)).toEqual([
      { role: "assistant", content: "" },
      { reasoning_content: "想" },
      { content: "你好，世" },
      { content: "界。" },
      {},
    ]);
    expect(chunksIn(body).at(-2)?.choices[0]?.finish_reason).toBe("stop");
    expect(chunksIn(body).at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 3 } });
    expect(body.endsWith("data: [DONE]\n\n")).toBe(true);
  });

  it("has reasoning between tags and in both fields if the script says so", async () => {
    const server = await startModelServer([
      say.text("是", { reasoning: "想", reasoningIn: "think" }),
      say.text("是", { reasoning: "想", reasoningIn: "both" }),
    ]);
    const thought = deltasIn(await (await ask(server)).text()).map(({ content }) => content);
    expect(thought.join("")).toBe("<think>\n想\n</think>\n\n是");
    expect(deltasIn(await (await ask(server)).text())[1]).toEqual({ reasoning_content: "想", reasoning: "想" });
  });

  it("is cut in the middle of characters and lines, and whole when joined", async () => {
    const server = await startModelServer([say.text("财务报表：净利润", { cutBytes: 7 })]);
    const parts: Uint8Array[] = [];
    for await (const part of (await ask(server)).body ?? []) parts.push(part);
    expect(parts.some((part) => new TextDecoder().decode(part).includes("\ufffd"))).toBe(true);
    expect(parts.some((part) => part.length === 7)).toBe(true);
    const content = deltasIn(Buffer.concat(parts).toString()).map((delta) => delta["content"] ?? "");
    expect(content.join("")).toBe("财务报表：净利润");
  });

  it("is one JSON object if no stream was requested or the server ignores that", async () => {
    const server = await startModelServer([
      say.text("好", { usage: "none" }),
      say.asJson(say.toolCalls([{ name: "look_up", arguments: {} }])),
    ]);
    const plain = await ask(server, { stream: false });
    expect(await plain.json()).toMatchObject({
      object: "chat.completion",
      choices: [{ message: { content: "好" }, finish_reason: "stop" }],
    });
    const ignoring = await ask(server);
    expect(ignoring.headers.get("content-type")).toBe("application/json");
    const call = { id: "call_1_0", type: "function", function: { name: "look_up", arguments: "{}" } };
    expect(await ignoring.json()).toMatchObject({
      choices: [{ message: { content: null, tool_calls: [call] }, finish_reason: "tool_calls" }],
    });
  });
});

describe("scripted tool calls", () => {
  const CALLS = [
    { name: "look_up", arguments: { 词: "茅台" }, id: "a" },
    { name: "finish_task", arguments: {}, id: "b" },
  ];

  it("have OpenAI's form by default", async () => {
    const server = await startModelServer([say.toolCalls(CALLS, { pieceLength: 6 })]);
    expect(callsIn(await (await ask(server)).text())).toEqual([
      { index: 0, id: "a", type: "function", function: { name: "look_up", arguments: "" } },
      { index: 0, function: { arguments: '{"词":"' } },
      { index: 0, function: { arguments: '茅台"}' } },
      { index: 1, id: "b", type: "function", function: { name: "finish_task", arguments: "" } },
      { index: 1, function: { arguments: "{}" } },
    ]);
  });

  it("can have the forms of other servers", async () => {
    const server = await startModelServer([
      say.toolCalls(CALLS, { pieceLength: 20, form: { id: "0", arguments: "null", name: "empty-later", order: "interleaved" } }),
      say.toolCalls(CALLS, { form: { id: "absent", arguments: "whole", index: "missing" } }),
      say.toolCalls(CALLS.slice(0, 1), { pieceLength: 20, form: { id: "every", arguments: "missing", name: "every" } }),
    ]);
    expect(callsIn(await (await ask(server)).text())).toEqual([
      { index: 0, id: "0", type: "function", function: { name: "look_up", arguments: null } },
      { index: 1, id: "0", type: "function", function: { name: "finish_task", arguments: null } },
      { index: 0, function: { name: "", arguments: '{"词":"茅台"}' } },
    ]);
    expect(callsIn(await (await ask(server)).text())).toEqual([
      { type: "function", function: { name: "look_up", arguments: '{"词":"茅台"}' } },
      { type: "function", function: { name: "finish_task", arguments: "{}" } },
    ]);
    expect(callsIn(await (await ask(server)).text())).toEqual([
      { index: 0, id: "a", type: "function", function: { name: "look_up" } },
      { index: 0, id: "a", function: { name: "look_up", arguments: '{"词":"茅台"}' } },
    ]);
  });

  it("can stop in the middle of their JSON, with finish reason length or without an end", async () => {
    const call = { name: "look_up", arguments: '{"query":"茅台"}' };
    const server = await startModelServer([say.halfJson(call, { keep: 9 }), say.halfJson(call, { keep: 9, finishReason: null })]);
    const cut = await (await ask(server)).text();
    expect(chunksIn(cut).at(-1)?.choices[0]?.finish_reason).toBe("length");
    const open = await (await ask(server)).text();
    const sent = callsIn(open).map((entry) => (entry["function"] as { arguments: string }).arguments);
    expect(sent.join("")).toBe('{"query":');
    expect(chunksIn(open).every(({ choices }) => choices[0]?.finish_reason === null)).toBe(true);
    expect(open).not.toContain("[DONE]");
  });
});

describe("a recorded stream", () => {
  it("is sent byte for byte, and lists of chunks unchanged", async () => {
    const body = ': hello\r\n\r\ndata: {"choices":[]}\r\n\r\ndata: [DONE]\r\n\r\n';
    const server = await startModelServer([
      say.recorded(body),
      say.recorded(Buffer.from("数据"), { cutBytes: 1 }),
      say.chunks([{ choices: [] }, { error: { code: 1 } }], { done: false }),
    ]);
    expect(await (await ask(server)).text()).toBe(body);
    expect(await (await ask(server)).text()).toBe("数据");
    expect(await (await ask(server)).text()).toBe('data: {"choices":[]}\n\ndata: {"error":{"code":1}}\n\n');
  });
});

describe("a script that is a function", () => {
  it("receives the messages and tools of the request", async () => {
    const server = await startModelServer((request, index) =>
      say.text(`${index}:${contentsOf(request, "system").join()}:${offeredTools(request).join()}`, { pieceLength: 100 }),
    );
    const messages = [{ role: "system", content: "规划" }, ...HELLO];
    expect(deltasIn(await (await ask(server, { messages, tools: [TOOL] })).text())[1]).toEqual({ content: "0:规划:look_up" });
    expect(server.requests[0]?.body).toMatchObject({ model: "m", stream: true, messages });
  });

  it("leads to 500 if it returns nothing or throws, and the request is recorded", async () => {
    const server = await startModelServer((_, index) => {
      if (index === 1) throw new Error("no");
      return undefined;
    });
    expect([(await ask(server)).status, (await ask(server)).status]).toEqual([500, 500]);
    expect(server.unexpected).toEqual(["The script has nothing for request 1.", "The script failed at request 2: Error: no"]);
  });
});
