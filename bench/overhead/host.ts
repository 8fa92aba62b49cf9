// Runs one variant in its own process: node host.ts <variant> <folder>. The parent sends a Load by IPC and gets a Sample back.
import { mkdir } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { compose } from "../../src/compose.ts";
import { readConfig } from "../../src/config.ts";
import { buildApp } from "../../src/http/build-app.ts";
import { openStorage } from "../../src/storage/storage.ts";
import { type Load, runLoad } from "./load.ts";
import { buildBare, defineSixNodes, INPUT } from "./six-nodes.ts";

const TENANT = "default";
const CONCURRENCY = 16;

/** Returns a function that calls `graph.invoke` in a new thread, with the service's checkpointer. */
async function openBare(home: string): Promise<() => Promise<unknown>> {
  const { checkpoints } = await openStorage(join(home, "bare"));
  const graph = buildBare(checkpoints);
  return () => graph.invoke(INPUT, { configurable: { thread_id: crypto.randomUUID() }, durability: "exit" });
}

async function openService(home: string) {
  const corpus = join(home, "corpus");
  await mkdir(corpus);
  const environment = { DATA_DIR: join(home, "data"), CORPUS_DIR: corpus, SOURCES: "corpus", RUN_CONCURRENCY: String(CONCURRENCY) };
  return compose(readConfig(environment), { graphs: [({ checkpoints }) => defineSixNodes(checkpoints)] });
}

/** Returns a function that starts a run in this process and waits for its end. */
async function openEngine(home: string): Promise<() => Promise<unknown>> {
  const { runs } = await openService(home);
  const { signal } = new AbortController();
  return async () => {
    const { id } = await runs.start(TENANT, { question: "q", graph: "six-nodes", language: "auto" });
    const { status } = await runs.wait(TENANT, id, { timeoutMs: 30_000, signal });
    if (status !== "succeeded") throw new Error(`The run is ${status}.`);
  };
}

/** Starts the whole server and returns its loopback port. The parent sends the requests. */
async function openHttp(home: string): Promise<number> {
  const { runs, threads, operations, reports, logger, version } = await openService(home);
  const app = await buildApp({ runs, threads, operations, reports, logger, version });
  await app.listen({ host: "127.0.0.1", port: 0 });
  return (app.server.address() as AddressInfo).port;
}

const [variant, home = "."] = process.argv.slice(2);
if (variant === "http") {
  process.send?.({ port: await openHttp(home) });
} else {
  const runOnce = variant === "bare" ? await openBare(home) : await openEngine(home);
  process.on("message", async (load: Load) => process.send?.(await runLoad(load, runOnce)));
  process.send?.({ port: null });
}
process.on("disconnect", () => process.exit());
