import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addDatabase, startPostgres } from "../test/helpers/postgres-server.ts";
import type { Load, Sample } from "./overhead/load.ts";
import { formatTable, type Results, summarize } from "./overhead/summary.ts";
import { startVariant, VARIANTS, type Variant } from "./overhead/variants.ts";

// Measures the overhead of the engine and of HTTP over a bare `graph.invoke`. bench/README.md explains the result.

const WARM_UP: readonly Load[] = [
  { clients: 1, runs: 400, seconds: 2 },
  { clients: 16, runs: 1_000, seconds: 3 },
];
const ROUNDS = 7;
const MEASURED: readonly Load[] = [
  { clients: 1, runs: 300, seconds: 1.2 },
  { clients: 16, runs: 600, seconds: 1.8 },
];

/** Measures all variants in every round, so that a change of the machine's speed affects all of them. */
async function measureAll(variants: readonly Variant[]): Promise<Results> {
  for (const variant of variants) for (const load of WARM_UP) await variant.measure(load);
  const results = Object.fromEntries(
    VARIANTS.map((name) => [name, new Map<number, Sample[]>(MEASURED.map(({ clients }) => [clients, []]))]),
  );
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const load of MEASURED) {
      for (const variant of variants) results[variant.name]?.get(load.clients)?.push(await variant.measure(load));
    }
  }
  return results as unknown as Results;
}

const home = await mkdtemp(join(tmpdir(), "dossier-bench-"));
// PostgreSQL may run as another user.
await chmod(home, 0o755);
const postgres = await startPostgres(home, "on");
const newDatabase = (name: string) => addDatabase(postgres.url, name);
const variants: Variant[] = [];
try {
  for (const name of VARIANTS) variants.push(await startVariant(name, home, newDatabase));
  const summary = summarize(await measureAll(variants));
  process.stderr.write(`${formatTable(summary)}\n`);
  process.stdout.write(`${JSON.stringify(summary)}\n`);
} finally {
  await Promise.all(variants.map((variant) => variant.close()));
  await postgres.stop();
  await rm(home, { recursive: true, force: true });
}
