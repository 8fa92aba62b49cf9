import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished, vi } from "vitest";
import { getJson, send } from "../../web/src/api/request.ts";

const LIMIT_MS = 1_000;

async function serve(answer: (response: ServerResponse) => Promise<unknown> | undefined): Promise<string> {
  const server = createServer((_, response) => void answer(response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

it("reads an answer that comes slowly but steadily, for longer than the server may be silent", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const begun = Promise.withResolvers<ServerResponse>();
  const url = await serve(async (response) => {
    response.writeHead(200, { "content-type": "text/plain; charset=utf-8" }).write("灯塔 ");
    begun.resolve(response);
  });
  const { body } = await send(url, { timeLimitMs: LIMIT_MS });
  const response = await begun.promise;
  let parts = 0;
  for await (const part of (body as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(new TextDecoderStream())) {
    expect(part).toBe("灯塔 ");
    parts += 1;
    vi.advanceTimersByTime(LIMIT_MS * 0.9);
    if (parts < 12) response.write("灯塔 ");
    else response.end();
  }
  expect(parts).toBe(12);
});

it("says that a server does not answer if it falls silent, before its answer or within it", async () => {
  const silent = await serve(() => undefined);
  await expect(send(silent, { timeLimitMs: 100 })).rejects.toMatchObject({ code: "offline" });
  const stopped = await serve(async (response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write('{"half": ');
  });
  await expect(getJson(stopped, { timeLimitMs: 300 })).rejects.toMatchObject({ code: "offline" });
});

it("tells an answer that is no JSON from a server that does not answer", async () => {
  const url = await serve(async (response) => response.end("<p>"));
  await expect(getJson(url)).rejects.toMatchObject({ code: "unreadable", status: 200 });
});
