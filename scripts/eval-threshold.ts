// Prints the curve of the quoting search's threshold: npm run -s eval:threshold -- --data DIR [--half even|odd].
// DIR holds retrieval/multihop/hotpot_distractor_200.jsonl and retrieval/zh/cmrc2018_dev.json.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { MIN_STRENGTH } from "../src/analyst/extractive/analyst.ts";
import { readCmrc } from "./retrieval/cmrc.ts";
import { openCollection } from "./retrieval/collection-corpus.ts";
import { paragraphsOf, readHotpot } from "./retrieval/hotpot.ts";
import { strengthFor } from "./retrieval/strengths.ts";

/** How well questions are matched with their evidence, and without it. */
interface Strengths {
  readonly present: number[];
  readonly gone: number[];
}

/** Every eighth question of CMRC is enough for a curve. */
const EVERY = 8;
const STEPS = [0.25, 0.3, 0.32, 0.34, MIN_STRENGTH, 0.38, 0.4, 0.42, 0.45, 0.5];

async function ofHotpot(data: string, isAsked: (index: number) => boolean): Promise<Strengths> {
  const strengths: Strengths = { present: [], gone: [] };
  const questions = await readHotpot(join(data, "retrieval/multihop/hotpot_distractor_200.jsonl"));
  for (const question of questions.filter((_, i) => isAsked(i))) {
    for (const without of [false, true]) {
      const collection = await openCollection(paragraphsOf(question, without));
      const strength = await strengthFor(question.question, collection).finally(() => collection.close());
      (without ? strengths.gone : strengths.present).push(strength);
    }
  }
  return strengths;
}

async function ofCmrc(data: string, isAsked: (index: number) => boolean): Promise<Strengths> {
  const { passages, questions } = await readCmrc(join(data, "retrieval/zh/cmrc2018_dev.json"));
  const strengths: Strengths = { present: [], gone: [] };
  const collection = await openCollection(passages);
  try {
    for (const { text, passage } of questions.filter((_, i) => i % EVERY === 0).filter((_, i) => isAsked(i))) {
      strengths.present.push(await strengthFor(text, collection));
      strengths.gone.push(await strengthFor(text, collection, passage));
    }
  } finally {
    await collection.close();
  }
  return strengths;
}

function share(strengths: readonly number[], isCounted: (strength: number) => boolean): number {
  return Number((strengths.filter(isCounted).length / strengths.length).toFixed(3));
}

try {
  const { values } = parseArgs({ options: { data: { type: "string", default: "../shared/data" }, half: { type: "string" } } });
  const isAsked = (index: number): boolean => values.half === undefined || (index % 2 === 0) === (values.half === "even");
  const hotpot = await ofHotpot(values.data, isAsked);
  const cmrc = await ofCmrc(values.data, isAsked);
  for (const threshold of STEPS) {
    const refused = (strength: number): boolean => strength < threshold;
    const answered = (strength: number): boolean => strength >= threshold;
    const row = ({ present, gone }: Strengths) => ({
      refusedThoughPresent: share(present, refused),
      answeredThoughGone: share(gone, answered),
    });
    console.log(JSON.stringify({ threshold, hotpot: row(hotpot), cmrc: row(cmrc) }));
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
