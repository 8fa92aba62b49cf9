import { pbkdf2Sync } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { ServerProcess } from "../../../src/tools/mcp/server-process.ts";
import { startLoopback } from "../../fakes/loopback-server.ts";
import { makeFolder, odd } from "../../helpers/mcp-servers.ts";
import { isAlive } from "../../helpers/processes.ts";
import { openServers } from "./servers-under-test.ts";

const TOO_MUCH = "The MCP server odd sent more than";

it.each(["pings", "progress", "lines", "errors"])("ends a server that sends %s without end, and tries it again later", async (kind) => {
  const { dir, remove } = makeFolder();
  onTestFinished(remove);
  const file = join(dir, "pid");
  const { call, servers, failures } = openServers({ odd: odd("pid", file) });
  const flooded = { code: "unreachable", message: expect.stringContaining(TOO_MUCH) };
  await expect(call("odd", "flood", { kind }, "mutation")).rejects.toMatchObject(flooded);
  const pid = Number(await readFile(file, "utf8"));
  await expect.poll(() => isAlive(pid)).toBe(false);
  expect(failures).toMatchObject([["mcp:odd", flooded]]);
  expect(servers.states()[0]).toMatchObject({ lastTry: { failure: "unreachable" }, server: { connected: false } });
  await expect(call("odd", "bomb")).rejects.toThrow(/The next attempt is in 30 s\.$/);
});

it("answers a call during which its server tells much", async () => {
  const { call } = openServers({ odd: odd() });
  expect((await call("odd", "chatter")).text).toBe("说完了");
});

it.each(["a stream", "a list"])("ends a session in which a server sends messages without end as %s", async (form) => {
  const pings = Array.from({ length: 20_000 }, (_, id) => ({ jsonrpc: "2.0", id: `p${id}`, method: "ping" }));
  const [type, body] =
    form === "a list"
      ? ["application/json", JSON.stringify(pings)]
      : ["text/event-stream", pings.map((ping) => `data: ${JSON.stringify(ping)}\n\n`).join("")];
  const info = { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "odd", version: "1" } };
  const server = await startLoopback(async (request, response) => {
    const asked = await text(request);
    const { method, id } = asked === "" ? {} : JSON.parse(asked);
    if (method === "tools/call") return void response.writeHead(200, { "content-type": type }).end(body);
    if (method !== "initialize") return void response.writeHead(202).end();
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ jsonrpc: "2.0", id, result: info }));
  });
  onTestFinished(() => server.close());
  const { call } = openServers({ odd: { url: `${server.url}/mcp`, timeoutMs: 60_000 } });
  await expect(call("odd", "查询")).rejects.toMatchObject({ code: "unreachable", message: expect.stringContaining(TOO_MUCH) });
});

it("reads what a process sends at once in many turns of the event loop", async () => {
  const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
  const script = `process.stdout.write(${JSON.stringify(`${ping}\n`)}.repeat(100)); process.stdin.resume()`;
  const settings = { name: "many", command: process.execPath, args: ["-e", script], env: {}, cwd: null };
  const unwanted = (error: Error): never => {
    throw error;
  };
  const limits = { maxMessageBytes: 1_000, clock: () => 0, onStderr: () => undefined, onBroken: unwanted, onFlood: unwanted };
  const server = new ServerProcess(settings, limits);
  onTestFinished(() => server.close());
  let turn = 0;
  let counting = setImmediate(function count() {
    turn += 1;
    counting = setImmediate(count);
  });
  onTestFinished(() => clearImmediate(counting));
  const turns: number[] = [];
  const all = Promise.withResolvers<void>();
  server.onmessage = () => {
    pbkdf2Sync("口令", "salt", 5_000, 64, "sha512");
    if (turns.push(turn) === 100) all.resolve();
  };
  await server.start();
  await all.promise;
  expect(new Set(turns).size).toBeGreaterThan(20);
});

it("refuses to send more to a process that does not read", async () => {
  const settings = {
    name: "deaf",
    command: process.execPath,
    args: ["-e", "require('node:net').createServer().listen(0, '127.0.0.1')"],
    env: {},
    cwd: null,
  };
  const limits = { maxMessageBytes: 1_000, clock: () => 0, onStderr: () => undefined, onBroken: () => undefined, onFlood: () => undefined };
  const server = new ServerProcess(settings, limits);
  onTestFinished(() => server.close());
  await server.start();
  const said = { jsonrpc: "2.0" as const, method: "notifications/said", params: { text: "说".repeat(3_000_000) } };
  await server.send(said);
  await server.send(said);
  await expect(server.send(said)).rejects.toThrow("it does not read what it is sent");
});
