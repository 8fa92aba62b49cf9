import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";

const PS_TIMEOUT_MS = 1_000;
const runFile = promisify(execFile);

/** Returns the resident memory of another process, on Linux without the files that it maps, such as the program itself; 0 if it has ended. */
export async function residentBytes(pid: number): Promise<number> {
  try {
    if (process.platform === "linux") {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      return Number(/^RssAnon:\s*(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
    }
    const { stdout } = await runFile("ps", ["-o", "rss=", "-p", String(pid)], { timeout: PS_TIMEOUT_MS });
    return Number(stdout) * 1024;
  } catch {
    return 0;
  }
}

/** Linux counts processor time in hundredths of a second: https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html. */
const TICK_MS = 10;
/** The places of `utime` and `stime` behind the name of the program, which may contain spaces. */
const USER_TIME = 11;
const SYSTEM_TIME = 12;

/** Returns the processor time of another process in milliseconds; null where the system does not tell it. */
export function processorMs(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) * TICK_MS;
  } catch {
    return null;
  }
}
