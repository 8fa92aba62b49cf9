import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { startLoopback } from "../../fakes/loopback-server.ts";
import { isAlive } from "../../helpers/processes.ts";

const PARENT = fileURLToPath(new URL("./dying-parent.ts", import.meta.url));

function start(...args: string[]) {
  return spawn(process.execPath, [PARENT, ...args], { stdio: ["ignore", "pipe", "inherit"] });
}

async function firstLine(child: ReturnType<typeof start>): Promise<string> {
  const [chunk] = await once(child.stdout, "data");
  return String(chunk).trim();
}

it("a process that reads forever ends when the service was killed", async () => {
  const answered = Promise.withResolvers<void>();
  const server = await startLoopback((_, response) => void response.on("close", answered.resolve).end());
  onTestFinished(() => server.close());
  const parent = start(server.url);
  const pid = Number(await firstLine(parent));
  await answered.promise;
  expect(isAlive(pid)).toBe(true);
  parent.kill("SIGKILL");
  await expect.poll(() => isAlive(pid)).toBe(false);
});

it.each(["end", "close"])("an idle reader process ends with its program, which does not have to close it: %s", async (how) => {
  const parent = start(how);
  const exited = once(parent, "exit");
  const pid = Number(await firstLine(parent));
  expect(await exited).toEqual([0, null]);
  await expect.poll(() => isAlive(pid)).toBe(false);
});
