import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { globSync, lstatSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type BuiltStage, environmentOf, hostPath } from "./build.ts";
import { lastInstruction, parseExecForm } from "./parse.ts";

const START_TIMEOUT_MS = 30_000;
const HEALTHCHECK_TIMEOUT_MS = 5_000;
const HEALTHCHECK_PAUSE_MS = 250;
/** The default grace period of `docker stop`, after which it sends SIGKILL. */
const STOP_GRACE_MS = 10_000;

/**
 * Starts the image's CMD on loopback, waits until HEALTHCHECK succeeds, and sends SIGTERM. Logs one line per step.
 * @throws Error unless the service exits with code 0 within the grace period and has written only to the volume
 */
export async function serveAndStop(built: BuiltStage, report: (line: string) => void): Promise<void> {
  const command = await commandOf(built);
  const before = filesWithTimes(built);
  if (isHealthy(command)) throw new Error("HEALTHCHECK succeeds although the service was not started");
  report("HEALTHCHECK fails before the start, as it should");
  const service = spawn("env", [...command.environment, ...command.cmd], { cwd: command.cwd, stdio: ["ignore", "ignore", "pipe"] });
  const log = collect(service);
  try {
    report(`CMD is healthy after ${await waitUntilHealthy(service, command, log)} ms`);
    report(`SIGTERM ended it with code 0 after ${await stop(service, log)} ms`);
  } finally {
    service.kill("SIGKILL");
  }
  assertNoStrayFiles(before, filesWithTimes(built));
  report("Nothing was written outside the volume: the root file system can be read-only");
}

interface Command {
  readonly environment: readonly string[];
  readonly cmd: readonly string[];
  readonly healthcheck: readonly string[];
  readonly cwd: string;
}

async function commandOf(built: BuiltStage): Promise<Command> {
  const cmd = parseExecForm(lastInstruction(built.stage, "CMD"));
  const healthcheck = parseExecForm(lastInstruction(built.stage, "HEALTHCHECK"));
  if (!cmd || !healthcheck) throw new Error("CMD and HEALTHCHECK must be in exec form");
  const here = [`PATH=${dirname(process.execPath)}`, "HOST=127.0.0.1", `PORT=${await freePort()}`];
  return { environment: ["-i", ...environmentOf(built), ...here], cmd, healthcheck, cwd: hostPath(built, ".") };
}

function isHealthy({ environment, healthcheck, cwd }: Command): boolean {
  return spawnSync("env", [...environment, ...healthcheck], { cwd, timeout: HEALTHCHECK_TIMEOUT_MS }).status === 0;
}

async function waitUntilHealthy(service: ChildProcess, command: Command, log: () => string): Promise<number> {
  const started = performance.now();
  while (performance.now() - started < START_TIMEOUT_MS) {
    if (isHealthy(command)) return Math.round(performance.now() - started);
    await wait(HEALTHCHECK_PAUSE_MS);
    if (hasEnded(service)) throw new Error(`CMD ended with code ${service.exitCode} before it was healthy:\n${log()}`);
  }
  throw new Error(`HEALTHCHECK did not succeed within ${START_TIMEOUT_MS} ms:\n${log()}`);
}

async function stop(service: ChildProcess, log: () => string): Promise<number> {
  if (hasEnded(service)) throw new Error(`CMD ended by itself with code ${service.exitCode}:\n${log()}`);
  const started = performance.now();
  const ended = once(service, "exit", { signal: AbortSignal.timeout(STOP_GRACE_MS) });
  service.kill("SIGTERM");
  const [code, signal] = await ended.catch(() => [`none within ${STOP_GRACE_MS} ms`, null]);
  if (code !== 0) throw new Error(`After SIGTERM the exit code was ${signal ?? code}, not 0:\n${log()}`);
  return Math.round(performance.now() - started);
}

/** Its standard error ends after everything that it wrote was read. */
const hasEnded = (service: ChildProcess) => service.stderr?.readableEnded ?? false;

function collect(service: ChildProcess): () => string {
  let text = "";
  service.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    text = (text + chunk).slice(-4_000);
  });
  return () => text.trim();
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  if (address === null || typeof address === "string") throw new Error("No free port was found");
  return address.port;
}

function filesWithTimes(built: BuiltStage): Map<string, number> {
  const volume = lastInstruction(built.stage, "VOLUME")?.getArgumentsContent()?.replace(/^\//, "") ?? "";
  const files = globSync("**/*", { cwd: built.root, exclude: [volume, "**/node_modules"] });
  return new Map(files.map((file) => [file, lstatSync(join(built.root, file)).mtimeMs]));
}

function assertNoStrayFiles(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): void {
  const stray = [...after].filter(([file, time]) => before.get(file) !== time).map(([file]) => file);
  if (stray.length > 0) throw new Error(`Written outside the volume: ${stray.join(", ")}`);
}
