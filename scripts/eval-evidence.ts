// Measures whether runs without a model cite the right sentences: npm run -s eval:evidence -- --data FILE [--form hotpot|cmrc] [--every N] [--without-evidence] [--traditional].
import { parseArgs } from "node:util";
import { Converter } from "opencc-js/cn2t";
import { readCmrc } from "./retrieval/cmrc.ts";
import { openCollection } from "./retrieval/collection-corpus.ts";
import { averageScores, compareFacts, paragraphsOf, readHotpot } from "./retrieval/hotpot.ts";
import { citePassages } from "./retrieval/write-report.ts";

const USAGE = "usage: npm run -s eval:evidence -- --data FILE [--form hotpot|cmrc] [--every N] [--without-evidence] [--traditional]";

interface Options {
  readonly data: string;
  /** Measures every Nth question; 1 measures all. */
  readonly every: number;
  /** Removes the paragraphs that answer a question. No report should then be written. */
  readonly withoutEvidence: boolean;
  /** Converts the questions to Traditional Chinese. */
  readonly traditional: boolean;
}

/** Searches, for each question, only its own ten paragraphs. */
async function measureHotpot({ data, every, withoutEvidence }: Options): Promise<Record<string, number>> {
  const questions = (await readHotpot(data)).filter((_, i) => i % every === 0);
  const found = [];
  let answered = 0;
  for (const question of questions) {
    const collection = await openCollection(paragraphsOf(question, withoutEvidence));
    const cited = await citePassages(question.question, collection).finally(() => collection.close());
    if (cited.length > 0) answered++;
    found.push(compareFacts(question, cited));
  }
  const share = (count: number): number => Number((count / questions.length).toFixed(4));
  return { ...averageScores(found), answered: share(answered), answerQuoted: share(found.filter((one) => one.answerQuoted).length) };
}

/** Searches all passages as one corpus. */
async function measureCmrc({ data, every, withoutEvidence, traditional }: Options): Promise<Record<string, number>> {
  const { passages, questions } = await readCmrc(data);
  if (withoutEvidence)
    throw new Error("--without-evidence works only with --form hotpot: in CMRC other passages may also have the answer.");
  const asked = questions.filter((_, i) => i % every === 0);
  const convert = traditional ? Converter({ from: "cn", to: "t" }) : (text: string) => text;
  const collection = await openCollection(passages);
  let answered = 0;
  let quoted = 0;
  try {
    for (const { text, answers } of asked) {
      const cited = await citePassages(convert(text), collection);
      if (cited.length > 0) answered++;
      if (cited.some(({ quote }) => answers.some((answer) => quote.includes(answer)))) quoted++;
    }
  } finally {
    await collection.close();
  }
  const share = (count: number): number => Number((count / asked.length).toFixed(4));
  return { questions: asked.length, answered: share(answered), answerQuoted: share(quoted) };
}

const MEASURE_BY_FORM: Readonly<Record<string, (options: Options) => Promise<Record<string, number>>>> = {
  hotpot: measureHotpot,
  cmrc: measureCmrc,
};

function readOptions(): { measure: (options: Options) => Promise<Record<string, number>>; options: Options } {
  const { values } = parseArgs({
    options: {
      data: { type: "string" },
      form: { type: "string", default: "hotpot" },
      every: { type: "string", default: "1" },
      "without-evidence": { type: "boolean", default: false },
      traditional: { type: "boolean", default: false },
    },
  });
  const measure = MEASURE_BY_FORM[values.form];
  const every = Number(values.every);
  if (values.data === undefined || !measure || !Number.isInteger(every) || every < 1) throw new Error(USAGE);
  return { measure, options: { data: values.data, every, withoutEvidence: values["without-evidence"], traditional: values.traditional } };
}

try {
  const { measure, options } = readOptions();
  console.log(JSON.stringify(await measure(options)));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
