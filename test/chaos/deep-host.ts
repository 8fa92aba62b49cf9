// A process that starts the deep run, or goes on with it, until it has ended: node deep-host.ts '{"home", "environment"}'.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { compose } from "../../src/compose.ts";
import { readConfig } from "../../src/config.ts";
import { ResearchRequestSchema } from "../../src/domain/request.ts";
import { TIME_LIMITS } from "../../src/network/send-request.ts";
import { DEEP } from "../graphs/research/deep-world.ts";

const TENANT = "default";
const { home, environment } = JSON.parse(process.argv[2] ?? "{}");
const config = readConfig({ DATA_DIR: join(home, "data"), CORPUS_DIR: home, LOG_LEVEL: "error", ...environment });
const { runs, recover, close } = await compose(config, { tools: [], network: { limits: { ...TIME_LIMITS, paced: false } } });
await recover();
const [begun] = (await runs.list(TENANT, { limit: 1 })).runs;
const { id } = begun ?? (await runs.start(TENANT, ResearchRequestSchema.parse(DEEP)));
const run = await runs.wait(TENANT, id, { timeoutMs: 900_000, signal: new AbortController().signal });
await writeFile(join(home, "run.json"), JSON.stringify(run));
await close(0);
process.exit(0);
