import { expect, it, onTestFinished, vi } from "vitest";
import { createPacing } from "../../src/network/network.ts";
import { codeOf } from "./network-under-test.ts";

const NEVER = new AbortController().signal;

it("starts no more requests per interval than the rate allows, and keeps no more open than allowed", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const pacing = createPacing();
  let begun = 0;
  const open: (() => void)[] = [];
  const task = () => {
    begun += 1;
    return new Promise<void>((resolve) => open.push(resolve));
  };
  const rate = { requests: 3, perMs: 200, concurrent: 2 };
  const all = Promise.all(Array.from({ length: 9 }, () => pacing.run("host", rate, task, NEVER)));
  const after = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    return begun;
  };
  const end = () => {
    for (const resolve of open.splice(0)) resolve();
  };
  expect(await after(0)).toBe(2);
  expect(await after(10_000)).toBe(2);
  end();
  expect(await after(0)).toBe(4);
  end();
  expect(await after(0)).toBe(5);
  end();
  expect(await after(199)).toBe(5);
  expect(await after(1)).toBe(7);
  end();
  expect(await after(0)).toBe(8);
  end();
  expect(await after(199)).toBe(8);
  expect(await after(1)).toBe(9);
  end();
  await all;
});

it("delays only requests to the same host, and none after a failed one", async () => {
  const pacing = createPacing();
  const rate = { requests: 10, perMs: 10, concurrent: 1 };
  const answer = Promise.withResolvers<string>();
  const slow = pacing.run("slow", rate, () => answer.promise, NEVER);
  const failed = pacing.run("quick", rate, () => Promise.reject(new Error("no")), NEVER);
  await expect(failed).rejects.toThrow("no");
  expect(await pacing.run("quick", rate, async () => "quick", NEVER)).toBe("quick");
  answer.resolve("slow");
  expect(await slow).toBe("slow");
});

it("drops a waiting request that is aborted, and refuses more requests than can ever be served", async () => {
  const pacing = createPacing();
  const rate = { requests: 1, perMs: 60_000, concurrent: 1 };
  await pacing.run("host", rate, async () => "first", NEVER);
  const stop = new AbortController();
  const waiting = Array.from({ length: 1_000 }, () => codeOf(pacing.run("host", rate, async () => "later", stop.signal)));
  expect(await codeOf(pacing.run("host", rate, async () => "one more", NEVER))).toBe("rate_limited");
  stop.abort(Object.assign(new Error("enough"), { code: "given_up" }));
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(["given_up"]));
});
