import { expect, it } from "vitest";
import { logLineOf } from "../../src/runs/log-line.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { offeredTools } from "../fakes/model-server/seen-request.ts";
import { startTool } from "../helpers/finding-tool.ts";
import { askModel } from "../helpers/with-model.ts";

const QUESTION = "奥尔德穆尔灯塔建于哪一年？";

it("prints a run line by line: the offered tools, each call with its arguments, the sources of hits, and why it ended", async () => {
  const tools = [await startTool("alpha"), await startTool("beta")];
  const rounds = [["alpha"], ["alpha", "beta"], []];
  let round = 0;
  const { events } = await askModel(
    (request) => {
      if (offeredTools(request).length === 0) return say.text(`灯塔建于1874年。[P1: "奥尔德穆尔灯塔建于1874年"]`);
      const names = rounds[round++] ?? [];
      if (names.length === 0) return say.text("已经足够。");
      return say.toolCalls(names.map((name) => ({ name, arguments: { query: `灯塔 ${round}` } })));
    },
    { question: QUESTION },
    { parts: { tools } },
  );
  const lines = events.flatMap((event) => logLineOf(event as never) ?? []).map(({ message, fields }) => [message, fields]);
  const offered = { toolsOffered: ["alpha", "beta"] };
  const call = (tool: string, of: number) => ({ tool, arguments: { query: `灯塔 ${of}` } });
  expect(lines.filter(([message]) => message !== "model called")).toEqual([
    ["decision", expect.objectContaining({ ...offered, round: 0, resultsBySource: {}, totalResults: 0, calls: [call("alpha", 1)] })],
    ["tool started", call("alpha", 1)],
    ["tool ended", expect.objectContaining({ ...call("alpha", 1), ok: true, results: 1, reused: false })],
    ["round ended", { round: 1, results: 1, totalResults: 1 }],
    [
      "decision",
      expect.objectContaining({
        ...{ ...offered, round: 1, resultsBySource: { alpha: 1 }, totalResults: 1 },
        calls: [call("alpha", 2), call("beta", 2)],
      }),
    ],
    ["tool started", call("alpha", 2)],
    ["tool started", call("beta", 2)],
    ["tool ended", expect.objectContaining({ results: 1 })],
    ["tool ended", expect.objectContaining({ results: 1 })],
    ["round ended", { round: 2, results: 2, totalResults: 3 }],
    ["decision", expect.objectContaining({ resultsBySource: { alpha: 2, beta: 1 }, totalResults: 3, calls: [], reason: "已经足够。" })],
    ["loop ended", { reason: "sufficient", rounds: 2 }],
    ["run ended", expect.objectContaining({ status: "succeeded" })],
  ]);
});

it("cuts arguments that are long", () => {
  const line = logLineOf({ type: "tool-started", tool: "alpha", arguments: { query: "长".repeat(5_000) }, callId: "c" });
  expect(String(line?.fields["arguments"])).toMatch(/^\{"query":"长+…$/);
  expect(String(line?.fields["arguments"]).length).toBe(1_001);
});
