import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";

const PS_TIMEOUT_MS = 1_000;
const runFile = promisify(execFile);

/** The memory of a process that is resident, in bytes; 0 where that cannot be told, as of a process that has ended. */
export async function residentBytes(pid: number): Promise<number> {
  try {
    if (process.platform === "linux") {
      // No disk is behind it: it takes microseconds, and waits for no other file.
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      return Number(/^VmRSS:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
    }
    const { stdout } = await runFile("ps", ["-o", "rss=", "-p", String(pid)], { timeout: PS_TIMEOUT_MS });
    return Number(stdout) * 1024;
  } catch {
    return 0;
  }
}
