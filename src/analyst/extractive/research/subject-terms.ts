import { tokenise } from "../../../ranking/tokenise.ts";
import { type Concept, type Question, readQuestion } from "../question.ts";
import { formsOf } from "../verb-forms.ts";

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

/** Terms that say the same in another form: a length is told by "long". */
const FAMILIES: readonly (readonly string[])[] = [
  ["length", "long", "全长", "长度"],
  ["depth", "deep", "深度", "水深"],
  ["height", "high", "tall", "高度", "海拔"],
  ["width", "wide", "宽度"],
  ["weight", "weigh", "heavi", "重量"],
  ["found", "establish", "founder", "成立", "创立", "创办", "创建"],
  ["popul", "inhabit"],
  ["die", "death"],
  ["born", "birth"],
  ["建于", "建成", "始建", "建立"],
  ["通车", "开通"],
  ["营收", "营业"],
];
const RELATIVES: ReadonlyMap<string, readonly string[]> = new Map(FAMILIES.flatMap((family) => family.map((term) => [term, family])));

/** Whether a text with these terms speaks of the concept. */
export function meets({ whole, parts }: Concept, terms: ReadonlySet<string>): boolean {
  if (whole !== null && terms.has(whole)) return true;
  const has = (part: string): boolean =>
    terms.has(part) ||
    RELATIVES.get(part)?.some((relative) => terms.has(relative)) === true ||
    formsOf(part).some((form) => terms.has(form));
  return parts.filter(has).length >= parts.length * MET;
}
