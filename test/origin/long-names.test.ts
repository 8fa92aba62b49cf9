import { expect, it } from "vitest";
import type { Behavior } from "../fakes/model-server/behavior.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf } from "../fakes/model-server/seen-request.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { startService } from "../helpers/start-service.ts";

const LONG = 1_000_000;

/** A call whose name and id come in pieces, as some servers send them. */
function inPieces(name: string, id: string): Behavior {
  const delta = (fields: object) => ({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...fields }] }, finish_reason: null }] });
  const pieces = Array.from({ length: 20 }, (_, at) => name.slice((at * name.length) / 20, ((at + 1) * name.length) / 20));
  const named = pieces.map((piece, at) => delta({ ...(at === 0 && { id }), function: { name: piece } }));
  return say.chunks([
    ...named,
    delta({ function: { arguments: "{}" } }),
    { choices: [{ index: 0, delta: {}, finish_reason: "tool_calls" }] },
  ]);
}

it("a tool name of a million characters is an unknown tool under a short name, and the run goes on", async () => {
  const model = await startModelServer([inPieces("搜索".repeat(LONG / 2), "9".repeat(LONG)), say.text("灯塔里烧鲸油。")]);
  const service = await startService({ environment: { OPENAI_BASE_URL: model.url, OPENAI_MODEL: "scripted", SOURCES: "corpus" } });
  const run = (await service.ask({ graph: "agent", question: "灯塔里烧什么？" })) as { id: string; report: { markdown: string } };
  expect(run.report.markdown).toContain("灯塔里烧鲸油");
  const [ended] = (await service.events(run.id)).flatMap((event) => (event.type === "tool-ended" ? [event] : []));
  expect(ended).toMatchObject({ ok: false, error: { code: "unknown_tool" } });
  expect(ended?.tool.length).toBe(129);
  expect(contentsOf(model.requests[1]!, "tool").join("")).toMatch(/There is no tool .{128}…\. There are: search/s);
  expect(JSON.stringify(model.requests[1]).length).toBeLessThan(100_000);
});
