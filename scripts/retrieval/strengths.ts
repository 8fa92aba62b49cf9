import { matchSentences } from "../../src/quoting/match.ts";
import { readQuestion } from "../../src/quoting/question.ts";
import { Sentences } from "../../src/quoting/sentences.ts";
import type { CollectionCorpus } from "./collection-corpus.ts";
import { readTopHits } from "./write-report.ts";

/**
 * Returns the best match strength of a question, 0 to 1, which the quoting search compares with its threshold.
 * The document with the id `without` is removed from the hits.
 */
export async function strengthFor(question: string, collection: CollectionCorpus, without?: string): Promise<number> {
  const readings = (await readTopHits(question, collection)).filter(({ hit }) => collection.idOf(hit.url) !== without);
  const { strengths } = matchSentences(readQuestion(question), new Sentences(readings));
  return Math.max(0, ...strengths.values());
}
