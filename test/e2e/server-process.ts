import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";

export interface ServerProcess {
  readonly url: string;
  readonly child: ChildProcess;
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
  onTestFinished(() => void child.kill("SIGKILL"));
  await answering(url, child, () => log);
  return {
    url,
    child,
    log: () => log,
    async stop(signal) {
      child.kill(signal);
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      return child.exitCode;
    },
  };
}

async function answering(url: string, child: ChildProcess, log: () => string): Promise<void> {
  // A busy machine needs more time; only the test's own limit ends the wait.
  while (child.exitCode === null && child.signalCode === null) {
    if (
      await fetch(`${url}/healthz`).then(
        (response) => response.ok,
        () => false,
      )
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`The server does not answer: ${log()}`);
}
