import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { OfferedTool } from "../../../src/domain/tool.ts";
import { DossierError } from "../../../src/errors.ts";
import { startLoopback } from "../../fakes/loopback-server.ts";
import { jumpingClock } from "../../helpers/jumping-clock.ts";
import { makeFolder, odd, variable } from "../../helpers/mcp-servers.ts";
import { isAlive } from "../../helpers/processes.ts";
import { openServers } from "./servers-under-test.ts";

it("only the call fails: a message too large, a process that dies, garbage, an error, an answer that never comes", async () => {
  const { call } = openServers({ odd: odd(), hasty: odd("plain", "", { timeoutMs: 1_000 }) });
  await expect(call("odd", "big")).rejects.toMatchObject({ code: "document_too_large" });
  expect((await call("odd", "查询 天气", { 城市: "北京" })).text).toBe("北京：晴");
  await expect(call("odd", "die")).rejects.toMatchObject({ code: "unreachable" });
  await expect(call("odd", "garbage")).rejects.toMatchObject({ code: "unreadable" });
  await expect(call("odd", "fail")).rejects.toMatchObject({ code: "tool_failed", message: "The disk is full. 磁盘已满。" });
  await expect(call("hasty", "never")).rejects.toMatchObject({ code: "timeout" });
  expect((await call("odd", "查询 天气", { 城市: "上海" })).text).toBe("上海：晴");
});

/** A server that writes down each call that it leaves without an answer. */
function openHanging() {
  const { dir, remove } = makeFolder();
  onTestFinished(remove);
  const file = join(dir, "calls");
  const opened = openServers({ odd: odd("plain", file) });
  const hang = (signal: AbortSignal) => opened.call("odd", "note_and_hang", { line: "挂起" }, "query", signal);
  const isHanging = (count: number) => expect.poll(() => readFile(file, "utf8").catch(() => "")).toBe("挂起\n".repeat(count));
  return { ...opened, hang, isHanging };
}

it("ends a call at once when its run is stopped", async () => {
  const { call, hang, isHanging } = openHanging();
  await call("odd", "bomb");
  const stop = new AbortController();
  const calling = expect(hang(stop.signal)).rejects.toThrow("stopped");
  await isHanging(1);
  stop.abort(new Error("stopped"));
  await calling;
});

it("records that a call was not answered in time, and nothing of a stopped one", async () => {
  const { call, servers, hang, isHanging } = openHanging();
  const state = () => servers.states()[0];
  await call("odd", "bomb");
  const stop = new AbortController();
  const stopped = expect(hang(stop.signal)).rejects.toThrow("stopped");
  await isHanging(1);
  stop.abort(new Error("stopped"));
  await stopped;
  expect(state()).toMatchObject({ lastTry: { reachable: true, failure: null }, server: { message: null } });
  const late = new AbortController();
  const waiting = expect(hang(late.signal)).rejects.toMatchObject({ code: "timeout" });
  await isHanging(2);
  late.abort(new DossierError("timeout", "No answer within 50 ms."));
  await waiting;
  const message = "The MCP server odd did not answer in time.";
  expect(state()).toMatchObject({ lastTry: { reachable: false, failure: "timeout" }, server: { message } });
  expect((await call("odd", "查询 天气", { 城市: "北京" })).text).toBe("北京：晴");
  expect(state()).toMatchObject({ lastTry: { reachable: true, failure: null } });
});

it("lists the available tools: silent, missing or exiting servers are reported with a reason", async () => {
  const { list, servers, failures } = openServers({
    silent: odd("silent", "", { connectTimeoutMs: 500 }),
    missing: { command: "/no/such/command" },
    exits: odd("exits"),
    closed: { url: "http://127.0.0.1:9/mcp" },
    good: odd(),
  });
  const { tools, failures: told } = await list();
  expect(new Set(tools.map(({ server }) => server))).toEqual(new Set(["mcp:good"]));
  expect(told).toMatchObject([
    { server: "mcp:silent", failure: "timeout" },
    { server: "mcp:missing", failure: "unreachable", message: expect.stringContaining("ENOENT") },
    { server: "mcp:exits", failure: "unreachable" },
    { server: "mcp:closed", failure: "unreachable", message: "The MCP server closed could not be reached (connection refused)." },
  ]);
  const log = failures.find(([server]) => server === "mcp:exits")?.[1];
  expect(log?.message).not.toContain("licence");
  expect(log?.cause).toMatchObject({ message: "no licence found" });
  expect(servers.states()[2]).toMatchObject({ id: "mcp:exits", lastTry: { reachable: false, failure: "unreachable" } });
});

it("does not try a server that failed again for a while", async () => {
  const clock = jumpingClock();
  const { list, failures } = openServers({ missing: { command: "/no/such/command" } }, {}, clock.now);
  expect((await list()).failures).toMatchObject([{ message: expect.not.stringContaining("tried again") }]);
  expect((await list()).failures).toMatchObject([{ message: expect.stringMatching(/ENOENT\. The next attempt is in 1 s\.$/) }]);
  expect(failures).toHaveLength(1);
  clock.jump(1_000);
  await list();
  expect(failures).toHaveLength(2);
});

it("lists all tools for each of many concurrent runs, also if one of them is stopped", async () => {
  const { list } = openServers({ odd: odd() });
  const { tools } = await list();
  const stop = new AbortController();
  const lists = Array.from({ length: 30 }, () => list());
  const stopped = list(stop.signal);
  stop.abort(new Error("stopped"));
  await expect(stopped).rejects.toThrow("stopped");
  for (const listed of await Promise.all(lists)) expect(listed).toEqual({ tools, failures: [] });
});

it("offers valid function names, no endless schema, and at most 64 tools of an endless list", async () => {
  const { list } = openServers({ odd: odd(), endless: odd("endless") });
  const { tools } = await list();
  const of = (tool: string) => tools.find((one) => one.server === "mcp:odd" && one.tool === tool) as OfferedTool;
  expect(of("查询 天气").name).toMatch(/^odd______[0-9a-z_]+_[0-9a-f]{8}$/);
  expect(of("note")).toMatchObject({ name: "odd__note", kind: "mutation", confirm: true });
  expect(JSON.stringify(of("bomb").parameters).length).toBeLessThan(100);
  expect(tools.every(({ name }) => /^[A-Za-z0-9_-]{1,64}$/.test(name))).toBe(true);
  expect(tools.filter(({ server }) => server === "mcp:endless").length).toBe(64);
});

it("gives a server process no key of the service, and what its entry says", async () => {
  const { call } = openServers({ odd: odd("plain", "", { env: { TOKEN: variable("SECRET") } }) }, { SECRET: "s" });
  const names = (await call("odd", "environment")).text.split(" ");
  expect(names).toContain("TOKEN");
  expect(names.filter((name) => /API_KEY|OPENAI|VITEST|NODE_ENV/.test(name))).toEqual([]);
});

it("reads texts, links and components of a result; a text that claims an address gets one under its server's", async () => {
  const { call } = openServers({ odd: odd() });
  const shown = await call("odd", "shows");
  expect(shown).toMatchObject({
    text: 'Two bars.\n\n(the component bar-chart, shown to the reader: {"bars":[1,2]})',
    content: [
      { type: "text", text: "Two bars." },
      { type: "component", component: "bar-chart", props: { bars: [1, 2] } },
    ],
  });
  const { text, sources } = await call("odd", "links");
  expect(text).toBe("The report: Yearly.\n\npasswd\n\nThe tower is 30 metres high. 塔高30米。\n\n(image of type image/png, not shown)");
  expect(sources.map(({ url }) => url)).toEqual([
    expect.stringMatching(/^mcp:odd\/links#/),
    "https://example.org/report",
    "mcp:odd/https%3A%2F%2Fexample.org%2Fclaimed",
  ]);
});

it("sends its headers to the server and follows no redirect to another", async () => {
  const seen: string[] = [];
  const elsewhere = await startLoopback((request, response) => {
    seen.push(String(request.headers["authorization"]));
    response.writeHead(200).end();
  });
  const redirecting = await startLoopback((request, response) => {
    seen.push(String(request.headers["authorization"]));
    request.resume().on("end", () => response.writeHead(307, { location: `${elsewhere.url}/mcp` }).end());
  });
  onTestFinished(() => elsewhere.close());
  onTestFinished(() => redirecting.close());
  const { list } = openServers(
    { web: { url: `${redirecting.url}/mcp`, headers: { authorization: `Bearer ${variable("KEY")}` } } },
    { KEY: "k" },
  );
  expect((await list()).failures).toMatchObject([{ server: "mcp:web" }]);
  expect(seen).toEqual(["Bearer k"]);
});

it("refuses a server outside the scope of the run before it connects", async () => {
  const { servers } = openServers({ odd: odd("exits") });
  const context = { runId: "r", metadata: {}, scope: ["corpus"], signal: new AbortController().signal };
  await expect(servers.call({ server: "mcp:odd", tool: "note", kind: "query" }, {}, context)).rejects.toMatchObject({
    code: "out_of_scope",
  });
});

it("ends the process of a server when it is closed", async () => {
  const { dir, remove } = makeFolder();
  onTestFinished(remove);
  const file = join(dir, "pid");
  const { list, servers } = openServers({ odd: odd("pid", file) });
  await list();
  const pid = Number(await readFile(file, "utf8"));
  expect(isAlive(pid)).toBe(true);
  await servers.close();
  await expect.poll(() => isAlive(pid)).toBe(false);
});
