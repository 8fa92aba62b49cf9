import { expect, it } from "vitest";
import { WorkingTasks } from "../../src/journal/tasks.ts";

it("counts a task while it waits for no effect, in whatever order its effects end, and not after its own end", async () => {
  const tasks = new WorkingTasks();
  const task = tasks.begin(false);
  const [first, second] = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  expect(tasks.any).toBe(true);
  const waits = [task.whileWaiting(() => first.promise), task.whileWaiting(() => second.promise)];
  expect(tasks.any).toBe(false);
  first.resolve("一");
  expect(await waits[0]).toBe("一");
  expect(tasks.any).toBe(false);
  second.reject(new Error("failed"));
  await expect(waits[1]).rejects.toThrow("failed");
  expect(tasks.any).toBe(true);
  task.end();
  expect(tasks.any).toBe(false);
});

it("forgets a task that ended while one of its effects was open", async () => {
  const tasks = new WorkingTasks();
  const task = tasks.begin(false);
  const open = Promise.withResolvers<void>();
  const wait = task.whileWaiting(() => open.promise);
  task.end();
  open.resolve();
  await wait;
  expect(tasks.any).toBe(false);
});

it("does not count a task that runs a nested run", async () => {
  const tasks = new WorkingTasks();
  const part = tasks.begin(true);
  expect(tasks.any).toBe(false);
  await part.whileWaiting(async () => undefined);
  part.end();
  expect(tasks.any).toBe(false);
});
