import { connect, type Socket } from "node:net";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { stopClock } from "../helpers/stopped-clock.ts";
import { turns } from "../helpers/turns.ts";
import { get, startApp } from "./app-under-test.ts";

const LARGE = "灯塔".repeat(1_000_000);

async function startWithText(text: string, options: { answerStallMs?: number } = {}) {
  const test = await startApp(options);
  test.runs.add();
  const path = `/research/run-1/documents/${test.runs.keep("run-1", text)}`;
  const sockets: Socket[] = [];
  test.app.server.on("connection", (socket: Socket) => sockets.push(socket));
  let reads = 0;
  const read = test.runs.document.bind(test.runs);
  test.runs.document = async (tenant, id, contentHash) => {
    reads++;
    return read(tenant, id, contentHash);
  };
  return { ...test, path, sockets, reads: () => reads };
}

/** Sends many requests at once on a connection that does not read yet. */
function pipeline(port: number, path: string, count: number): Socket {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.pause();
  socket.write(get(path, { Host: "localhost" }).replace("Connection: close\r\n", "").repeat(count));
  return socket;
}

describe("many requests on one connection that does not read", () => {
  it("hold one answer in the server's memory, and are answered in order once they are read", async () => {
    const { port, path, reads, sockets } = await startWithText(LARGE);
    const socket = pipeline(port, path, 20);
    await expect.poll(reads).toBeGreaterThan(0);
    await turns(2_000);
    expect(reads()).toBeLessThan(4);
    expect(sockets[0]?.writableLength).toBeLessThan(7_000_000);
    const HEAD = "HTTP/1.1 200 OK";
    let heads = 0;
    let bytes = 0;
    let before = ""; // a head may be torn between two chunks
    socket.on("data", (chunk) => {
      bytes += chunk.length;
      const text = before + chunk.toString("latin1");
      heads += text.split(HEAD).length - 1;
      before = text.slice(-(HEAD.length - 1));
    });
    socket.resume();
    await expect.poll(() => bytes).toBeGreaterThan(20 * 6_000_000);
    expect([reads(), heads]).toEqual([20, 20]);
    socket.destroy();
  });

  it("take turns with the requests of other connections", async () => {
    const { port, runs } = await startWithText("x");
    let turn = 0;
    let counting = setImmediate(function count() {
      turn += 1;
      counting = setImmediate(count);
    });
    onTestFinished(() => clearImmediate(counting));
    const turns: number[] = [];
    const get = runs.get.bind(runs);
    runs.get = async (tenant, id) => {
      turns.push(turn);
      return get(tenant, id);
    };
    const socket = pipeline(port, "/research/run-1", 60);
    await expect.poll(() => turns.length).toBe(60);
    expect(new Set(turns).size).toBe(60);
    socket.destroy();
  });

  it("make the description of the API only once", async () => {
    const { app, url } = await startApp();
    const swagger = vi.spyOn(app, "swagger");
    for (let count = 0; count < 3; count += 1) await (await fetch(`${url}/openapi.json`)).text();
    expect(swagger).toHaveBeenCalledTimes(1);
  });

  it("are dropped when the connection is gone", async () => {
    const { port, path, reads, sockets } = await startWithText(LARGE);
    const socket = pipeline(port, path, 50);
    await expect.poll(reads).toBeGreaterThan(0);
    const before = reads();
    socket.destroy();
    await expect.poll(() => sockets[0]?.destroyed).toBe(true);
    await turns(2_000);
    expect(reads()).toBeLessThanOrEqual(before + 3);
  });

  it("end the connection when there are more than a hundred of them", async () => {
    const { port, path, sockets, url } = await startWithText(LARGE);
    pipeline(port, path, 101 + 10);
    await expect.poll(() => sockets[0]?.destroyed).toBe(true);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });
});

describe("many connections that ask for large answers", () => {
  const CONNECTIONS = 20;

  /** Counts the pieces that are made between two checks for immediate work. Each takes longer than a turn may, and a turn has two phases. */
  function countPieces(): { piece: () => void; most: () => number; total: () => number } {
    let turn = 0;
    const pieces = new Map<number, number>();
    let counting = setImmediate(function count() {
      turn += 1;
      counting = setImmediate(count);
    });
    onTestFinished(() => clearImmediate(counting));
    const clock = stopClock();
    const piece = (): void => {
      clock.pass(6);
      pieces.set(turn, (pieces.get(turn) ?? 0) + 1);
    };
    return { piece, most: () => Math.max(...pieces.values()), total: () => pieces.values().reduce((sum, count) => sum + count, 0) };
  }

  it("take turns of the event loop for each piece of a recording", async () => {
    const { port, runs } = await startWithText("x");
    const { piece, most, total } = countPieces();
    runs.recording = async function* () {
      for (let line = 0; line < 4; line += 1) {
        piece();
        yield "{}\n";
      }
    };
    const sockets = Array.from({ length: CONNECTIONS }, () => pipeline(port, "/research/run-1/recording", 1));
    await expect.poll(total).toBe(4 * CONNECTIONS);
    expect(most()).toBeLessThanOrEqual(2);
    for (const socket of sockets) socket.destroy();
  });

  it("take turns of the event loop for each run", async () => {
    const { port, runs } = await startWithText("x");
    const { piece, most, total } = countPieces();
    const get = runs.get.bind(runs);
    runs.get = async (tenant, id) => {
      piece();
      return get(tenant, id);
    };
    const sockets = Array.from({ length: CONNECTIONS }, () => pipeline(port, "/research/run-1", 1));
    await expect.poll(total).toBe(CONNECTIONS);
    expect(most()).toBeLessThanOrEqual(2);
    for (const socket of sockets) socket.destroy();
  });
});

describe("an answer that the client does not read", () => {
  it("is dropped after its time limit", async () => {
    const { port, path, sockets } = await startWithText("x".repeat(30_000_000), { answerStallMs: 300 });
    pipeline(port, path, 1);
    await expect.poll(() => sockets[0]?.destroyed).toBe(true);
  });

  it("is dropped after its time limit if it is a recording, even with a large line", async () => {
    const { port, runs, sockets } = await startWithText("x", { answerStallMs: 300 });
    runs.end("run-1");
    runs.recordingLines = ["x".repeat(30_000_000)];
    pipeline(port, "/research/run-1/recording", 1);
    await expect.poll(() => sockets[0]?.destroyed).toBe(true);
  });

  it.each(["document", "recording"])("continues as long as the reader takes something now and then: a %s", async (what) => {
    const { port, path, runs, sockets } = await startWithText("x".repeat(30_000_000), { answerStallMs: 600_000 });
    runs.end("run-1");
    runs.recordingLines = ["x".repeat(30_000_000)];
    const socket = pipeline(port, what === "document" ? path : "/research/run-1/recording", 1);
    let bytes = 0;
    socket.on("data", (chunk) => {
      bytes += chunk.length;
    });
    for (let count = 1; count <= 8; count++) {
      socket.resume();
      await expect.poll(() => bytes).toBeGreaterThan(count * 1_000_000);
      socket.pause();
      await turns(100);
      expect(sockets[0]?.destroyed).toBe(false);
    }
    socket.resume();
    await expect.poll(() => bytes).toBeGreaterThan(30_000_000);
    socket.destroy();
  });

  it("does not cut off a client that waits for its run longer than that", async () => {
    const { url, port, path } = await startWithText("x", { answerStallMs: 900 });
    const waiting = fetch(`${url}/research`, {
      method: "POST",
      headers: { "content-type": "application/json", prefer: "wait=1" },
      body: '{"question":"灯塔是谁设计的？"}',
    });
    expect((await waiting).status).toBe(202);
    // The same on a connection that has already carried an answer.
    const socket = connect(port, "127.0.0.1");
    const body = '{"question":"q"}';
    const wait = `POST /research HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nPrefer: wait=1\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    socket.write(get(path, { Host: "localhost" }).replace("Connection: close\r\n", "") + wait);
    let answers = "";
    socket.on("data", (chunk) => {
      answers += chunk;
    });
    await expect.poll(() => answers).toContain("202 Accepted");
    socket.destroy();
  });
});
