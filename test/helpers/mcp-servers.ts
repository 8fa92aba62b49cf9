import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { COMPILE_CACHE, freePort } from "./processes.ts";

const PACKAGES = new URL("../../node_modules/@modelcontextprotocol", import.meta.url).pathname;
/** Our misbehaving MCP server. */
export const ODD = new URL("../fakes/mcp/odd-server.ts", import.meta.url).pathname;
const ANSWERING = new URL("../fakes/mcp/answering-server.ts", import.meta.url).pathname;
const TELLING = new URL("../fakes/mcp/telling-server.ts", import.meta.url).pathname;

type Entry = Readonly<Record<string, unknown>>;

/** An MCP server that Node runs; the compile cache of earlier processes shortens its start. */
const node = (args: readonly string[], { env, ...more }: Entry = {}): Entry => ({
  command: process.execPath,
  args,
  // A busy machine takes long to start a process.
  connectTimeoutMs: 60_000,
  timeoutMs: 60_000,
  env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...(env as Entry) },
  ...more,
});

/** The reference server "everything" over stdio. */
export const everything = (more?: Entry): Entry => node([join(PACKAGES, "server-everything/dist/index.js")], more);

/** The reference server "filesystem" over stdio, limited to one folder. */
export const filesystem = (folder: string, more?: Entry): Entry => node([join(PACKAGES, "server-filesystem/dist/index.js"), folder], more);

/** Our misbehaving server, in one of its modes. */
export const odd = (mode = "plain", file = "", more?: Entry, ids = ""): Entry => node([ODD, mode, file, ids], more);

/** Our server whose tools answer with the values of a JSON file. */
export const answering = (file: string): Entry => node([ANSWERING, file]);

/** Our server that repeats its secrets, in one of its modes. */
export const telling = (mode = "", more?: Entry): Entry => node([TELLING, mode], more);

/** Returns a reference to an environment variable, as a servers file has it. */
export const variable = (name: string): string => ["$", "{", name, "}"].join("");

/** Makes a temporary folder. */
export function makeFolder(): { readonly dir: string; readonly remove: () => void } {
  const dir = mkdtempSync(join(tmpdir(), "dossier-mcp-"));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

export function writeServers(dir: string, mcpServers: Readonly<Record<string, Entry>>): string {
  const file = join(dir, "servers.json");
  writeFileSync(file, JSON.stringify({ mcpServers }));
  return file;
}

export interface HttpEverything {
  readonly url: string;
  readonly pid: number;
  /** Kills the process. */
  kill(): Promise<void>;
}

/** The reference server "everything" over HTTP on a loopback port, by default any free one. */
export async function startEverything(port?: number): Promise<HttpEverything & { readonly port: number }> {
  const at = port ?? (await freePort());
  const child = spawn(process.execPath, [join(PACKAGES, "server-everything/dist/index.js"), "streamableHttp"], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { PORT: String(at) },
  });
  for await (const chunk of child.stderr) if (String(chunk).includes("listening")) break;
  child.stderr.resume();
  return {
    url: `http://127.0.0.1:${at}/mcp`,
    port: at,
    pid: child.pid ?? 0,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}
