import { readdir, readlink, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { Parts } from "../src/compose/parts.ts";
import { compose } from "../src/compose.ts";
import { readConfig } from "../src/config.ts";
import { CORPUS, makeHome } from "./helpers/open-dossier.ts";

async function home(): Promise<string> {
  const dir = await makeHome(CORPUS);
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

function open(dir: string, parts: Parts = {}, environment: Readonly<Record<string, string>> = {}) {
  const folders = { DATA_DIR: join(dir, "data"), CORPUS_DIR: join(dir, "corpus") };
  return compose(readConfig({ ...folders, LOG_LEVEL: "silent", SOURCES: "corpus", ...environment }), parts);
}

/** Returns the files below `dir` that this process has open. */
async function openFiles(dir: string): Promise<string[]> {
  const links = await readdir("/proc/self/fd");
  const files = await Promise.all(links.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => "")));
  return files.filter((file) => file.startsWith(dir));
}

/** Returns the sockets and child processes that would keep the process alive. */
function handles(): string[] {
  return process.getActiveResourcesInfo().filter((name) => /^(?:Process|TCP|UDP)/.test(name));
}

const failing = (): never => {
  throw new Error("no such graph");
};

it("closes everything again when the last part fails to open, so that the folder can be opened again", async () => {
  const dir = await home();
  const before = handles();
  await expect(open(dir, { graphs: [failing] })).rejects.toThrow("no such graph");
  expect(await openFiles(dir)).toEqual([]);
  // Sockets of earlier tests may close meanwhile.
  expect(before).toEqual(expect.arrayContaining(handles()));
  const dossier = await open(dir);
  expect(await openFiles(dir)).not.toEqual([]);
  await dossier.close(0);
  expect(await openFiles(dir)).toEqual([]);
});

it("leaves no files open when a setting names a graph that does not exist", async () => {
  const dir = await home();
  const file = join(dir, "servers.json");
  await writeFile(file, JSON.stringify({ mcpServers: { one: { url: "http://127.0.0.1:9/mcp", graphs: ["unicorn"] } } }));
  await expect(open(dir, {}, { MCP_SERVERS: file, SOURCES: "" })).rejects.toMatchObject({ code: "config_invalid" });
  expect(await openFiles(dir)).toEqual([]);
});
