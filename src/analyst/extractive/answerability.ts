import { coverage, type Evidence, type Match } from "./evidence.ts";
import type { Concept } from "./question.ts";
import { isQuotable } from "./quotable.ts";
import { passageMatch } from "./scoring.ts";

/** A passage is a sentence with its neighbours, under its headings; a title speaks for the document, less for a passage. */
const PASSAGE = { neighbour: 0.9, leadIn: 1, heading: 0.9, title: 0.7 };
/** An example or a request in code names things without telling anything of them. */
const CODE = 0.5;
/** The share of the question's weight that one passage must cover, for short questions and for long ones. */
const REQUIRED = 0.55;
const REQUIRED_OF_LONG = 0.3;
/** The share of the weight that names must have where all of them are known. */
const REQUIRED_OF_NAMES = 0.4;
/** Between so many concepts the requirement falls from the one to the other. */
const SHORT = 4;
const LONG = 14;

export interface Judgement {
  readonly answered: boolean;
  /** The coverage of the best passage, 0 to 1. */
  readonly coverage: number;
  /** The concepts that occur nowhere. */
  readonly missing: readonly Concept[];
}

/**
 * Whether the sentences can answer the question at all: whether one passage speaks of most of what the question names,
 * rare things counting more. What is scattered over many passages answers nothing.
 */
export function judge(evidence: Evidence): Judgement {
  let best = 0;
  const met = evidence.concepts.map(() => 0);
  evidence.sentences.forEach((sentence, index) => {
    const match = passageMatch(evidence, index, PASSAGE);
    match.forEach((strength, i) => {
      met[i] = Math.max(met[i] ?? 0, strength);
    });
    const covered = coverage(evidence.weights, match) * (sentence.kind === "code" ? CODE : 1);
    if (covered > best && isQuotable(sentence)) best = covered;
  });
  return {
    answered: best >= requiredCoverage(evidence.concepts.length) || comparesKnownNames(evidence, met),
    coverage: best,
    missing: evidence.concepts.filter((_, i) => (met[i] ?? 0) === 0),
  };
}

/** A question of many words, such as a whole task, is not met by one passage word for word. */
function requiredCoverage(concepts: number): number {
  const length = Math.min(1, Math.max(0, (concepts - SHORT) / (LONG - SHORT)));
  return REQUIRED + (REQUIRED_OF_LONG - REQUIRED) * length;
}

/** "Who was born first, A or B?" is answered by two passages, each about one of them, in words of their own. */
function comparesKnownNames({ concepts, weights }: Evidence, met: Match): boolean {
  const names = concepts.map(({ fullName }) => (fullName ? 1 : 0));
  const known = concepts.map(({ fullName }, i) => (fullName && (met[i] ?? 0) === 1 ? 1 : 0));
  const count = names.filter((name) => name === 1).length;
  return count >= 2 && coverage(weights, names) === coverage(weights, known) && coverage(weights, names) >= REQUIRED_OF_NAMES;
}
