// Runs the service in its own process: node host.ts <data folder> <corpus folder>. It answers each IPC message with its usage since the last one.
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { compose } from "../../src/compose.ts";
import { readConfig } from "../../src/config.ts";
import { buildApp } from "../../src/http/build-app.ts";

export interface Usage {
  /** Processor time of the process and its threads since the last message. */
  readonly processorMs: number;
  /** Event loop delay since the last message. */
  readonly delayMs: { readonly p50: number; readonly p999: number; readonly max: number };
  readonly rssMb: number;
}

const [dataDir = ".", corpusDir = "."] = process.argv.slice(2);
const dossier = await compose(readConfig({ DATA_DIR: dataDir, CORPUS_DIR: corpusDir, SOURCES: "corpus" }));
await dossier.prepare(new AbortController().signal);
const app = await buildApp(dossier);
await app.listen({ host: "127.0.0.1", port: 0 });

const delay = monitorEventLoopDelay({ resolution: 1 });
let processor = process.cpuUsage();

function readUsage(): Usage {
  const { user, system } = process.cpuUsage(processor);
  const ms = (nanoseconds: number): number => Number((nanoseconds / 1e6).toFixed(1));
  const delayMs = { p50: ms(delay.percentile(50)), p999: ms(delay.percentile(99.9)), max: ms(delay.max) };
  const rssMb = Math.round(process.memoryUsage().rss / 1e6);
  processor = process.cpuUsage();
  delay.reset();
  return { processorMs: Math.round((user + system) / 1_000), delayMs, rssMb };
}

delay.enable();
process.on("message", () => process.send?.(readUsage()));
process.on("disconnect", () => process.exit());
process.send?.({ port: (app.server.address() as AddressInfo).port });
