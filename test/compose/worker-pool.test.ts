import { AsyncLocalStorage } from "node:async_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterAll, describe, expect, it } from "vitest";
import { createWorkerPool } from "../../src/compose/worker-pool.ts";
import { DossierError } from "../../src/errors.ts";
import { turns } from "../helpers/turns.ts";

const FUNCTIONS = new URL("./worker-functions.ts", import.meta.url);
const LIMIT = { timeoutMs: 600_000 };
const pool = createWorkerPool(2);
afterAll(() => pool.close());

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

describe("a pool of worker threads", () => {
  it("returns what the function returns", async () => {
    expect(await Promise.all([1, 2, 3].map((value) => pool.run(FUNCTIONS, "double", value, LIMIT)))).toEqual([2, 4, 6]);
  });

  it.each(["exit", "fail"])("fails only the task whose thread is ended by %s", async (name) => {
    const [broken, other] = await Promise.allSettled([pool.run(FUNCTIONS, name, null, LIMIT), pool.run(FUNCTIONS, "double", 4, LIMIT)]);
    expect(broken).toMatchObject({ status: "rejected", reason: { name: "DossierError", code: "internal" } });
    expect(other).toEqual({ status: "fulfilled", value: 8 });
    expect(await pool.run(FUNCTIONS, "double", 5, LIMIT)).toBe(10);
  });

  it("stops a task that never ends after its time", async () => {
    await expect(pool.run(FUNCTIONS, "spin", null, { timeoutMs: 50 })).rejects.toMatchObject({ code: "timeout" });
    expect(await pool.run(FUNCTIONS, "double", 6, LIMIT)).toBe(12);
  });

  it("starts a waiting task after the only thread was stopped", async () => {
    const single = createWorkerPool(1);
    const controller = new AbortController();
    const spinning = single.run(FUNCTIONS, "spin", null, { ...LIMIT, signal: controller.signal });
    const waiting = single.run(FUNCTIONS, "double", 7, LIMIT);
    controller.abort(new DossierError("cancelled", "The run was cancelled."));
    await expect(spinning).rejects.toMatchObject({ code: "cancelled" });
    expect(await waiting).toBe(14);
    await single.close();
  });

  it("keeps a thread for short tasks, and begins with the smaller ones of the long tasks", async () => {
    const both = createWorkerPool(2);
    const ended: number[] = [];
    const gate = new SharedArrayBuffer(4);
    const start = (value: number, size: number) =>
      both.run<object, number>(FUNCTIONS, "doubleBehind", { value, gate }, { ...LIMIT, size }).then((result) => ended.push(result));
    const long = [start(1, 9_000_000), start(2, 8_000_000), start(3, 2_000_000)];
    ended.push(await both.run<number, number>(FUNCTIONS, "double", 4, { ...LIMIT, size: 100 }));
    expect(ended).toEqual([8]);
    Atomics.store(new Int32Array(gate), 0, 1);
    Atomics.notify(new Int32Array(gate), 0);
    await Promise.all(long);
    expect(ended).toEqual([8, 2, 6, 4]);
    await both.close();
  });

  it("fails what runs and what waits when it is closed", async () => {
    const closed = createWorkerPool(1);
    const tasks = ["spin", "double"].map((name) => closed.run(FUNCTIONS, name, 1, LIMIT));
    const settled = Promise.allSettled(tasks);
    await closed.close();
    expect((await settled).map((one) => one.status === "rejected" && one.reason.code)).toEqual(["cancelled", "cancelled"]);
    await expect(closed.run(FUNCTIONS, "double", 1, LIMIT)).rejects.toMatchObject({ code: "cancelled" });
  });

  it("stops a task with the reason of the signal", async () => {
    const controller = new AbortController();
    const spinning = pool.run(FUNCTIONS, "spin", null, { ...LIMIT, signal: controller.signal });
    controller.abort(new DossierError("cancelled", "The run was cancelled."));
    await expect(spinning).rejects.toMatchObject({ code: "cancelled" });
  });

  it("keeps nothing of those who started a task after its end, even before its time is over", async () => {
    const context = new AsyncLocalStorage<object>();
    const startTask = async (): Promise<WeakRef<object>> => {
      const run = {};
      await context.run(run, () => pool.run(FUNCTIONS, "double", 1, LIMIT));
      return new WeakRef(run);
    };
    const started = await Promise.all(Array.from({ length: 10 }, startTask));
    await turns(10);
    collectGarbage();
    // An idle thread remembers who used it last.
    expect(started.filter((run) => run.deref() !== undefined).length).toBeLessThanOrEqual(2);
  });
});
