import { expect, it, onTestFinished, vi } from "vitest";
import * as say from "../fakes/model-server/behaviors.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { plainEffects } from "../helpers/plain-effects.ts";
import { OPTIONS, openModel, REQUEST, tool } from "./model-under-test.ts";

it("streams content and reasoning, and emits the end of the call and its usage", async () => {
  const server = await startModelServer([say.text("你好，世界。", { reasoning: "想一想" })]);
  const effects = plainEffects();
  const reply = await openModel(server).complete(REQUEST, OPTIONS, effects);
  expect(reply).toMatchObject({ content: "你好，世界。", reasoning: "想一想", toolCalls: [], finishReason: "stop" });
  expect(effects.events.map(({ type }) => type).slice(-2)).toEqual(["call-ended", "usage"]);
  expect(effects.events.flatMap((event) => (event.type === "content" ? [event.delta] : [])).join("")).toBe("你好，世界。");
});

it("returns tool calls unchanged", async () => {
  const server = await startModelServer([say.toolCalls([{ name: "look_up", arguments: { q: "中" } }])]);
  const effects = plainEffects();
  const reply = await openModel(server).complete({ ...REQUEST, tools: [tool("look_up")] }, OPTIONS, effects);
  expect(reply.finishReason).toBe("tool_calls");
  expect(reply.toolCalls).toEqual([{ id: expect.any(String), name: "look_up", arguments: '{"q":"中"}' }]);
  expect(effects.events.map(({ type }) => type)).toEqual(["tool-calls", "call-ended", "usage"]);
});

it("emits the same for a response that is not streamed", async () => {
  const effects = { ...plainEffects(), stream: async () => ({ ...REPLY, costUsd: 0.5 }) as never };
  const reply = await openModel({ url: "http://127.0.0.1:9/v1" }).complete(REQUEST, OPTIONS, effects);
  expect(reply).toEqual(REPLY);
  expect(effects.events.map((event) => [event.type, "delta" in event ? event.delta : ""])).toEqual([
    ["reasoning", "想"],
    ["content", "好"],
    ["tool-calls", ""],
    ["call-ended", ""],
    ["usage", ""],
  ]);
});

const REPLY = {
  content: "好",
  reasoning: "想",
  toolCalls: [{ id: "1", name: "look_up", arguments: "{}" }],
  finishReason: "tool_calls" as const,
  model: "m",
  usage: { inputTokens: 1, outputTokens: 2, estimated: false },
};

it("shows readers what the filters pass on, and the rest at the end", async () => {
  const server = await startModelServer([say.text("甲乙丙")]);
  const effects = plainEffects();
  const held: string[] = [];
  const content = () => ({ push: (piece: string) => (held.push(piece) > 0 ? "" : piece), end: () => held.join("").toUpperCase() });
  const heard: string[] = [];
  await openModel(server).complete(REQUEST, { ...OPTIONS, shown: { content }, onContent: (piece) => heard.push(piece) }, effects);
  expect(effects.events[0]).toEqual({ type: "content", node: "agent", callId: "call1", try: 1, delta: "甲乙丙", draft: true });
  expect(heard.join("")).toBe("甲乙丙");
});

it("gathers tokens into a few pieces, the first of which is passed on at once", async () => {
  const words = "每一个字都是一个片段。".repeat(200);
  const sent = words.length / 20;
  const heard = Promise.withResolvers<void>();
  // The server sends its second piece after the reader has the first.
  const server = await startModelServer([say.held(say.text(words, { pieceLength: 20 }), { at: 1, until: heard.promise })]);
  const effects = plainEffects();
  await openModel(server).complete(REQUEST, { ...OPTIONS, onContent: () => heard.resolve() }, effects);
  expect(effects.pieces[0]).toMatchObject({ content: "每一个字都是一个片段。每一个字都是一个片" });
  expect(effects.pieces.length).toBeLessThan(sent / 2);
});

it("reads Chinese that is split inside a character", async () => {
  for (const cutBytes of [1, 2, 3, 5, 7]) {
    const server = await startModelServer([
      say.text("财务报表：净利润增长 😀 三成。", { reasoning: "先看年报。", reasoningIn: "think", cutBytes }),
    ]);
    const reply = await openModel(server).complete(REQUEST, OPTIONS, plainEffects());
    expect(reply).toMatchObject({ content: "财务报表：净利润增长 😀 三成。", reasoning: "先看年报。" });
  }
});

it("asks a server once for its model if no name is configured", async () => {
  const server = await startModelServer([say.repeat(say.text("好"))], { models: ["qwen3", "other"] });
  const model = openModel(server);
  await model.complete({ ...REQUEST, model: "" }, OPTIONS, plainEffects());
  await model.complete({ ...REQUEST, model: "" }, OPTIONS, plainEffects());
  expect(server.requests.map(({ body }) => body.model)).toEqual(["qwen3", "qwen3"]);
});

it("sends nothing from environment variables that the configuration does not contain", async () => {
  const environment = {
    OPENAI_API_KEY: "env-key-000",
    OPENAI_ORG_ID: "env-org",
    OPENAI_ORGANIZATION: "env-org",
    OPENAI_PROJECT_ID: "env-project",
    OPENAI_BASE_URL: "http://127.0.0.1:9/v1",
    OPENAI_CUSTOM_HEADERS: "x-env: 1",
    OPENAI_LOG: "debug",
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  const said = vi.spyOn(console, "log");
  const server = await startModelServer([say.text("好")]);
  await openModel(server).complete(REQUEST, OPTIONS, plainEffects());
  const headers = server.requests[0]?.headers;
  expect(headers?.authorization).toBeUndefined();
  expect(JSON.stringify(headers)).not.toContain("env");
  expect(said).not.toHaveBeenCalled();
});
