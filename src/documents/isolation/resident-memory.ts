import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

const PS_TIMEOUT_MS = 1_000;
const runFile = promisify(execFile);

/**
 * The memory of a process that is resident, in bytes, and the most it ever was, where the system tells (Linux); 0 where it
 * cannot be told, as for a process that has ended.
 */
export async function residentMemory(pid: number): Promise<{ now: number; peak: number }> {
  try {
    if (process.platform !== "linux") {
      const { stdout } = await runFile("ps", ["-o", "rss=", "-p", String(pid)], { timeout: PS_TIMEOUT_MS });
      return { now: Number(stdout) * 1024, peak: 0 };
    }
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    const bytes = (name: string): number => Number(new RegExp(`^${name}:\\s*(\\d+) kB`, "m").exec(status)?.[1] ?? 0) * 1024;
    return { now: bytes("VmRSS"), peak: bytes("VmHWM") };
  } catch {
    return { now: 0, peak: 0 };
  }
}
