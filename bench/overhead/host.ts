// Runs one variant in its own process: node host.ts <variant> <folder> [<PostgreSQL>]. The parent sends a Load by IPC and gets a Sample back.
import { mkdir } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { compose } from "../../src/compose.ts";
import { readConfig } from "../../src/config.ts";
import { buildApp } from "../../src/http/build-app.ts";
import { openStorage } from "../../src/storage/storage.ts";
import { type Load, runLoad } from "./load.ts";
import { buildBare, defineSixNodes, INPUT } from "./six-nodes.ts";

const TENANT = "default";
const CONCURRENCY = 16;

/** Returns a function that calls `graph.invoke` in a new thread, with the service's checkpointer, or LangGraph's own one for PostgreSQL. */
async function openBare(home: string, database: string | undefined): Promise<() => Promise<unknown>> {
  const checkpoints = database === undefined ? (await openStorage(join(home, "bare"))).checkpoints : await openSaver(database);
  const graph = buildBare(checkpoints);
  return () => graph.invoke(INPUT, { configurable: { thread_id: crypto.randomUUID() }, durability: "exit" });
}

async function openSaver(database: string): Promise<PostgresSaver> {
  const saver = PostgresSaver.fromConnString(database);
  await saver.setup();
  return saver;
}

async function openService(home: string, database: string | undefined) {
  const corpus = join(home, "corpus");
  await mkdir(corpus);
  const environment = {
    ...{ DATA_DIR: join(home, "data"), CORPUS_DIR: corpus, SOURCES: "corpus", RUN_CONCURRENCY: String(CONCURRENCY) },
    ...(database !== undefined && { DATABASE_URL: database }),
  };
  return compose(readConfig(environment), { graphs: [({ checkpoints }) => defineSixNodes(checkpoints)] });
}

/** Returns a function that starts a run in this process and waits for its end. */
async function openEngine(home: string, database: string | undefined): Promise<() => Promise<unknown>> {
  const { runs, recover } = await openService(home, database);
  await recover();
  const { signal } = new AbortController();
  return async () => {
    const { id } = await runs.start(TENANT, { question: "q", graph: "six-nodes", language: "auto" });
    const { status } = await runs.wait(TENANT, id, { timeoutMs: 30_000, signal });
    if (status !== "succeeded") throw new Error(`The run is ${status}.`);
  };
}

/** Starts the whole server and returns its loopback port. The parent sends the requests. */
async function openHttp(home: string, database: string | undefined): Promise<number> {
  const { runs, threads, operations, tenancy, reports, logger, version, recover } = await openService(home, database);
  await recover();
  const app = await buildApp({ runs, threads, operations, tenancy, reports, logger, version });
  await app.listen({ host: "127.0.0.1", port: 0 });
  return (app.server.address() as AddressInfo).port;
}

const [variant = "", home = ".", database] = process.argv.slice(2);
if (variant.startsWith("http")) {
  process.send?.({ port: await openHttp(home, database) });
} else {
  const runOnce = variant.startsWith("bare") ? await openBare(home, database) : await openEngine(home, database);
  process.on("message", async (load: Load) => process.send?.(await runLoad(load, runOnce)));
  process.send?.({ port: null });
}
process.on("disconnect", () => process.exit());
