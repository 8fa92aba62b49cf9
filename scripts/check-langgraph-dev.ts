import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { env as inherited } from "node:process";
import { createInterface } from "node:readline";

const ROOT = resolve(import.meta.dirname, "..");
const CLI = "node_modules/@langchain/langgraph-cli/dist/cli/cli.mjs";
const GRAPHS = ["agent", "executor", "research", "team"];
const BUILT = "The lighthouse of Aldermoor was built in 1874 by Ada Penrose.";

/** Starts `langgraph dev` with langgraph.json, and lets it show all graphs and answer a question from a corpus. @throws Error */
async function checkLangGraphDev(installed: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "dossier-langgraph-"));
  const corpus = mkdtempSync(join(folder, "corpus-"));
  writeFileSync(join(corpus, "lighthouse.md"), BUILT);
  const port = await freePort();
  const args = [resolve(installed, CLI), "dev", "--no-browser", "--no-reload", "--host", "127.0.0.1", "--port", String(port)];
  const settings = { DATA_DIR: folder, CORPUS_DIR: corpus, SOURCES: "corpus", OPENAI_API_KEY: "", OPENAI_BASE_URL: "" };
  const env = { ...inherited, ...settings, LANGGRAPH_CLI_NO_ANALYTICS: "1" };
  const server = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "inherit"] });
  try {
    await untilListening(server.stdout);
    await checkGraphs(`http://127.0.0.1:${port}`);
  } finally {
    const ended = server.exitCode === null ? once(server, "exit") : null;
    server.kill();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  return typeof address === "object" ? (address?.port ?? 0) : 0;
}

async function untilListening(output: NodeJS.ReadableStream): Promise<void> {
  const lines: string[] = [];
  for await (const line of createInterface(output)) {
    lines.push(line);
    if (!line.includes("Server running at")) continue;
    output.resume();
    return;
  }
  throw new Error(`langgraph dev ended: ${lines.join("\n")}`);
}

async function checkGraphs(url: string): Promise<void> {
  for (const graph of GRAPHS) {
    const { nodes } = (await ask(`${url}/assistants/${graph}/graph?xray=true`)) as { nodes: readonly { id: string }[] };
    const { input_schema: input } = (await ask(`${url}/assistants/${graph}/schemas`)) as { input_schema: { properties: object } };
    if (!("question" in input.properties)) throw new Error(`${graph}: its input has no question`);
    console.log(`langgraph: ${graph} has ${nodes.length} nodes`);
  }
  for (const input of [{ question: "Who built the lighthouse?" }, { messages: [{ role: "user", content: "Who built the lighthouse?" }] }]) {
    const { report } = (await ask(`${url}/runs/wait`, { assistant_id: "executor", input })) as { report?: { markdown: string } };
    if (report?.markdown.includes(BUILT) !== true) throw new Error(`executor: the report is ${JSON.stringify(report)}`);
    console.log(`langgraph: executor answered ${Object.keys(input).join()}`);
  }
}

async function ask(url: string, body?: object): Promise<unknown> {
  const sent = body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(url, sent);
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
  return JSON.parse(text);
}

const [installed] = process.argv.slice(2);
if (installed === undefined) {
  console.error("Usage: node scripts/check-langgraph-dev.ts FOLDER, where `npm install @langchain/langgraph-cli` was run in FOLDER");
  process.exitCode = 2;
} else {
  await checkLangGraphDev(installed).catch((cause: unknown) => {
    console.error(`langgraph: FAILED: ${cause instanceof Error ? cause.message : String(cause)}`);
    process.exitCode = 1;
  });
}
