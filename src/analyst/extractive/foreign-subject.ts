import { tokenise } from "../../ranking/tokenise.ts";
import { type Sentence, textOf } from "./passages.ts";
import type { Concept } from "./question.ts";

/** What a list of terms says of each concept. */
type Matcher = (terms: readonly string[]) => readonly number[];

/** What weighs so much is a name. */
const NAME_WEIGHT = 1.25;
/** How much of a name must occur for it to be named. */
const NAMED = 0.7;
/** First words that stand for whatever a sentence or a document is about. */
const REFERS_BACK =
  /^["“‘'(]?(?:(?:it|its|they|their|this (?:bridge|building|city|town|company|book|novel|work|museum|lake|line))(?:['’]\p{L}+)?(?!\p{L})|它[们們]?|其(?!他|它|中|实|實|余|餘)|[该該此这這][座家本条條部]?[\p{sc=Han}])/iu;
/** What a sentence begins with: a name of several words, or what stands before the verb. */
const ENGLISH_LEAD = /^(?:[Tt]he\s+)?\p{Lu}[\p{L}'’-]*(?:\s+(?:of\s+(?:the\s+)?)?\p{Lu}[\p{L}'’-]*)+/u;
const CHINESE_LEAD = /^[\p{sc=Han}]{2,12}?(?=位于|坐落|建于|全长|[是有在由与與和比距離离跟同横])/u;
/** Something else of the same kind, the Harrow Bridge for the Orin Bridge, shares so much of the name. */
const ALIKE = 0.2;
const MAX_DISTANCE = 3;

/**
 * By the index of each sentence: whether it begins with a pronoun that stands for something else than what the question names, since
 * neither what is named before it nor its headings and title is that. False for all where the question names nothing.
 */
export function findForeignSubjects(
  concepts: readonly Concept[],
  sentences: readonly Sentence[],
  own: readonly (readonly number[])[],
  match: Matcher,
): boolean[] {
  const names = concepts.flatMap(({ fullName, weight }, i) => (fullName || weight >= NAME_WEIGHT ? [i] : []));
  const isNamed = (met: readonly number[]): boolean => names.some((i) => (met[i] ?? 0) >= NAMED);
  const isAlike = (met: readonly number[]): boolean => !isNamed(met) && names.some((i) => (met[i] ?? 0) >= ALIKE);
  // 银湾大桥 for 雾川大桥.
  const endsAlike = (lead: string): boolean =>
    /\p{sc=Han}$/u.test(lead) && names.some((i) => concepts[i]?.surface.endsWith(lead.slice(-1)) === true);
  const speaksOfIt = (index: number): boolean => {
    const section = sentences[index]?.section;
    for (let before = index - 1; before >= index - MAX_DISTANCE; before--) {
      const sentence = sentences[before];
      if (sentence === undefined || sentence.section !== section) break;
      const lead = leadOf(textOf(sentence));
      const led = match(tokenise(lead));
      if (isNamed(led)) return true;
      if (isAlike(led) || endsAlike(lead)) return false;
      if (isNamed(own[before] ?? [])) return isNamed(match(section.titleTerms)) || !isAlike(match(section.titleTerms));
    }
    return isNamed(match(section?.headingTerms ?? [])) || isNamed(match(section?.titleTerms ?? []));
  };
  return sentences.map(
    (sentence, index) =>
      names.length > 0 &&
      sentence.kind !== "code" &&
      REFERS_BACK.test(textOf(sentence).slice(0, 40)) &&
      !isNamed(own[index] ?? []) &&
      !sentence.asked &&
      !speaksOfIt(index),
  );
}

function leadOf(text: string): string {
  return (ENGLISH_LEAD.exec(text) ?? CHINESE_LEAD.exec(text))?.[0] ?? "";
}
