// Prints, for several thresholds of the quoting search, the shares of wrong refusals and wrong answers:
// npm run -s eval:threshold -- --data DIR [--half even|odd]
// DIR holds retrieval/multihop/hotpot_distractor_200.jsonl and retrieval/zh/cmrc2018_dev.json.
import { join } from "node:path";
import { parseArgs } from "node:util";
import { MIN_STRENGTH } from "../src/quoting/analyst.ts";
import { readCmrc } from "./retrieval/cmrc.ts";
import { openCollection } from "./retrieval/collection-corpus.ts";
import { paragraphsOf, readHotpot } from "./retrieval/hotpot.ts";
import { strengthFor } from "./retrieval/strengths.ts";

/** The best match strength of each question, 0 to 1: with its evidence in the corpus (`present`), and without it (`gone`). */
interface Strengths {
  readonly present: number[];
  readonly gone: number[];
}

/** Measures every eighth question of CMRC, to save time. */
const CMRC_STEP = 8;
const THRESHOLDS = [0.25, 0.3, 0.34, 0.38, 0.4, 0.42, MIN_STRENGTH, 0.45, 0.5];

async function measureHotpot(data: string, isAsked: (index: number) => boolean): Promise<Strengths> {
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

async function measureCmrc(data: string, isAsked: (index: number) => boolean): Promise<Strengths> {
  const { passages, questions } = await readCmrc(join(data, "retrieval/zh/cmrc2018_dev.json"));
  const strengths: Strengths = { present: [], gone: [] };
  const collection = await openCollection(passages);
  try {
    for (const { text, passage } of questions.filter((_, i) => i % CMRC_STEP === 0).filter((_, i) => isAsked(i))) {
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
  const hotpot = await measureHotpot(values.data, isAsked);
  const cmrc = await measureCmrc(values.data, isAsked);
  for (const threshold of THRESHOLDS) {
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
