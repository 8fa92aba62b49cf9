import { spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { COMPILE_CACHE } from "../helpers/processes.ts";

/** Runs a script in a process of its own, with the options as its argument and `args` for Node, and waits for its end. */
export async function runHost(script: string, options: object, args: readonly string[] = []) {
  const child = spawn(process.execPath, [...args, script, JSON.stringify(options)], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const [code, signal] = await once(child, "close");
  return { code, signal, errors };
}
