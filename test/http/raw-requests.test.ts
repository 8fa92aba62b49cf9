import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { answerClientError } from "../../src/http/problems.ts";
import { exchange, get, startApp } from "./app-under-test.ts";

describe("bytes that are not a valid HTTP request", () => {
  it.each([
    ["noise", "\x16\x03\x01 hello\r\n\r\n", 400],
    ["a header without a name", "GET / HTTP/1.1\r\nHost: localhost\r\n: x\r\n\r\n", 400],
    ["two lengths", "POST /research HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx", 400],
    [
      "a length beside chunks",
      "POST /research HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    ["headers without end", `GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${"x".repeat(40_000)}\r\n\r\n`, 431],
    ["an expectation nobody meets", get("/healthz", { Host: "localhost", Expect: "miracles" }), 417],
    ["no Host", get("/research", {}), 400],
    ["two Hosts", "GET /research HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n", 400],
  ])("are answered with a problem: %s", async (_what, bytes, status) => {
    const { port, runs } = await startApp();
    const answer = await exchange(port, bytes);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(JSON.parse(answer.body)).toMatchObject({ status, code: "invalid_request", type: "/docs/errors#invalid_request" });
    expect(runs.calls).toEqual([]);
  });

  it("leave the server running", async () => {
    const { port, url } = await startApp();
    await Promise.all(Array.from({ length: 20 }, () => exchange(port, "\0\0\0\0\r\n\r\n")));
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it("cut an answer that has begun, instead of becoming part of it", async () => {
    const { port, runs } = await startApp();
    runs.add();
    const socket = connect(port, "127.0.0.1");
    let received = "";
    socket.on("data", (chunk) => {
      received += chunk;
    });
    const closed = once(socket, "close");
    socket.write(get("/research/run-1/events", { Host: "localhost" }));
    await expect.poll(() => received).toContain("text/event-stream");
    socket.write("\0\0\r\n\r\n");
    await closed;
    expect(received.split("HTTP/1.1 ").length).toBe(2);
  });

  it("are accepted in absolute form if the host is ours", async () => {
    const { port, runs } = await startApp();
    runs.add();
    const ours = await exchange(port, get("http://localhost/research/run-1", { Host: "localhost" }));
    expect(ours.status).toBe(200);
    const foreign = await exchange(port, get("http://evil.example/research/run-1", { Host: "localhost" }));
    expect([foreign.status, JSON.parse(foreign.body)]).toMatchObject([403, { code: "forbidden_host" }]);
  });
});

describe("a request that does not arrive in time", () => {
  it("is answered 408 before the connection is closed", async () => {
    const timeout = Object.assign(new Error("Request timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
    const server = createServer((socket) => answerClientError(timeout, socket));
    onTestFinished(() => void server.close());
    const port = await new Promise<number>((resolve) => {
      server.listen(0, "127.0.0.1", () => resolve((server.address() as AddressInfo).port));
    });
    const answer = await exchange(port, "GET /");
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([408, { status: 408, code: "timeout" }]);
    expect(answer.headers.get("connection")).toBe("close");
  });
});
