import { rm } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import type { Run } from "../../src/domain/run.ts";
import { startLoopback } from "../fakes/loopback-server.ts";
import * as say from "../fakes/model-server/behaviors.ts";
import { contentsOf } from "../fakes/model-server/seen-request.ts";
import { startModelServer } from "../fakes/model-server.ts";
import { telling, variable, writeServers } from "../helpers/mcp-servers.ts";
import { CORPUS, makeHome } from "../helpers/open-dossier.ts";
import { freePort } from "../helpers/processes.ts";
import { startServer } from "./server-process.ts";

const SERVICE = new URL("../../src/server.ts", import.meta.url).pathname;

/** The secrets given to the servers; each server repeats them wherever it can. */
const SECRETS = ["blue-Heron/77", "dHVsaXA6cmVkLUdhcmRlbi05", "tulip:red-Garden-9", "red-Garden-9", "small-Fox-3", "green-Owl-5"];

/** A server that refuses every request with a status, and repeats the request. */
async function startParrot(status: number): Promise<string> {
  const server = await startLoopback(async (request, response) => {
    await text(request);
    const { authorization = "", "x-wiki-key": key = "" } = request.headers;
    const pair = Buffer.from(authorization.slice("Basic ".length), "base64").toString("utf8");
    response.writeHead(status, { "content-type": "text/plain" }).end(`钥匙 ${authorization} ${pair} ${key} ${request.url} is wrong`);
  });
  onTestFinished(() => server.close());
  return server.url;
}

async function startWithServers() {
  const dir = await makeHome(CORPUS);
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const headers = { Authorization: "Basic dHVsaXA6cmVkLUdhcmRlbi05", "X-Wiki-Key": `${variable("WIKI")}` };
  const env = { PAPERS_TOKEN: variable("PAPERS") };
  const MCP_SERVERS = writeServers(dir, {
    papers: telling("", { env, autoApprove: ["tells"] }),
    exits: telling("exits", { env }),
    wiki: { url: `${await startParrot(401)}/mcp?api_key=green-Owl-5`, headers },
    维基: { url: `${await startParrot(200)}/mcp?api_key=green-Owl-5`, headers },
  });
  const calls = ["refuses", "fails", "tells", "shows"].map((name) => ({ name: `papers__${name}`, arguments: {} }));
  const model = await startModelServer([say.toolCalls(calls), say.text("塔高三十米。")]);
  const port = await freePort();
  const SOURCES = "corpus,mcp:papers,mcp:exits,mcp:wiki,mcp:维基";
  const own = {
    DATA_DIR: join(dir, "data"),
    CORPUS_DIR: join(dir, "corpus"),
    PORT: String(port),
    SOURCES,
    MCP_SERVERS,
    LOG_LEVEL: "debug",
  };
  const given = {
    PAPERS: "blue-Heron/77",
    WIKI: "small-Fox-3",
    OPENAI_BASE_URL: model.url,
    OPENAI_MODEL: "scripted",
    OPENAI_API_KEY: "sk-test",
  };
  return { model, service: await startServer(SERVICE, [], { ...own, ...given }, port) };
}

it("shows secrets that MCP servers repeat nowhere: no log, model request, run, event, recording or database row", async () => {
  const { model, service } = await startWithServers();
  const headers = { "content-type": "application/json", prefer: "wait=20" };
  const body = JSON.stringify({ graph: "agent", question: "塔有多高？" });
  const run = (await (await fetch(`${service.url}/research`, { method: "POST", headers, body })).json()) as Run;
  expect(run.status).toBe("succeeded");
  const read = async (path: string) => {
    const response = await fetch(`${service.url}${path}`);
    expect(response.status).toBe(200);
    return response.text();
  };
  const shown = {
    run: JSON.stringify(run),
    events: await read(`/research/${run.id}/events`),
    recording: await read(`/research/${run.id}/recording`),
    sources: await read("/sources"),
    asked: model.requests.map((request) => JSON.stringify(request)).join("\n"),
    log: service.log(),
  };
  await service.stop("SIGTERM");
  for (const [where, said] of Object.entries(shown))
    expect([where, SECRETS.filter((secret) => said.includes(secret) || said.includes(encodeURIComponent(secret)))]).toEqual([where, []]);
  const told = contentsOf(model.requests[1]!, "tool").join("\n");
  expect(told).toContain("口令 *** 无效");
  expect(told).toContain("The key *** is used up.");
  expect(told).toContain("The tower is 30 metres high (***). 塔高三十米。");
  expect(shown.events).toContain('"props":{"***":["***!"]}');
  expect(shown.log).toContain('"server":"mcp:papers","msg":"MCP_SERVERS: autoApprove is ignored: ');
  expect(shown.log).toContain("licence *** refused, 许可证 *** again");
  expect(shown.log).toContain("钥匙 Basic *** *** *** /mcp?api_key=*** is wrong");
  expect(run.report?.ledger.filter(({ outcome }) => outcome === "failed").map(({ source, failure }) => [source, failure])).toEqual([
    ["mcp:exits", "unreachable"],
    ["mcp:wiki", "blocked"],
    ["mcp:维基", "unreadable"],
    ["papers__refuses", "tool_failed"],
    ["papers__fails", "tool_failed"],
  ]);
});
