import { connect, type Socket } from "node:net";
import { describe, expect, it } from "vitest";
import { turns } from "../helpers/turns.ts";
import { type AppUnderTest, startApp } from "./app-under-test.ts";

const PAGE_BYTES = 200_000;

/** A run with hundreds of megabytes of events, and access to the server's sockets. */
async function startWithMuchToTell(options: {
  stallMs: number;
  heartbeatMs?: number;
  events?: number;
}): Promise<AppUnderTest & { sockets: Socket[] }> {
  const test = await startApp({ stallMs: options.stallMs, heartbeatMs: options.heartbeatMs ?? 5_000 });
  const sockets: Socket[] = [];
  test.app.server.on("connection", (socket: Socket) => sockets.push(socket));
  test.runs.pageSize = 1;
  test.runs.add();
  const delta = "x".repeat(PAGE_BYTES);
  for (let count = 0; count < (options.events ?? 1_000); count++)
    test.runs.say("run-1", { type: "content", node: "n", callId: "c", try: 1, delta });
  return { ...test, sockets };
}

function readNothing(port: number): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.write("GET /research/run-1/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
  socket.pause();
  return socket;
}

describe("a reader that does not read", () => {
  it("stops the reading of pages, and costs the server one page of memory", async () => {
    const { port, runs, sockets } = await startWithMuchToTell({ stallMs: 600_000 });
    const reader = readNothing(port);
    await expect.poll(() => runs.pagesTaken).toBeGreaterThan(0);
    // A server that reads a page in each turn would have read them all.
    await turns(2_000);
    const taken = runs.pagesTaken;
    expect(taken).toBeLessThan(200);
    expect(sockets[0]?.writableLength).toBeGreaterThan(0);
    expect(sockets[0]?.writableLength).toBeLessThan(2 * PAGE_BYTES);
    reader.on("data", () => undefined).resume();
    await expect.poll(() => runs.pagesTaken).toBeGreaterThan(taken + 50);
    reader.destroy();
    await expect.poll(() => runs.followers).toBe(0);
  });

  it("is disconnected in the end, and its follow is released", async () => {
    const { port, runs, sockets } = await startWithMuchToTell({ stallMs: 300 });
    const reader = readNothing(port);
    await expect.poll(() => runs.followers).toBe(1);
    await expect.poll(() => sockets[0]?.destroyed).toBe(true);
    await expect.poll(() => runs.followers).toBe(0);
    reader.destroy();
  });

  it("gets no heartbeats while data is waiting for it, and gets them again when it has read", async () => {
    const { port, runs, sockets } = await startWithMuchToTell({ stallMs: 600_000, heartbeatMs: 10, events: 100 });
    runs.pageSize = 100;
    const reader = readNothing(port);
    await expect.poll(() => runs.pagesTaken).toBe(1);
    await turns(2_000);
    expect(sockets[0]?.writableLength).toBeGreaterThan(0);
    expect(runs.pagesTaken).toBe(1);
    reader.on("data", () => undefined).resume();
    await expect.poll(() => runs.pagesTaken).toBeGreaterThan(5);
    reader.destroy();
  });
});
