import { tokenise } from "../../../ranking/tokenise.ts";
import { type Concept, type Question, readQuestion } from "../question.ts";

/** What weighs so much is a name; lighter than 1 only frames the question. */
const NAME_WEIGHT = 1.25;
const TELLING_WEIGHT = 1;
/** How much of a concept must occur for it to be met. */
const MET = 0.7;
const YEAR = /(?<!\d)(?:1[5-9]|20)\d\d(?!\d)/gu;

/** A question with what an answer to it cannot do without. */
export interface Demands extends Question {
  /** The names in it; where it has none, all words of content. */
  readonly subject: readonly Concept[];
  readonly hasNames: boolean;
  readonly years: readonly string[];
}

export function readDemands(text: string): Demands {
  const question = readQuestion(text);
  const names = question.concepts.filter((concept) => isName(concept) && !/^\d+$/.test(concept.surface));
  const telling = question.concepts.filter(({ weight }) => weight >= TELLING_WEIGHT);
  const hasNames = names.length > 0;
  return { ...question, subject: hasNames ? names : telling, hasNames, years: [...new Set(question.text.match(YEAR))] };
}

export function isName({ fullName, weight }: Concept): boolean {
  return fullName || weight >= NAME_WEIGHT;
}

/** The terms of a text, for `meets`. */
export function termsOf(text: string): ReadonlySet<string> {
  return new Set(tokenise(text));
}

/** Whether a text with these terms speaks of the concept. */
export function meets({ whole, parts }: Concept, terms: ReadonlySet<string>): boolean {
  if (whole !== null && terms.has(whole)) return true;
  return parts.filter((part) => terms.has(part)).length >= parts.length * MET;
}
