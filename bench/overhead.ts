import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Load, Sample } from "./overhead/load.ts";
import { type Results, summarise, tableOf } from "./overhead/summary.ts";
import { startWay, WAYS, type Way } from "./overhead/ways.ts";

// What the engine and HTTP cost beside a bare `graph.invoke`; bench/README.md says how to read it.

const WARM_UP: readonly Load[] = [
  { clients: 1, runs: 400, seconds: 2 },
  { clients: 16, runs: 1_000, seconds: 3 },
];
const ROUNDS = 7;
const MEASURED: readonly Load[] = [
  { clients: 1, runs: 300, seconds: 1.2 },
  { clients: 16, runs: 600, seconds: 1.8 },
];

/** All ways one after another in every round, so that a machine that drifts drifts for all of them. */
async function measureAll(ways: readonly Way[]): Promise<Results> {
  for (const way of ways) for (const load of WARM_UP) await way.measure(load);
  const results = Object.fromEntries(WAYS.map((name) => [name, new Map<number, Sample[]>(MEASURED.map(({ clients }) => [clients, []]))]));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const load of MEASURED) {
      for (const way of ways) results[way.name]?.get(load.clients)?.push(await way.measure(load));
    }
  }
  return results as unknown as Results;
}

const home = await mkdtemp(join(tmpdir(), "dossier-bench-"));
const ways: Way[] = [];
try {
  for (const name of WAYS) ways.push(await startWay(name, home));
  const summary = summarise(await measureAll(ways));
  process.stderr.write(`${tableOf(summary)}\n`);
  process.stdout.write(`${JSON.stringify(summary)}\n`);
} finally {
  await Promise.all(ways.map((way) => way.close()));
  await rm(home, { recursive: true, force: true });
}
