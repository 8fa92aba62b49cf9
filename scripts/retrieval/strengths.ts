import { matchSentences } from "../../src/analyst/extractive/match.ts";
import { readQuestion } from "../../src/analyst/extractive/question.ts";
import { collectSentences } from "../../src/analyst/extractive/sentences.ts";
import type { CollectionCorpus } from "./collection-corpus.ts";
import { readFor } from "./write-report.ts";

/**
 * How well the best document that is read for a question matches it, 0 to 1, which is what the quoting search holds against its threshold.
 * `without` is the id of a document that is taken away after the search.
 */
export async function strengthFor(question: string, collection: CollectionCorpus, without?: string): Promise<number> {
  const readings = (await readFor(question, collection)).filter(({ hit }) => collection.idOf(hit.url) !== without);
  const { strengths } = await matchSentences(readQuestion(question), await collectSentences(readings));
  return Math.max(0, ...strengths.values());
}
