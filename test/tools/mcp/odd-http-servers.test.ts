import type { ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { startLoopback } from "../../fakes/loopback-server.ts";
import { openServers } from "./servers-under-test.ts";

type Answer = (response: ServerResponse, id: number) => void;

const JSON_TYPE = { "content-type": "application/json" };
const result = (id: number, value: unknown) => JSON.stringify({ jsonrpc: "2.0", id, result: value });
const INFO = { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "odd", version: "1" } };
const SAID = { content: [{ type: "text", text: "好" }] };

/** A server that starts a session correctly, and answers calls as scripted; it counts its requests. */
async function startServer(answer: Answer) {
  const asked: string[] = [];
  const server = await startLoopback(async (request, response) => {
    const body = await text(request);
    const { method = request.method, id = 0 } = body === "" ? {} : JSON.parse(body);
    asked.push(method);
    if (method === "initialize") return void response.writeHead(200, { ...JSON_TYPE, "mcp-session-id": "s" }).end(result(id, INFO));
    if (method === "tools/call") return answer(response, id);
    response.writeHead(202).end();
  });
  onTestFinished(() => server.close());
  return { asked, ...openServers({ web: { url: `${server.url}/mcp`, timeoutMs: 60_000 } }) };
}

const HUGE = "x".repeat(1_000_000);

const STREAM_TYPE = { "content-type": "text/event-stream" };

it.each<[string, string, Answer]>([
  ["a page instead of an answer", "unreadable", (response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>no</p>")],
  ["JSON that is cut off", "unreadable", (response) => response.writeHead(200, JSON_TYPE).end('{"jsonrpc":')],
  ["an answer of another form", "unreadable", (response, id) => response.writeHead(200, JSON_TYPE).end(result(id, { content: "no list" }))],
  ["the status 401", "blocked", (response) => response.writeHead(401).end()],
  ["the status 429", "rate_limited", (response) => response.writeHead(429).end()],
  ["the status 500", "unreachable", (response) => response.writeHead(500).end("secret: sk-1")],
  ["a socket that breaks", "unreachable", (response) => response.destroy()],
  [
    "a stream that breaks",
    "unreachable",
    (response) => {
      response.writeHead(200, STREAM_TYPE).write(": one\n\n", () => response.destroy());
    },
  ],
  [
    "a stream without end",
    "document_too_large",
    (response) => {
      response.writeHead(200, STREAM_TYPE);
      for (let piece = 0; piece < 10; piece += 1) response.write(`: ${HUGE}\n\n`);
    },
  ],
  [
    "10 MB in one answer",
    "document_too_large",
    (response, id) => response.writeHead(200, JSON_TYPE).end(result(id, { content: [{ type: "text", text: HUGE.repeat(10) }] })),
  ],
])("fails a call over HTTP that is answered with %s", async (_, code, answer) => {
  const { call } = await startServer(answer);
  const failure = await call("web", "查询", {}, "mutation").catch((error: unknown) => error);
  expect(failure).toMatchObject({ code, message: expect.not.stringContaining("sk-1") });
});

it("repeats a query if the connection proves to be lost, and never a call that changes something", async () => {
  let breaks = true;
  const { call, asked } = await startServer((response, id) => {
    if (breaks) return void response.destroy();
    response.writeHead(200, JSON_TYPE).end(result(id, SAID));
  });
  const calls = () => asked.filter((method) => method === "tools/call").length;
  await expect(call("web", "first")).rejects.toMatchObject({ code: "unreachable" });
  expect(calls()).toBe(1);
  breaks = false;
  expect((await call("web", "second")).text).toBe("好");
  breaks = true;
  await expect(call("web", "third", {}, "mutation")).rejects.toMatchObject({ code: "unreachable" });
  expect(calls()).toBe(3);
  breaks = false;
  await call("web", "fourth");
  breaks = true;
  await expect(call("web", "fifth")).rejects.toMatchObject({ code: "unreachable" });
  expect(calls()).toBe(6);
  expect(asked).not.toContain("GET");
});

it("reads an answer among lines that are no events, other events, and data in several lines", async () => {
  const { call } = await startServer((response, id) => {
    const [first, ...rest] = JSON.stringify({ jsonrpc: "2.0", id, result: SAID }, null, 1).split("\n");
    const answer = [`data: ${first}`, ...rest.map((line) => `data: ${line}`)].join("\n");
    response.writeHead(200, STREAM_TYPE).end(`${"a\n".repeat(300_000)}event: other\ndata: {}\n\nid: 7\n${answer}\n\n`);
  });
  expect((await call("web", "查询")).text).toBe("好");
});

/** Ways to say that a session is unknown. The protocol has one, 404. */
const FORGOTTEN: readonly [string, (response: ServerResponse, id: number) => void][] = [
  ["the status 404", (response) => response.writeHead(404).end()],
  ["the status 400 and a text", (response) => response.writeHead(400).end("Bad Request: initialize first")],
  ["the status 410", (response) => response.writeHead(410).end()],
  ["the status 503 and JSON", (response) => response.writeHead(503, JSON_TYPE).end('{"error":"会话不存在"}')],
  ["the status 500 and no word", (response) => response.writeHead(500).end()],
  [
    "an error of JSON-RPC",
    (response, id) =>
      response.writeHead(200, JSON_TYPE).end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_602, message: "nope" } })),
  ],
  [
    "an error of JSON-RPC in a stream",
    (response, id) =>
      response
        .writeHead(200, STREAM_TYPE)
        .end(`data: ${JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_000, message: "？" } })}\n\n`),
  ],
];

/** A server with numbered sessions, which it can forget; `refuse` also answers each call within a session. */
async function startForgetful(forgotten: Answer, refuse: Answer | null = null) {
  const asked: string[] = [];
  let sessions = 0;
  let oldest = 1;
  let isOpen = true;
  const server = await startLoopback(async (request, response) => {
    const body = await text(request);
    const { method = request.method, id = 0 } = body === "" ? {} : JSON.parse(body);
    asked.push(method);
    if (method === "DELETE") return void response.writeHead(200).end();
    if (method === "initialize") {
      if (!isOpen) return forgotten(response, id);
      sessions += 1;
      return void response.writeHead(200, { ...JSON_TYPE, "mcp-session-id": `${sessions}` }).end(result(id, INFO));
    }
    if (Number(request.headers["mcp-session-id"]) < oldest) return forgotten(response, id);
    if (method === "tools/list") return void response.writeHead(200, JSON_TYPE).end(result(id, { tools: [] }));
    if (method !== "tools/call") return void response.writeHead(202).end();
    if (refuse !== null) return refuse(response, id);
    response.writeHead(200, JSON_TYPE).end(result(id, SAID));
  });
  onTestFinished(() => server.close());
  const forget = (staysOpen = true): void => {
    oldest = sessions + 1;
    isOpen = staysOpen;
  };
  return { asked, forget, ...openServers({ web: { url: `${server.url}/mcp`, timeoutMs: 60_000 } }) };
}

it.each(FORGOTTEN)("calls again in a new session, once, after the old one was refused with %s", async (_, forgotten) => {
  const { call, list, forget, asked } = await startForgetful(forgotten);
  await call("web", "eins");
  forget();
  expect((await call("web", "查询")).text).toBe("好");
  forget();
  expect((await list()).failures).toEqual([]);
  forget();
  const both = await Promise.all([call("web", "a"), call("web", "b")]);
  expect(both.map((one) => one.text)).toEqual(["好", "好"]);
  expect(asked.filter((method) => method === "initialize")).toHaveLength(4);
});

it.each(FORGOTTEN)("makes a call that changes something at most once, also if the session was refused with %s", async (how, forgotten) => {
  const { call, forget, asked } = await startForgetful(forgotten);
  await call("web", "eins");
  forget();
  const calling = call("web", "查询", {}, "mutation");
  const isKnown = /40[04]|410/.test(how);
  if (isKnown) expect((await calling).text).toBe("好");
  else await expect(calling).rejects.toMatchObject({ code: "interrupted", message: expect.stringContaining("is unknown") });
  expect(asked.filter((method) => method === "tools/call")).toHaveLength(isKnown ? 3 : 2);
  expect((await call("web", "drei", {}, "mutation")).text).toBe("好");
  expect(asked.filter((method) => method === "initialize")).toHaveLength(2);
});

it.each(FORGOTTEN)("says what was refused with %s if no new session can be had", async (_, forgotten) => {
  const { call, forget, asked } = await startForgetful(forgotten);
  await call("web", "eins");
  forget(false);
  await expect(call("web", "查询")).rejects.toMatchObject({ name: "DossierError" });
  expect(asked.filter((method) => method === "initialize")).toHaveLength(2);
  expect(asked.filter((method) => method === "tools/call")).toHaveLength(2);
});

it.each(FORGOTTEN)("keeps a session in which only the call is refused with %s", async (of, refuse) => {
  const { call, asked } = await startForgetful(refuse, refuse);
  await call("web", "eins").catch(() => null);
  await expect(call("web", "zwei", {}, "mutation")).rejects.toMatchObject({ name: "DossierError" });
  const sessions = of === "the status 404" ? 2 : 1;
  expect(asked.filter((method) => method === "initialize")).toHaveLength(sessions);
  expect(asked.filter((method) => method === "tools/call")).toHaveLength(sessions + 1);
});
