import { contentWords } from "../../ranking/query-terms.ts";
import { FRENCH_STOP_TERMS, STOP_TERMS } from "../../ranking/stop-words.ts";
import { tokenise } from "../../ranking/tokenise.ts";
import { type AnswerKind, isCueWord, readAnswerKind } from "./answer-kind.ts";
import { asEvidence } from "./evidence-words.ts";
import { isMeasuringWord } from "./measures.ts";
import { type Property, readProperty } from "./property.ts";
import { isScaffolding } from "./scaffolding.ts";

/** One thing that a question names: a word, an identifier, a Chinese word, a figure. */
export interface Concept {
  /** As the question spells it. */
  readonly surface: string;
  /** The compound in one token (`lasteventid`), or null for what has no parts. */
  readonly whole: string | null;
  /** Its tokens; for a Chinese word its pairs of characters. */
  readonly parts: readonly string[];
  /** How much it matters apart from its rarity: names and identifiers most, words such as "report" least. */
  readonly weight: number;
  /** Whether it is a name of several words. */
  readonly fullName: boolean;
  /** For a property (a colour): whether a text holds a value of it, which is as good as its name; null for anything else. */
  readonly isNamedIn: Property["isNamedIn"] | null;
}

/** A question as the rules see it. */
export interface Question {
  /** As it was asked, compatibility-normalised. */
  readonly text: string;
  readonly concepts: readonly Concept[];
  /** What the answer has to name, or null. */
  readonly answerKind: AnswerKind | null;
  /** The property whose value the answer has to tell, or null. */
  readonly property: Property | null;
  /** Whether it asks what, or who, something is, or which there are. */
  readonly asksForDefinition: boolean;
}

/** Bounds the work of matching; a question of 8,000 characters names its matter long before. */
const MAX_CONCEPTS = 40;
/** Small enough that a name alone, of two things that are asked for, makes no answer (see REQUIRED). */
const NAME_WEIGHT = 1.25;
const ANSWER_NOUN_WEIGHT = 0.5;
const SCAFFOLDING_WEIGHT = 0.35;

/** A noun behind a question word says of which kind the answer is ("which city"), and answers seldom repeat it. */
const ANSWER_NOUN =
  /\b(?:what|which)\s+(?!(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b)([\p{L}-]+)|(?:什么样的|怎样的|什么|哪一?[些个個种種位座部条类家所]|何种|几[个個种種位座部条类家所])(\p{sc=Han}{2})/giu;

const DEFINITION =
  /^\s*(?:what|who)(?:'s| is| are| was| were)\s|^\s*(?:what|which)\s.*\b(?:there|exist)\b|什么是|是什么[？?。]?\s*$|是谁[？?。]?\s*$|とは/i;
/** Taken out as a whole, because much, long and often, or 年 and 钱, are words of content elsewhere. */
const KIND_PHRASES =
  /\bhow (?:many|much|long|often|old|tall|big|large|high|heavy)\b|[哪几幾]一?[年月日]|多少[钱錢]|[几幾][岁歲]|多[长長][时時][间間]|星期[几幾]/gi;

/** A verb that begins a question is no part of the name behind it: 比较腾讯控股, 列举云岭茶. */
const COMPARING = /^\s*(?:请|帮我|麻烦|你)*(?:比较|对比|列出|列举|罗列|举出|说出|写出|找出|指出)(?:一下)?|[哪谁][个家]?更/gu;

/** Elsewhere "own" is a stop word. */
const OWNING = /\bwho\s+(own(?:s|ed)?)\b/iu;
const OWNER: Concept = { surface: "own", whole: null, parts: ["own"], weight: 1, fullName: false, isNamedIn: null };

/** Behind a figure it is the unit of a date: 2023年 is asked for, any other 年 is not. */
const DATE_UNIT = /(?<=\p{N}\s*)[年月日号號](?:度|份)?/gu;

/** Among Latin languages a stop word of one is a content word of another, so this has to be plain to see. */
const FRENCH = /^\s*(?:qui|que|quoi|quand|où|combien|comment|pourquoi|est-ce|(?:à |en |de |dans )?quel(?:le)?s?)\s/i;

/** Reads what a question names: each thing once, in reading order, stop words left out; at most 40. */
export function readQuestion(question: string): Question {
  const plain = question.normalize("NFKC").replaceAll("’", "'");
  const answerKind = readAnswerKind(plain);
  const property = readProperty(plain);
  const french = FRENCH.test(plain);
  const nouns = new Set(Array.from(plain.matchAll(ANSWER_NOUN), (match) => match[1] ?? match[2] ?? ""));
  const found = new Map<string, Concept>();
  for (const word of joinNames(
    surfaces([KIND_PHRASES, DATE_UNIT, COMPARING].reduce((text, frame) => text.replaceAll(frame, " "), plain)),
  )) {
    const read = readConcept(word, { nouns, answerKind, property });
    const concept = read && asEvidence(read, plain);
    if (!concept || (french && concept.parts.every((part) => FRENCH_STOP_TERMS.has(part)))) continue;
    const key = concept.parts.join(" ");
    if (!found.has(key) && found.size < MAX_CONCEPTS) found.set(key, concept);
  }
  const owning = OWNING.exec(plain)?.[1];
  if (owning !== undefined && !found.has("own")) found.set("own", { ...OWNER, surface: owning });
  const asksForDefinition = DEFINITION.test(plain);
  return { text: plain, concepts: [...found.values()], answerKind, property, asksForDefinition };
}

const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー`;
const RUN = new RegExp(String.raw`[${UNSPACED}]+|[^\s${UNSPACED}\(\)\[\]\{\}<>«»"“”„《》「」『』、。，；]+`, "gv");
const UNSPACED_START = new RegExp(`^[${UNSPACED}]`, "v");

/** Words as spaces and brackets divide them; ideographs by the dictionary. */
function surfaces(text: string): string[] {
  return (text.match(RUN) ?? []).flatMap((run) => (UNSPACED_START.test(run) ? contentWords(run) : [run]));
}

/** A word of the question, or a name of several; `named` where its capital says so. */
interface Word {
  readonly surface: string;
  readonly named: boolean;
}

/**
 * Neighbouring words with capitals are one name ("World Cup", "Sigmund Jähn"): half of it is not much of an answer. The
 * first word of the question, and questions in title case, say nothing by their capitals.
 */
function joinNames(words: readonly string[]): Word[] {
  const spaced = words.filter((word) => !UNSPACED_START.test(word));
  const titleCase = spaced.length > 3 && spaced.every((word) => !/^\p{Ll}/u.test(word));
  const isNamed = (i: number): boolean => !titleCase && i > 0 && /^["'“]?\p{Lu}/u.test(words[i] ?? "") && hasContent(words[i] ?? "");
  const joined: Word[] = [];
  words.forEach((word, i) => {
    const named = isNamed(i);
    if (named && isNamed(i - 1) && !/[,;:?!.]$/.test(words[i - 1] ?? ""))
      joined.push({ surface: `${joined.pop()?.surface} ${word}`, named });
    else joined.push({ surface: word, named });
  });
  return joined.map(({ surface, named }) => ({ surface: surface.replace(/^[^\p{L}\p{N}-]+|[^\p{L}\p{N}%+#]+$/gu, ""), named }));
}

function hasContent(word: string): boolean {
  return tokenise(word).some((token) => !STOP_TERMS.has(token));
}

interface AskedFor extends Pick<Question, "answerKind" | "property"> {
  readonly nouns: ReadonlySet<string>;
}

function readConcept({ surface, named }: Word, { nouns, answerKind, property }: AskedFor): Concept | null {
  const tokens = tokenise(surface).filter((token) => !STOP_TERMS.has(token));
  const [first, ...rest] = tokens;
  if (first === undefined) return null;
  const compound = rest.length > 0 && !UNSPACED_START.test(surface) && !surface.includes(" ");
  const name = named || isNameAlone(surface);
  const framing = isScaffolding(surface, tokens) || isCueWord(answerKind, surface);
  const weight = framing ? SCAFFOLDING_WEIGHT : name ? NAME_WEIGHT : 1;
  return {
    surface,
    whole: compound ? first : null,
    parts: compound ? rest : tokens,
    fullName: surface.includes(" "),
    isNamedIn: property?.surface === surface || (property?.isMeasure && isMeasuringWord(surface)) ? property.isNamedIn : null,
    weight: nouns.has(surface) ? Math.min(weight, ANSWER_NOUN_WEIGHT) : weight,
  };
}

/** An identifier by its joints, a code by its digits, a Chinese name by its length. */
function isNameAlone(surface: string): boolean {
  return /\p{L}[\p{N}_]|[\p{N}_]\p{L}|\p{Ll}\p{Lu}/u.test(surface) || /^\p{sc=Han}{4,}$/u.test(surface);
}
