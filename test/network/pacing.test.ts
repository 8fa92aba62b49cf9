import { expect, it } from "vitest";
import { createPacing } from "../../src/network/network.ts";
import { codeOf } from "./network-under-test.ts";

const NEVER = new AbortController().signal;

it("starts no more requests per interval than the rate allows, and keeps no more open than allowed", async () => {
  const pacing = createPacing();
  const begun: number[] = [];
  let open = 0;
  let peak = 0;
  const task = async (): Promise<void> => {
    begun.push(performance.now());
    open += 1;
    peak = Math.max(peak, open);
    await new Promise((resolve) => setTimeout(resolve, 20));
    open -= 1;
  };
  const rate = { requests: 3, perMs: 200, concurrent: 2 };
  await Promise.all(Array.from({ length: 9 }, () => pacing.run("host", rate, task, NEVER)));
  expect(peak).toBe(2);
  for (let i = 3; i < begun.length; i++) expect((begun[i] ?? 0) - (begun[i - 3] ?? 0)).toBeGreaterThan(180);
});

it("delays only requests to the same host, and none after a failed one", async () => {
  const pacing = createPacing();
  const rate = { requests: 10, perMs: 10, concurrent: 1 };
  const slow = pacing.run("slow", rate, () => new Promise((resolve) => setTimeout(resolve, 300, "slow")), NEVER);
  const failed = pacing.run("quick", rate, () => Promise.reject(new Error("no")), NEVER);
  await expect(failed).rejects.toThrow("no");
  expect(await Promise.race([slow, pacing.run("quick", rate, async () => "quick", NEVER)])).toBe("quick");
  await slow;
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
