import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import * as say from "../../fakes/model-server/behaviors.ts";
import { contentsOf, offeredTools, type SeenRequest } from "../../fakes/model-server/seen-request.ts";
import { everything, filesystem, odd, startEverything } from "../../helpers/mcp-servers.ts";
import { expectReplay, openWithServers } from "./mcp-under-test.ts";

const call = (name: string, args: unknown = {}) => ({ name, arguments: args as Record<string, unknown> });
const ended = (of: { tool: string; ok: boolean; error: { code: string } | null }[]) =>
  of.map(({ tool, ok, error }) => [tool, ok ? "ok" : error?.code]);

it("uses tools of two servers in one run of the agent, over stdio and HTTP, and cites their results", async () => {
  const web = await startEverything();
  onTestFinished(web.kill);
  const { ask, dossier, dir, model } = await openWithServers(
    (request) =>
      [
        say.toolCalls([call("files__read_text_file", { path: join(dir, "灯塔.txt") }), call("web__get-sum", { a: 1874, b: 100 })]),
        say.toolCalls([call("files__read_text_file", { path: 7 }), call("nowhere__echo")]),
        say.text('灯塔建于1874年。[S1: "灯塔建于1874年"]'),
      ][contentsOf(request, "tool").length / 2],
    (folder) => ({ files: filesystem(folder), web: { url: web.url } }),
  );
  const { run, of } = await ask("agent", "灯塔哪年建的？");
  expect(run).toMatchObject({ status: "succeeded", termination: { reason: "answered" }, usage: { toolCalls: 2 } });
  expect(ended(of("tool-ended")).toSorted()).toEqual([
    ["files__read_text_file", "invalid_arguments"],
    ["files__read_text_file", "ok"],
    ["nowhere__echo", "unknown_tool"],
    ["web__get-sum", "ok"],
  ]);
  expect(run.report?.citations.map(({ quote }) => quote)).toEqual(["灯塔建于1874年"]);
  expect(run.report?.sources[0]).toMatchObject({ kind: "tool", foundBy: "files__read_text_file" });
  expect(offeredTools(model.requests[0] as SeenRequest)).toContain("web__echo");
  expect(contentsOf(model.requests[1] as SeenRequest, "tool")[1]).toContain("The sum of 1874 and 100 is 1974.");
  expect(model.refused).toEqual([]);
  await expectReplay(dossier, run.id);
});

it("distinguishes equal tool names of two servers, and continues if a server is killed during the run", async () => {
  const web = await startEverything();
  onTestFinished(web.kill);
  const { ask, dossier, model } = await openWithServers(
    async (request) => {
      const results = contentsOf(request, "tool").length;
      if (results === 0) return say.toolCalls([call("eins__echo", { message: "a" }), call("web__echo", { message: "b" })]);
      if (results > 2) return say.text("两个都回答了。");
      await web.kill();
      return say.toolCalls([call("eins__echo", { message: "c" }), call("web__echo", { message: "d" })]);
    },
    () => ({ eins: everything({ allowMutations: true }), web: { url: web.url, allowMutations: true } }),
  );
  const { run, of } = await ask("agent", "谁在回答？");
  expect(run).toMatchObject({ status: "succeeded", termination: { reason: "answered" } });
  expect(ended(of("tool-ended")).toSorted()).toEqual([
    ["eins__echo", "ok"],
    ["eins__echo", "ok"],
    ["web__echo", "ok"],
    ["web__echo", "unreachable"],
  ]);
  expect(run.report?.ledger).toContainEqual(expect.objectContaining({ source: "web__echo", outcome: "failed", failure: "unreachable" }));
  expect(contentsOf(model.requests[1] as SeenRequest, "tool").map((text) => text.includes("Echo: a") || text.includes("Echo: b"))).toEqual([
    true,
    true,
  ]);
  expect(dossier.operations.sources().find(({ id }) => id === "mcp:web")).toMatchObject({
    kind: "mcp",
    lastTry: { reachable: false, failure: "unreachable" },
    server: { connected: false },
  });
  await expectReplay(dossier, run.id);
});

it("never fails because of a server: one is missing, one is silent, one dies, sends garbage, too much, or never answers", async () => {
  const hostile = ["big", "die", "garbage", "fail", "never", "shows"];
  const { ask, dossier } = await openWithServers(
    (request) =>
      contentsOf(request, "tool").length === 0
        ? say.toolCalls(hostile.map((name) => call(`odd${hostile.indexOf(name)}__${name}`)))
        : say.text("没有更多了。"),
    () => ({
      ...Object.fromEntries(
        hostile.map((name, index) => [`odd${index}`, odd("plain", "", { timeoutMs: name === "never" ? 300 : 20_000 })]),
      ),
      gone: { command: "/no/such/command" },
      silent: odd("silent", "", { connectTimeoutMs: 300 }),
    }),
  );
  const { run, of } = await ask("agent", "天气怎么样？");
  expect(run).toMatchObject({ status: "succeeded", termination: { reason: "answered" } });
  expect(Object.fromEntries(of("tool-ended").map(({ tool, ok, error }) => [tool, ok ? "ok" : error?.code]))).toEqual({
    odd0__big: "document_too_large",
    odd1__die: "unreachable",
    odd2__garbage: "unreadable",
    odd3__fail: "tool_failed",
    odd4__never: "timeout",
    odd5__shows: "ok",
  });
  const failures = run.report?.ledger.filter(({ target, failure }) => target !== "tools/list" && failure !== null);
  expect(Object.fromEntries((failures ?? []).map(({ source, failure }) => [source, failure]))).toEqual({
    odd0__big: "document_too_large",
    odd1__die: "unreachable",
    odd2__garbage: "unreadable",
    odd3__fail: "tool_failed",
    odd4__never: "timeout",
  });
  const row = dossier.operations.sources().find(({ id }) => id === "mcp:odd4");
  expect(row).toMatchObject({
    lastTry: { reachable: false, failure: "timeout" },
    server: { message: expect.stringContaining("in time.") },
  });
  expect(of("component")).toMatchObject([{ component: "bar-chart", props: { bars: [1, 2] }, partial: false }]);
  expect(of("source-failed").map(({ source, failure }) => [source, failure])).toEqual([
    ["mcp:gone", "unreachable"],
    ["mcp:silent", "timeout"],
  ]);
  expect(run.report?.ledger.filter(({ target }) => target === "tools/list").map(({ source }) => source)).toEqual([
    "mcp:gone",
    "mcp:silent",
  ]);
  await expectReplay(dossier, run.id);
});

it("starts with a server in its scope that is disabled, and says so in the server's ledger row", async () => {
  const { ask, dossier } = await openWithServers(
    () => say.text("Nothing to do."),
    () => ({ good: odd(), off: odd("plain", "", { enabled: false }) }),
  );
  const row = dossier.operations.sources().find(({ id }) => id === "mcp:off");
  expect(row).toMatchObject({ id: "mcp:off", title: "MCP server off (disabled)", configured: false, lastTry: null });
  expect((await ask("agent", "灯塔哪年建的？")).run.status).toBe("succeeded");
  const named = ask("agent", "灯塔哪年建的？", { sources: ["corpus", "mcp:off"] });
  await expect(named).rejects.toMatchObject({ code: "unknown_source" });
});

it("names an HTTP server that is down by its name, never by its address", async () => {
  const { ask, dossier } = await openWithServers(
    () => say.text("Nothing to do."),
    () => ({ wiki: { url: "http://127.0.0.1:9/secret-token/mcp" } }),
  );
  const { run, of } = await ask("agent", "灯塔哪年建的？");
  const message = "The MCP server wiki could not be reached (connection refused).";
  expect(of("source-failed")).toMatchObject([{ source: "mcp:wiki", failure: "unreachable", message }]);
  expect(run.report?.ledger).toMatchObject([{ source: "mcp:wiki", detail: message }]);
  expect(dossier.operations.sources().find(({ id }) => id === "mcp:wiki")?.server?.message).toBe(message);
});

it("sends a server the run id and the metadata of the request, but nothing under reserved names of the protocol", async () => {
  const { ask, model } = await openWithServers(
    (request) => (contentsOf(request, "tool").length > 0 ? say.text("Done.") : say.toolCalls([call("odd__meta")])),
    () => ({ odd: odd() }),
  );
  const metadata = { currentResourceId: "资源-7", currentTaskId: 12, progressToken: "x", "modelcontextprotocol.io/x": 1 };
  const { run } = await ask("agent", "谁在问？", { metadata });
  const told = contentsOf(model.requests[1] as SeenRequest, "tool").join("\n");
  for (const part of ['"currentResourceId":"资源-7"', '"currentTaskId":12', `"runId":"${run.id}"`]) expect(told).toContain(part);
  expect(told).not.toMatch(/"progressToken":"x"|modelcontextprotocol/);
});
