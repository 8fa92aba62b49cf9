import { globSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { expect, it } from "vitest";
import { clockFaults } from "./clock-facts.ts";

const ROOT = join(import.meta.dirname, "../..");

/**
 * Helpers that replace a clock or measure the processor time of one thread, servers that keep the pace or the limit that a benchmark, a
 * picture or a request gives them, and this test itself.
 */
const MAY = [
  ...["jumping-clock", "expect-linear", "block-meter"].map((name) => `test/helpers/${name}.ts`),
  ...["fake-run-service", "loopback-server", "model-server/play"].map((name) => `test/fakes/${name}.ts`),
  // A client that asks again while the database is gone.
  "test/chaos/host.ts",
  // The instants at which processes are stopped and killed in `npm run chaos`.
  "test/chaos/signal-at.ts",
  "test/architecture/clocks.test.ts",
];

it.each([
  ["const began = Date.now(); const day = new Date();", ["Date.now", "new Date without a time"]],
  [
    "performance.now(); process.hrtime.bigint(); process.threadCpuUsage();",
    ["performance.now", "process.hrtime", "process.threadCpuUsage"],
  ],
  ['import { setTimeout as pause } from "node:timers/promises";', ["setTimeout"]],
  ["await new Promise((done) => setTimeout(done, 200)); await page.waitForTimeout(300);", ["setTimeout", "waitForTimeout"]],
  ["const stop = AbortSignal.timeout(50); Atomics.wait(cell, 0, 0, 50);", ["AbortSignal.timeout", "Atomics.wait"]],
  ['spawn(process.execPath, ["-e", "setTimeout(() => {}, 60000)"]);', ["a clock or a pause in code for another process"]],
  ['it("等待", { retry: 1 }, async () => {});', ["tries a test again"]],
  ["say.slow(answer, { delayMs: 5 });", ["makes a server pause"]],
  [
    "expect(took).toBeLessThan(3_000); expect(run.durationMs).toBeGreaterThan(0);",
    ["compares a measured time", "compares a measured time"],
  ],
  ["await expect.poll(ended, { timeout: 500 }).toBe(true); await vi.waitFor(look);", Array(2).fill("polls for less than a minute")],
])("refuses %j", (text, expected) => {
  expect(clockFaults("test/a.test.ts", text)).toEqual(expected.map((what: string) => `test/a.test.ts:1 ${what}`));
});

it.each([
  'import { setImmediate as nextTurn } from "node:timers/promises";',
  'const at = new Date("2026-01-05T10:00:00Z"); const ms = Date.parse("2026-01-05");',
  "vi.useFakeTimers(); await vi.advanceTimersByTimeAsync(300);",
  "await expect.poll(() => server.requests.length).toBe(2); await released.promise;",
  "Atomics.wait(cell, 0, 0);",
  "expect(run.durationMs).toBe(1_500); expect(claims).toBeGreaterThan(20);",
])("allows %j", (text) => {
  expect(clockFaults("test/a.test.ts", text)).toEqual([]);
});

/*
 * What depends on real time fails on a busy machine. A test waits for an event, a server of a test holds its answer back until the test
 * releases it, and a time limit is over because a clock of the test says so.
 */
it("has no test that reads a clock, pauses, tries again or compares a measured time", () => {
  const files = globSync("test/**/*.ts", { cwd: ROOT }).map((file) => file.replaceAll(sep, "/"));
  expect(files.length).toBeGreaterThan(500);
  const looked = files.sort().filter((path) => !MAY.includes(path));
  expect(looked.flatMap((path) => clockFaults(path, readFileSync(join(ROOT, path), "utf8")))).toEqual([]);
});
