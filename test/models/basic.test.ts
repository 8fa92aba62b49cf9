import { expect, it } from "vitest";
import * as say from "../fakes/model-server/behaviours.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { plainEffects } from "../helpers/plain-effects.ts";
import { OPTIONS, openModel, REQUEST, tool } from "./model-under-test.ts";

it("streams content and reasoning, and says what the call took", async () => {
  const server = await startModelServer([say.text("你好，世界。", { reasoning: "想一想" })]);
  const effects = plainEffects();
  const reply = await openModel(server).complete(REQUEST, OPTIONS, effects);
  expect(reply).toMatchObject({ content: "你好，世界。", reasoning: "想一想", toolCalls: [], finishReason: "stop" });
  expect(effects.events.map(({ type }) => type).slice(-2)).toEqual(["call-ended", "usage"]);
  expect(effects.events.flatMap((event) => (event.type === "content" ? [event.delta] : [])).join("")).toBe("你好，世界。");
});

it("gives tool calls", async () => {
  const server = await startModelServer([say.toolCalls([{ name: "look_up", arguments: { q: "中" } }])]);
  const effects = plainEffects();
  const reply = await openModel(server).complete({ ...REQUEST, tools: [tool("look_up")] }, OPTIONS, effects);
  expect(reply.finishReason).toBe("tool_calls");
  expect(reply.toolCalls).toEqual([{ id: expect.any(String), name: "look_up", arguments: '{"q":"中"}' }]);
  expect(effects.events.map(({ type }) => type)).toEqual(["tool-calls", "call-ended", "usage"]);
});
