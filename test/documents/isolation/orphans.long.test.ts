import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
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
  const parent = start("loop for ever");
  const pid = Number(await firstLine(parent));
  expect(isAlive(pid)).toBe(true);
  parent.kill("SIGKILL");
  for (let tries = 0; tries < 200 && isAlive(pid); tries++) await sleep(50);
  expect(isAlive(pid)).toBe(false);
});

it.each(["end", "close"])("an idle reader process ends with its program, which does not have to close it: %s", async (how) => {
  const parent = start(how);
  const exited = once(parent, "exit");
  const pid = Number(await firstLine(parent));
  expect(await exited).toEqual([0, null]);
  for (let tries = 0; tries < 200 && isAlive(pid); tries++) await sleep(50);
  expect(isAlive(pid)).toBe(false);
});
