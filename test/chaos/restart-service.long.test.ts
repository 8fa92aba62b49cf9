import { expect, it } from "vitest";
import type { Run } from "../../src/domain/run.ts";
import { expectWhole, home, post, startTools } from "../e2e/held-service.ts";
import { readEvents, type SeenEvent } from "../e2e/read-events.ts";
import { startServer } from "../e2e/server-process.ts";
import { freePort } from "../helpers/processes.ts";
import { QUESTION } from "./tool-parts.ts";

const SLOW = new URL("../e2e/slow-server.ts", import.meta.url).pathname;

it("gives each event once to a reader across a kill and a restart", async () => {
  const [dir, tools, port] = [await home(), await startTools(1), await freePort()];
  const args = [JSON.stringify({ home: dir, toolsUrl: tools.url, port })];
  const first = await startServer(SLOW, args, {}, port);
  const { id } = (await (await post(first.url, { question: QUESTION })).json()) as Run;
  const someRead = Promise.withResolvers<void>();
  const enough = (read: readonly SeenEvent[]): boolean => {
    if (read.length > 2) someRead.resolve();
    return false;
  };
  const reading = readEvents(`${first.url}/research/${id}/events`, { enough });
  await Promise.all([tools.arrived(2), someRead.promise]);
  await first.stop("SIGKILL");
  tools.release();
  const seen = await reading;

  const second = await startServer(SLOW, args, {}, port);
  seen.push(...(await readEvents(`${second.url}/research/${id}/events`, { lastEventId: seen.at(-1)?.id ?? "0" })));
  expectWhole(seen);
  expect(await readEvents(`${second.url}/research/${id}/events`)).toEqual(seen);
});

it("drains on SIGTERM, exits with 0, and the next process finishes the run", async () => {
  const [dir, tools, port] = [await home(), await startTools(0), await freePort()];
  const args = [JSON.stringify({ home: dir, toolsUrl: tools.url, port })];
  const first = await startServer(SLOW, args, {}, port);
  const { id } = (await (await post(first.url, { question: QUESTION })).json()) as Run;
  await tools.arrived(1);
  const stopped = first.stop("SIGTERM");
  tools.release();
  expect(await stopped).toBe(0);
  const second = await startServer(SLOW, args, {}, port);
  expectWhole(await readEvents(`${second.url}/research/${id}/events`));
  expect(new Set(tools.requests).size).toBe(tools.requests.length);
});
