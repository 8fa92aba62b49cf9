import { z } from "zod";
import type { CollectionDocument } from "./collection-corpus.ts";
import { mean } from "./measures.ts";
import { linesOf, parseAs, readText } from "./text-file.ts";
import type { CitedSpan } from "./write-report.ts";

const QuestionSchema = z.object({
  question: z.string(),
  answer: z.string(),
  supporting_facts: z.array(z.tuple([z.string(), z.int()])),
  context: z.array(z.tuple([z.string(), z.array(z.string())])),
});

export type HotpotQuestion = z.infer<typeof QuestionSchema>;

/** Reads questions of HotpotQA's distractor setting from a file of JSON lines. @throws Error that names the file and the line */
export async function readHotpot(path: string): Promise<HotpotQuestion[]> {
  const lines = linesOf(await readText(path));
  if (lines.length === 0) throw new Error(`${path} is empty: there is nothing to measure.`);
  return lines.map(({ line, number }) => parseAs(QuestionSchema, line, `${path}:${number}`, "a question of HotpotQA"));
}

/** Returns the paragraphs of a question as documents. `withoutEvidence` omits those that contain a supporting fact. */
export function paragraphsOf({ context, supporting_facts }: HotpotQuestion, withoutEvidence: boolean): CollectionDocument[] {
  const supporting = new Set(supporting_facts.map(([title]) => title));
  const kept = context.filter(([title]) => !withoutEvidence || !supporting.has(title));
  return kept.map(([title, sentences]) => ({ id: title, title, text: sentences.join("") }));
}

export interface FactScores {
  readonly precision: number;
  readonly recallAt5: number;
  readonly recallAt10: number;
  readonly f1: number;
  /** Whether a quote contains the answer. */
  readonly answerQuoted: boolean;
}

/** Compares the cited sentences with the supporting facts. A sentence counts as cited if a quote covers at least half of it. */
export function compareFacts(question: HotpotQuestion, cited: readonly CitedSpan[]): FactScores {
  const facts = new Set(question.supporting_facts.map(([title, index]) => `${index} ${title}`));
  const named = [...new Set(cited.flatMap((one) => sentencesIn(question, one)))];
  const hits = (depth: number): number => named.slice(0, depth).filter((name) => facts.has(name)).length;
  const all = hits(named.length);
  const precision = named.length === 0 ? 0 : all / named.length;
  const recall = all / facts.size;
  const f1 = all === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  const answer = question.answer.toLowerCase();
  const answerQuoted = cited.some(({ quote }) => quote.toLowerCase().includes(answer));
  return { precision, recallAt5: hits(5) / facts.size, recallAt10: hits(10) / facts.size, f1, answerQuoted };
}

function sentencesIn({ context }: HotpotQuestion, { document, start, end }: CitedSpan): string[] {
  const sentences = context.find(([title]) => title === document)?.[1] ?? [];
  let at = 0;
  return sentences.flatMap((sentence, i) => {
    const [from, to] = [at + sentence.length - sentence.trimStart().length, at + sentence.trimEnd().length];
    at += sentence.length;
    const common = Math.min(to, end) - Math.max(from, start);
    return common > 0 && common * 2 >= to - from ? [`${i} ${document}`] : [];
  });
}

/** Averages the scores over all questions, including those without a report. */
export function averageScores(found: readonly FactScores[]): Record<string, number> {
  const of = (value: (one: FactScores) => number): number => Number(mean(found.map(value)).toFixed(4));
  return {
    questions: found.length,
    precision: of((one) => one.precision),
    "recall@5": of((one) => one.recallAt5),
    "recall@10": of((one) => one.recallAt10),
    f1: of((one) => one.f1),
  };
}
