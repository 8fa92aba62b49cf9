import { expect, it } from "vitest";
import { postJson, startApp } from "./app-under-test.ts";

const start = (url: string) => postJson(`${url}/research`, { question: "灯塔多高？" });

it("refuses new runs while the event loop is held, answers everything else, and accepts runs again afterwards", async () => {
  const delay = { count: 1, mean: 0, reset: () => undefined };
  const { url, runs } = await startApp({ overload: { maxLoopDelayMs: 1_000, sampleMs: 1, delay } });
  const run = runs.add();
  const statusOf = async () => (await start(url)).status;
  expect(await statusOf()).toBe(202);
  delay.mean = 1_001e6;
  await expect.poll(statusOf).toBe(503);
  const refused = await start(url);
  expect(refused.headers.get("retry-after")).toBe("5");
  expect(refused.headers.get("content-type")).toBe("application/problem+json");
  expect(await refused.json()).toMatchObject({ status: 503, code: "overloaded", type: "/docs/errors#overloaded" });
  const starts = () => runs.calls.filter(({ method }) => method === "start").length;
  const before = starts();
  for (const path of ["/healthz", "/readyz", "/research", `/research/${run.id}`]) expect((await fetch(url + path)).status).toBe(200);
  expect((await fetch(`${url}/research/${run.id}/cancel`, { method: "POST" })).status).toBe(202);
  expect(starts()).toBe(before);
  delay.mean = 999e6;
  await expect.poll(statusOf).toBe(202);
});

it("measures the delay of the event loop", async () => {
  const { url } = await startApp({ overload: { maxLoopDelayMs: 0, sampleMs: 20 } });
  await expect.poll(async () => (await start(url)).status).toBe(503);
});

it("refuses new runs while the heap is above its limit", async () => {
  const { url } = await startApp({ overload: { maxHeapBytes: 1, sampleMs: 20 } });
  await expect.poll(async () => (await start(url)).status).toBe(503);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});
