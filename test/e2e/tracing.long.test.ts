import { execFile } from "node:child_process";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { type LoopbackServer, startLoopback } from "../fakes/loopback-server.ts";
import { CORPUS, makeHome } from "../helpers/open-dossier.ts";
import { freePort } from "../helpers/processes.ts";
import { post } from "./held-service.ts";
import { startServer } from "./server-process.ts";

const [CLI, SERVICE] = ["cli", "server"].map((name) => new URL(`../../src/${name}.ts`, import.meta.url).pathname);
const QUESTION = "奥尔德穆尔灯塔是谁设计的？";

/** A place where LangSmith listens, and a folder with documents. */
async function tracingTo() {
  const langsmith = await startLoopback((request, response) => {
    request.resume().on("end", () => response.writeHead(202, { "content-type": "application/json" }).end("{}"));
  });
  const dir = await makeHome(CORPUS);
  onTestFinished(async () => {
    await langsmith.close();
    await rm(dir, { recursive: true, force: true });
  });
  return { langsmith, dir };
}

function variables({ url }: LoopbackServer): Record<string, string> {
  const names = ["LANGSMITH", "LANGCHAIN"].flatMap((of) => [`${of}_TRACING`, `${of}_TRACING_V2`, `${of}_VERBOSE`]);
  const addresses = { LANGSMITH_ENDPOINT: url, LANGSMITH_API_KEY: "key", LANGCHAIN_ENDPOINT: url, LANGCHAIN_API_KEY: "key" };
  return { ...Object.fromEntries(names.map((name) => [name, "true"])), ...addresses };
}

const lines = (settings: Readonly<Record<string, string>>): string =>
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");

async function ask(dir: string, settings: Readonly<Record<string, string>>): Promise<string> {
  const env = { SOURCES: "corpus", DATA_DIR: join(dir, "data"), CORPUS_DIR: join(dir, "corpus"), ...settings };
  const { stdout } = await promisify(execFile)(process.execPath, [CLI ?? "", "ask", QUESTION, "--json"], { cwd: dir, env });
  return stdout;
}

it("sends LangSmith nothing although the shell turns its tracing on, and prints nothing but the run", async () => {
  const { langsmith, dir } = await tracingTo();
  expect(JSON.parse(await ask(dir, variables(langsmith)))).toMatchObject({ status: "succeeded" });
  expect(langsmith.requests).toEqual([]);
});

it("sends LangSmith nothing from the service, and says that names in .env have no effect", async () => {
  const { langsmith, dir } = await tracingTo();
  await writeFile(join(dir, ".env"), lines(variables(langsmith)));
  const port = await freePort();
  const env = { SOURCES: "corpus", DATA_DIR: join(dir, "data"), CORPUS_DIR: join(dir, "corpus"), PORT: String(port) };
  const { url, stop, log } = await startServer(SERVICE ?? "", [], env, port, { cwd: dir });
  const run = await (await post(url, { question: QUESTION }, { prefer: "wait=60" })).json();
  expect(run).toMatchObject({ status: "succeeded" });
  expect(await stop("SIGTERM")).toBe(0);
  expect(log()).toMatch(/"names":\[[^\]]*"LANGSMITH_TRACING"[^\]]*\],"msg":"\.env has names that have no effect"/);
  expect(langsmith.requests).toEqual([]);
});

it("traces as LangSmith documents it if TRACING=langsmith", async () => {
  const { langsmith, dir } = await tracingTo();
  const { LANGSMITH_VERBOSE: _, LANGCHAIN_VERBOSE: __, ...tracing } = variables(langsmith);
  await writeFile(join(dir, ".env"), lines({ ...tracing, TRACING: "langsmith" }));
  expect(JSON.parse(await ask(dir, {}))).toMatchObject({ status: "succeeded" });
  expect(langsmith.requests.filter((path) => path.startsWith("/runs/"))).not.toEqual([]);
});
