import { once } from "node:events";
import { createServer } from "node:net";

/** The compile cache of the program, with which the processes of a test start sooner. */
export const COMPILE_CACHE = new URL("../../node_modules/.cache/dossier/", import.meta.url).pathname;

/** Returns whether a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Returns a loopback port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}
