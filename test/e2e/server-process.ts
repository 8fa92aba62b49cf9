import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished } from "vitest";

export interface ServerProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** Resolves when the process has ended. */
  readonly ended: Promise<unknown>;
  /** Everything it has written to standard error. */
  readonly log: () => string;
  /** Sends the signal and resolves with the exit code, or null after a kill. */
  stop(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts a script as a server and waits until it answers at `port`; it is killed when the test has finished. */
export async function startServer(
  script: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  port: number,
  { openFiles, cwd }: { readonly openFiles?: number; readonly cwd?: string } = {},
): Promise<ServerProcess> {
  const url = `http://127.0.0.1:${port}`;
  const command = [process.execPath, script, ...args];
  const [file = "", ...rest] = openFiles === undefined ? command : ["sh", "-c", `ulimit -n ${openFiles}; exec "$@"`, "sh", ...command];
  const child = spawn(file, rest, { cwd, env: environment, stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  child.stderr.on("data", (chunk) => {
    log += chunk;
  });
  const ended = once(child, "exit");
  onTestFinished(() => void child.kill("SIGKILL"));
  await answering(url, child, () => log);
  return {
    url,
    child,
    ended,
    log: () => log,
    async stop(signal) {
      child.kill(signal);
      await ended;
      return child.exitCode;
    },
  };
}

async function answering(url: string, child: ChildProcess, log: () => string): Promise<void> {
  const state = async (): Promise<string> => {
    if (child.exitCode !== null || child.signalCode !== null) return "ended";
    const answer = await fetch(`${url}/healthz`).catch(() => null);
    return answer?.ok === true ? "answers" : "starts";
  };
  await expect.poll(state).not.toBe("starts");
  if ((await state()) === "ended") throw new Error(`The server does not answer: ${log()}`);
}
