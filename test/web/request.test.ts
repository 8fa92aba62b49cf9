import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
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
  const url = await serve(async (response) => {
    response.writeHead(200, { "content-type": "text/plain; charset=utf-8" });
    for (let part = 0; part < 12; part += 1) {
      response.write("灯塔 ");
      await wait(LIMIT_MS / 8);
    }
    response.end();
  });
  expect(await (await send(url, { timeLimitMs: LIMIT_MS })).text()).toBe("灯塔 ".repeat(12));
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
