// Runs the service in its own process: node host.ts <data folder> <corpus folder> <model address> <runs>. Answers each IPC message with its peak memory.
import type { AddressInfo } from "node:net";
import { compose } from "../../src/compose.ts";
import { readConfig } from "../../src/config.ts";
import { buildApp } from "../../src/http/build-app.ts";

const [dataDir = ".", corpusDir = ".", model = "", runs = "1"] = process.argv.slice(2);
const asked = { OPENAI_BASE_URL: model, OPENAI_MODEL: "slow", RUN_CONCURRENCY: runs };
const dossier = await compose(readConfig({ DATA_DIR: dataDir, CORPUS_DIR: corpusDir, SOURCES: "corpus", LOG_LEVEL: "error", ...asked }));
await dossier.prepare(new AbortController().signal);
const app = await buildApp(dossier);
await app.listen({ host: "127.0.0.1", port: 0 });

process.on("message", () => process.send?.({ peakMb: Math.round((process.resourceUsage().maxRSS * 1_024) / 1e6) }));
process.on("disconnect", () => process.exit());
process.send?.({ port: (app.server.address() as AddressInfo).port });
