import { tokenise } from "../../../ranking/tokenise.ts";
import { isMeasuringWord } from "../measures.ts";
import { type Concept, type Question, readQuestion } from "../question.ts";
import { formsOf } from "../verb-forms.ts";
import { isOfClass, relativesOf } from "./relations.ts";

/** What weighs so much is a name; lighter than 1 only frames the question. */
const NAME_WEIGHT = 1.25;
const TELLING_WEIGHT = 1;
/** How much of a concept must occur for it to be met. */
const MET = 0.7;
/** "What lakes are there", 有哪些湖泊. */
const LISTED =
  /^\s*(?:what|which)\s+([\p{L}-]+s)\s+(?:are|were|do|does|did|has|have|exist|lie|stand|belong)\b|有哪[些几幾](?:[个個座条條种種家所位])?(\p{sc=Han}{2})(?=[，,？?。]|$)/iu;
/** A verb in front of a name is no part of it. */
const CHINESE_DEED = /谁(?:拥有|持有|设计|建造|修建|创[办立建]|发[明现]|撰写|领导|管理|经营|击败|画|写|造|建)了?/gu;
const YEAR = /(?<!\d)(?:1[5-9]|20)\d\d(?!\d)/gu;

/** A question with what an answer to it cannot do without. */
export interface Demands extends Question {
  /** The names in it; where it has none, all words of content. */
  readonly subject: readonly Concept[];
  readonly hasNames: boolean;
  readonly years: readonly string[];
}

export function readDemands(text: string): Demands {
  const question = withDemands(readQuestion(text.replaceAll(CHINESE_DEED, "$& ")));
  const names = question.concepts.filter((concept) => isName(concept) && !/^\d+$/.test(concept.surface));
  const telling = question.concepts.filter(({ weight }) => weight >= TELLING_WEIGHT);
  const hasNames = names.length > 0;
  return { ...question, subject: hasNames ? names : telling, hasNames, years: [...new Set(question.text.match(YEAR))] };
}

/** The measure that is asked for is told by its figure, whatever the words; what is to be listed has to be spoken of. */
function withDemands(question: Question): Question {
  const { property, text } = question;
  const listed = LISTED.exec(text)
    ?.slice(1)
    .find((noun) => noun !== undefined);
  const concepts = question.concepts
    .filter(({ surface }) => !(property?.isMeasure && (surface === property.surface || isMeasuringWord(surface))))
    .map((concept) => (concept.surface === listed ? { ...concept, weight: Math.max(concept.weight, TELLING_WEIGHT) } : concept));
  return { ...question, concepts };
}

export function isName({ fullName, weight }: Concept): boolean {
  return fullName || weight >= NAME_WEIGHT;
}

/** The terms of a text, for `meets`. */
export function termsOf(text: string): ReadonlySet<string> {
  return new Set(tokenise(text));
}

/** Whether a text with these terms speaks of the concept. */
export function meets({ whole, parts, surface }: Concept, terms: ReadonlySet<string>): boolean {
  if ((whole !== null && terms.has(whole)) || isOfClass(surface, terms)) return true;
  const has = (part: string): boolean => [part, ...relativesOf(part), ...formsOf(part)].some((term) => holds(terms, term));
  return parts.filter(has).length >= parts.length * MET;
}

/** Chinese terms are pairs of characters; a character that a question leaves alone stands in one of them. */
function holds(terms: ReadonlySet<string>, term: string): boolean {
  return terms.has(term) || (/^\p{sc=Han}$/u.test(term) && [...terms].some((pair) => pair.includes(term)));
}
