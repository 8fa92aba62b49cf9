import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createDatabase } from "../helpers/postgres.ts";
import { COMPILE_CACHE } from "../helpers/processes.ts";
import { openProcess } from "./open-store.ts";

const HOST = new URL("./place-host.ts", import.meta.url).pathname;

it("gives the place of a frozen process to another one, and only to one at a time when it wakes up", async () => {
  const url = await createDatabase();
  const dir = await mkdtemp(join(tmpdir(), "dossier-place-"));
  const child = spawn(process.execPath, [HOST, dir, url], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE },
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await rm(dir, { recursive: true, force: true });
  });
  await once(child.stdout, "data");
  const [one, other] = [await openProcess(url), await openProcess(url)];
  const { signal } = new AbortController();
  const waits = Promise.withResolvers<void>();
  const entering = one.limits.enter("models", 1, { signal, onWait: waits.resolve });
  await waits.promise;
  child.kill("SIGSTOP");
  const leave = await entering;
  child.kill("SIGCONT");
  const stop = new AbortController();
  const refused = other.limits.enter("models", 1, { signal: stop.signal, onWait: () => stop.abort() });
  await expect(refused).rejects.toMatchObject({ name: "AbortError" });
  leave();
});
