import { setTimeout as pause } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { postJson, startApp } from "./app-under-test.ts";

/** Holds the event loop for 100 ms in each of its turns, until `end`. */
function holdLoop(): { end: () => void } {
  let held = true;
  const spin = (): void => {
    const until = performance.now() + 100;
    while (performance.now() < until);
    if (held) setImmediate(spin);
  };
  const end = (): void => {
    held = false;
  };
  onTestFinished(end);
  setImmediate(spin);
  return { end };
}

const start = (url: string) => postJson(`${url}/research`, { question: "灯塔多高？" });

it("refuses new runs while the event loop is held, answers everything else, and accepts runs again afterwards", async () => {
  const { url, runs } = await startApp({ overload: { maxLoopDelayMs: 40, sampleMs: 20 } });
  const run = runs.add();
  const { end } = holdLoop();
  let refused = await start(url);
  for (let tries = 0; refused.status !== 503 && tries < 100; tries += 1) refused = await start(url);
  expect(refused.headers.get("retry-after")).toBe("5");
  expect(refused.headers.get("content-type")).toBe("application/problem+json");
  expect(await refused.json()).toMatchObject({ status: 503, code: "overloaded", type: "/docs/errors#overloaded" });
  const starts = () => runs.calls.filter(({ method }) => method === "start").length;
  const before = starts();
  for (const path of ["/healthz", "/readyz", "/research", `/research/${run.id}`]) expect((await fetch(url + path)).status).toBe(200);
  expect((await fetch(`${url}/research/${run.id}/cancel`, { method: "POST" })).status).toBe(202);
  expect(starts()).toBe(before);
  end();
  let accepted = await start(url);
  while (accepted.status === 503) {
    await pause(20);
    accepted = await start(url);
  }
  expect(accepted.status).toBe(202);
});

it("refuses new runs while the heap is above its limit", async () => {
  const { url } = await startApp({ overload: { maxHeapBytes: 1, sampleMs: 20 } });
  await expect.poll(async () => (await start(url)).status).toBe(503);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});
