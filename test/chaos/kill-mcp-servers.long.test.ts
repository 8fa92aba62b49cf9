import { existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { SourceState } from "../../src/domain/ports/run-service.ts";
import type { Run } from "../../src/domain/run.ts";
import { startServer } from "../e2e/server-process.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { odd, writeServers } from "../helpers/mcp-servers.ts";
import { CORPUS, makeHome } from "../helpers/open-dossier.ts";
import { freePort, isAlive } from "../helpers/processes.ts";

const SERVICE = new URL("../../src/server.ts", import.meta.url).pathname;

const post = async (url: string, body: unknown) => {
  const headers = { "content-type": "application/json", prefer: "wait=60" };
  return (await (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).json()) as Run;
};

const get = async <T>(url: string) => (await (await fetch(url)).json()) as T;

it("a confirmation outlives kill -9 of the service, whose servers end with it; the confirmed call is made once", async () => {
  const dir = await makeHome(CORPUS);
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const lines = join(dir, "lines");
  const ids = join(dir, "pids");
  const model = await startModelServer([
    say.toolCalls([{ name: "notes__note", arguments: { line: "灯塔建于1874年" } }]),
    say.text("已经记下了。"),
  ]);
  const MCP_SERVERS = writeServers(dir, { notes: odd("plain", lines, {}, ids) });
  const start = async () => {
    const port = await freePort();
    const SOURCES = "corpus,mcp:notes";
    const own = { DATA_DIR: join(dir, "data"), CORPUS_DIR: join(dir, "corpus"), PORT: String(port), SOURCES, MCP_SERVERS };
    return startServer(SERVICE, [], { ...own, OPENAI_BASE_URL: model.url, OPENAI_MODEL: "scripted", OPENAI_API_KEY: "sk-test" }, port);
  };
  const pids = () => readFileSync(ids, "utf8").trim().split("\n").map(Number);

  const first = await start();
  const asked = await post(`${first.url}/research`, { graph: "agent", question: "请记下灯塔的年份。" });
  expect(asked).toMatchObject({ status: "waiting", pending: [{ kind: "confirmation", call: { tool: "notes__note" } }] });
  const sources = await get<{ sources: SourceState[] }>(`${first.url}/sources`);
  expect(sources.sources.at(-1)).toMatchObject({ id: "mcp:notes", kind: "mcp", lastTry: { reachable: true }, server: { connected: true } });
  await first.stop("SIGKILL");
  await expect.poll(() => pids().filter(isAlive)).toEqual([]);

  const second = await start();
  await fetch(`${second.url}/research/${asked.id}/answer`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ approve: true }),
  });
  await expect.poll(async () => (await get<Run>(`${second.url}/research/${asked.id}`)).status).toBe("succeeded");
  expect(readFileSync(lines, "utf8")).toBe("灯塔建于1874年\n");
  expect(pids().filter(isAlive)).toHaveLength(1);
  expect(await second.stop("SIGTERM")).toBe(0);
  expect(pids().filter(isAlive)).toEqual([]);
  expect(existsSync(lines)).toBe(true);
});

it("a changing call is not repeated after its process was killed during the call", async () => {
  const dir = await makeHome(CORPUS);
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const lines = join(dir, "lines");
  const model = await startModelServer([
    say.toolCalls([{ name: "notes__note_and_hang", arguments: { line: "一次" } }]),
    say.text("记了，但不知道是否成功。"),
  ]);
  const MCP_SERVERS = writeServers(dir, { notes: odd("plain", lines, { allowMutations: true }) });
  const start = async () => {
    const port = await freePort();
    const SOURCES = "corpus,mcp:notes";
    const own = { DATA_DIR: join(dir, "data"), CORPUS_DIR: join(dir, "corpus"), PORT: String(port), SOURCES, MCP_SERVERS };
    return startServer(SERVICE, [], { ...own, OPENAI_BASE_URL: model.url, OPENAI_MODEL: "scripted", OPENAI_API_KEY: "sk-test" }, port);
  };
  const first = await start();
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ graph: "agent", question: "请记下一行。" });
  const asked = (await (await fetch(`${first.url}/research`, { method: "POST", headers, body })).json()) as Run;
  await expect.poll(() => existsSync(lines)).toBe(true);
  await first.stop("SIGKILL");
  const second = await start();
  await expect.poll(async () => (await get<Run>(`${second.url}/research/${asked.id}`)).status).toBe("succeeded");
  expect(readFileSync(lines, "utf8")).toBe("一次\n");
  const results = model.requests[1]?.body.messages.filter(({ role }) => role === "tool").map(({ content }) => String(content)) ?? [];
  expect(results).toHaveLength(1);
  expect(results[0]).toContain("The process ended during this call.");
  const { report } = await get<Run>(`${second.url}/research/${asked.id}`);
  expect(report?.ledger.filter(({ what }) => what === "tool").map(({ failure }) => failure)).toEqual(["interrupted"]);
});
