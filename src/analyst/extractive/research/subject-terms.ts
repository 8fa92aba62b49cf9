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
/** Two of the three pairs of a name that the dictionary has cut one character too late. */
const MET_OF_HAN = 0.65;
/** "What lakes are there", 有哪些湖泊. */
const LISTED =
  /^\s*(?:what|which)\s+([\p{L}-]+s)\s+(?:are|were|do|does|did|has|have|exist|lie|stand|belong)\b|有哪[些几幾](?:[个個座条條种種家所位])?(\p{sc=Han}{2})(?=[，,？?。]|$)/iu;
/** A verb in front of a name is no part of it. */
const CHINESE_DEED = /谁(?:拥有|持有|设计|建造|修建|创[办立建]|发[明现]|撰写|领导|管理|经营|击败|画|写|造|建)了?/gu;
/** What a Chinese question begins with, before what it asks of it. */
const CHINESE_SUBJECT =
  /^(?:请问|请)?(?:列出|列举|介绍|说明|查找|给出|告诉我)?(?:一下)?([\p{sc=Han}A-Za-z0-9]{2,12}?)(?=的|有[哪多几没无]|在哪|在(?:19|20)|于哪|(?:1[5-9]|20)\d\d年|是什么时候|什么时候|何时|是?哪一?年|是谁|由谁|支持|海拔|多[高长深大宽重远少])/u;
/** By its end, its length or its figures. */
const CHINESE_NAME =
  /^(?:(?!.*(?:[的是有在和与及跟]|比较?|哪|什么|谁))\p{sc=Han}{2,}(?:[山湖河江海岛县市省镇村寺庙桥塔馆站厂店港园楼]|公司|集团|科技|环保|银行|大学|大桥|水塔|地铁)|\p{sc=Han}*[A-Za-z]+\d+)$/u;
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
  const names = question.concepts.filter((concept) => isName(concept) && !/^\d+$|^.$/u.test(concept.surface));
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
  return { ...question, concepts: withSubject(text, joinedNames(text, concepts)) };
}

/** "Museum of Kelm" is one name, and the number behind a name is a part of it, which `namesNumber` looks for. */
function joinedNames(text: string, concepts: readonly Concept[]): Concept[] {
  const joined: Concept[] = [];
  for (const concept of concepts) {
    const before = joined.at(-1);
    const whole =
      before &&
      isName(concept) &&
      [" of ", " of the "].map((of) => `${before.surface}${of}${concept.surface}`).find((name) => text.includes(name));
    if (before && whole && /^\p{Lu}/u.test(whole))
      joined.splice(-1, 1, { ...before, surface: whole, whole: null, parts: [...before.parts, ...concept.parts], fullName: true });
    else if (!(before?.surface.match(/^\p{Lu}/u) && /^\d{1,3}('s)?$/.test(concept.surface))) joined.push(concept);
  }
  return joined;
}

/** What a Chinese question asks about is one name, where it looks like one, however the dictionary cuts it. */
function withSubject(text: string, concepts: readonly Concept[]): Concept[] {
  const name = CHINESE_SUBJECT.exec(text)?.[1];
  if (name === undefined || !CHINESE_NAME.test(name)) return [...concepts];
  const rest = concepts.filter(({ surface }) => !name.includes(surface));
  const within = concepts.length - rest.length;
  const parts = tokenise(name);
  return within === 0
    ? [...concepts]
    : [{ surface: name, whole: null, parts, weight: NAME_WEIGHT, fullName: false, isNamedIn: null }, ...rest];
}

/** A compound of two words (lead-acid) is one as well. */
export function isName({ fullName, weight, whole, surface }: Concept): boolean {
  return fullName || weight >= NAME_WEIGHT || (whole !== null && weight >= TELLING_WEIGHT && /^\p{L}{3,}-\p{L}{3,}$/u.test(surface));
}

/** The terms of a text, for `meets`. */
export function termsOf(text: string): ReadonlySet<string> {
  return new Set(tokenise(text));
}

/** Whether a text with these terms speaks of the concept. */
export function meets({ whole, parts, surface }: Concept, terms: ReadonlySet<string>): boolean {
  if ((whole !== null && terms.has(whole)) || isOfClass(surface, terms)) return true;
  const has = (part: string): boolean => [part, ...relativesOf(part), ...formsOf(part)].some((term) => holds(terms, term));
  return parts.filter(has).length >= parts.length * (/^\p{sc=Han}+$/u.test(surface) ? MET_OF_HAN : MET);
}

/** Chinese terms are pairs of characters; a character that a question leaves alone stands in one of them. */
function holds(terms: ReadonlySet<string>, term: string): boolean {
  return terms.has(term) || (/^\p{sc=Han}$/u.test(term) && [...terms].some((pair) => pair.includes(term)));
}
