// A process that keeps a number of keyless runs unfinished, until it is killed, or ends them all: node kill-often-host.ts '{"home", ...}'.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { compose } from "../../src/compose.ts";
import { readConfig } from "../../src/config.ts";
import { ResearchRequestSchema } from "../../src/domain/request.ts";
import { isEnded } from "../../src/domain/run.ts";

export interface OftenOptions {
  readonly home: string;
  /** How many runs are unfinished at the same time. */
  readonly runs: number;
  /** Whether the process starts no more runs, waits until all have ended, and writes their outcomes. */
  readonly isLast: boolean;
}

const TENANT = "default";
const { home, runs: wanted, isLast }: OftenOptions = JSON.parse(process.argv[2] ?? "{}");
const dossier = await compose(readConfig({ DATA_DIR: join(home, "data"), LOG_LEVEL: "error", SOURCES: "corpus" }));
const { runs } = dossier;

async function unfinished(): Promise<string[]> {
  const lists = await Promise.all((["queued", "running"] as const).map((status) => runs.list(TENANT, { status, limit: 100 })));
  return lists.flatMap((list) => list.runs).map(({ id }) => id);
}

const startRun = async (): Promise<string> =>
  (await runs.start(TENANT, ResearchRequestSchema.parse({ question: `How does the service keep run ${Math.random()} after a crash?` }))).id;

const end = (id: string) => runs.wait(TENANT, id, { timeoutMs: 600_000, signal: new AbortController().signal });

await dossier.recover();
const begun = await unfinished();
while (!isLast && begun.length < wanted) begun.push(await startRun());
// Each run that ends makes room for another one.
await Promise.all(
  begun.map(async (id) => {
    await end(id);
    while (!isLast) await end(await startRun());
  }),
);
const outcomes: object[] = [];
for (let cursor: string | undefined = ""; cursor !== undefined; ) {
  const page = await runs.list(TENANT, { limit: 100, ...(cursor !== "" && { cursor }) });
  outcomes.push(...page.runs.filter(({ status }) => isEnded(status)).map(({ status, error }) => ({ status, error })));
  cursor = page.nextCursor ?? undefined;
}
await writeFile(join(home, "outcomes.json"), JSON.stringify(outcomes));
await dossier.close(0);
process.exit(0);
