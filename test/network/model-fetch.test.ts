import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, it, onTestFinished } from "vitest";
import { bodyStream } from "../../src/models/exchange.ts";
import { createModelFetch } from "../../src/network/configured-server.ts";
import { type Answer, startLoopback } from "../fakes/loopback-server.ts";

async function open(answer: Answer) {
  const server = await startLoopback(answer);
  const way = createModelFetch(`${server.url}/v1/`);
  onTestFinished(async () => {
    await way.close();
    await server.close();
  });
  const get = (url: string, signal = new AbortController().signal) =>
    way.fetch(url, { method: "GET", headers: { "x-a": "中".length.toString() }, signal });
  const post = (body: Readable) =>
    way.fetch(`${server.url}/v1/chat`, { method: "POST", headers: {}, body, signal: new AbortController().signal });
  return { server, get, post };
}

it("requests only addresses below its base URL", async () => {
  const { server, get } = await open((_, response) => void response.end("好"));
  expect(await (await get(`${server.url}/v1/models`)).text()).toBe("好");
  for (const url of [`${server.url}/v2/models`, `${server.url}/v1/../admin`, "http://127.0.0.1:1/v1/models", `${server.url}/v10`])
    await expect(get(url)).rejects.toMatchObject({ code: "out_of_scope" });
  expect(server.requests).toEqual(["/v1/models"]);
});

it("follows no redirect", async () => {
  const { server, get } = await open((_, response) => void response.writeHead(302, { location: "/v1/other" }).end());
  expect((await get(`${server.url}/v1/models`)).status).toBe(302);
  expect(server.requests).toEqual(["/v1/models"]);
});

it("ends an answer that is larger than 16 MB", async () => {
  const { server, get } = await open((_, response) => void response.end(Buffer.alloc(17_000_000)));
  const reply = await get(`${server.url}/v1/models`);
  await expect(reply.arrayBuffer()).rejects.toMatchObject({ message: expect.stringContaining("more than 16000000 bytes") });
});

it("closes the connection at once when it is aborted", async () => {
  const closed = Promise.withResolvers<void>();
  const { server, get } = await open((_, response) => {
    response.on("close", () => closed.resolve());
    response.write("半");
  });
  const abort = new AbortController();
  await get(`${server.url}/v1/models`, abort.signal);
  abort.abort();
  await closed.promise;
});

it("keeps nothing of a prompt that was sent while it waits for the answer", async () => {
  const received = Promise.withResolvers<object>();
  const answer = Promise.withResolvers<void>();
  const { post } = await open(async (request, response) => {
    received.resolve({ length: request.headers["content-length"], sent: (await text(request)).length });
    await answer.promise;
    response.end("好");
  });
  setFlagsFromString("--expose-gc");
  const collectGarbage = runInNewContext("gc") as () => void;
  const bytesKept = (): number => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers;
  };
  const before = bytesKept();
  const reply = post(bodyStream("a".repeat(9_000_000)));
  expect(await received.promise).toEqual({ length: "9000000", sent: 9_000_000 });
  await expect.poll(() => bytesKept() - before).toBeLessThan(1_000_000);
  answer.resolve();
  expect(await (await reply).text()).toBe("好");
});
