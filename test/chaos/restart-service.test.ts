import { setTimeout as pause } from "node:timers/promises";
import { expect, it } from "vitest";
import type { Run } from "../../src/domain/run.ts";
import { readEvents } from "../e2e/read-events.ts";
import { startServer } from "../e2e/server-process.ts";
import { expectWhole, home, post, slowTools } from "../e2e/slow-service.ts";
import { freePort } from "../helpers/processes.ts";
import { QUESTION } from "./tool-parts.ts";

const SLOW = new URL("../e2e/slow-server.ts", import.meta.url).pathname;

it("gives each event once to a reader across a kill and a restart", async () => {
  const [dir, tools, port] = [await home(), await slowTools(150), await freePort()];
  const args = [JSON.stringify({ home: dir, toolsUrl: tools.url, port })];
  const first = await startServer(SLOW, args, {}, port);
  const { id } = (await (await post(first.url, { question: QUESTION })).json()) as Run;
  const reading = readEvents(`${first.url}/research/${id}/events`);
  while (tools.requests.length < 2) await pause(5);
  await pause(50);
  await first.stop("SIGKILL");
  const seen = await reading;
  expect(seen.length).toBeGreaterThan(2);

  const second = await startServer(SLOW, args, {}, port);
  seen.push(...(await readEvents(`${second.url}/research/${id}/events`, { lastEventId: seen.at(-1)?.id ?? "0" })));
  expectWhole(seen);
  expect(await readEvents(`${second.url}/research/${id}/events`)).toEqual(seen);
});

it("drains on SIGTERM, exits with 0, and the next process finishes the run", async () => {
  const [dir, tools, port] = [await home(), await slowTools(200), await freePort()];
  const args = [JSON.stringify({ home: dir, toolsUrl: tools.url, port })];
  const first = await startServer(SLOW, args, {}, port);
  const { id } = (await (await post(first.url, { question: QUESTION })).json()) as Run;
  while (tools.requests.length < 1) await pause(5);
  expect(await first.stop("SIGTERM")).toBe(0);
  const second = await startServer(SLOW, args, {}, port);
  expectWhole(await readEvents(`${second.url}/research/${id}/events`));
  expect(new Set(tools.requests).size).toBe(tools.requests.length);
});
