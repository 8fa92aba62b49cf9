import { pbkdf2Sync } from "node:crypto";
import { expect, it, onTestFinished } from "vitest";
import { ServerProcess } from "../../../src/tools/mcp/server-process.ts";
import { odd } from "../../helpers/mcp-servers.ts";
import { openServers } from "./servers-under-test.ts";

it("answers a call during which its server tells much", async () => {
  const { call } = openServers({ odd: odd() });
  expect((await call("odd", "chatter")).text).toBe("说完了");
});

it("reads what a process sends at once in many turns of the event loop", async () => {
  const ping = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
  const script = `process.stdout.write(${JSON.stringify(`${ping}\n`)}.repeat(100)); process.stdin.resume()`;
  const settings = { name: "many", command: process.execPath, args: ["-e", script], env: {}, cwd: null };
  const unwanted = (error: Error): never => {
    throw error;
  };
  const limits = { maxMessageBytes: 1_000, onStderr: () => undefined, onBroken: unwanted };
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
  const limits = { maxMessageBytes: 1_000, onStderr: () => undefined, onBroken: () => undefined };
  const server = new ServerProcess(settings, limits);
  onTestFinished(() => server.close());
  await server.start();
  const said = { jsonrpc: "2.0" as const, method: "notifications/said", params: { text: "说".repeat(3_000_000) } };
  await server.send(said);
  await server.send(said);
  await expect(server.send(said)).rejects.toThrow("it does not read what it is sent");
});
