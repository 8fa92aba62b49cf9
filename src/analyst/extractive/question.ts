import { contentWords } from "../../ranking/query-terms.ts";
import { STOP_TERMS } from "../../ranking/stop-words.ts";
import { tokenise } from "../../ranking/tokenise.ts";
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
}

/** A question as the rules see it. */
export interface Question {
  readonly concepts: readonly Concept[];
  /** Whether the answer is likely to hold a figure or a date. */
  readonly asksForFigure: boolean;
}

const MAX_CONCEPTS = 40;
const NAME_WEIGHT = 1.25;
const ANSWER_KIND_WEIGHT = 0.5;
const SCAFFOLDING_WEIGHT = 0.35;
const FIGURE_CUES =
  /\b(?:how (?:many|much|long|old|far|tall|big|large|often|high)|when|what (?:year|date|day|time|percentage|number)|which year)\b|多少|几[个年月日次种岁]|多[久大长高远]|何时|什么时候|哪[一]?年|何年|いつ|いくつ|いくら|何[年月日人]/i;

/** A noun behind a question word says of which kind the answer is ("which city"), and answers seldom repeat it. */
const ANSWER_KIND =
  /\b(?:what|which)\s+(?!(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b)([\p{L}-]+)|(?:什么样的|怎样的|什么|哪一?[些个個种種位座部条类家所]|何种|几[个個种種位座部条类家所])(\p{sc=Han}{2})/giu;

/** Reads the concepts of a question; none only where it holds no letter or digit. */
export function readQuestion(question: string): Question {
  const plain = question.normalize("NFKC").replaceAll("’", "'");
  const kinds = new Set(Array.from(plain.matchAll(ANSWER_KIND), (match) => match[1] ?? match[2] ?? ""));
  const found = new Map<string, Concept>();
  for (const surface of joinNames(surfaces(plain))) {
    const concept = readConcept(surface, kinds);
    if (!concept) continue;
    const key = concept.parts.join(" ");
    if (!found.has(key) && found.size < MAX_CONCEPTS) found.set(key, concept);
  }
  return { concepts: [...found.values()], asksForFigure: FIGURE_CUES.test(plain) };
}

const UNSPACED = String.raw`\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー`;
const RUN = new RegExp(String.raw`[${UNSPACED}]+|[^\s${UNSPACED}\(\)\[\]\{\}<>«»"“”„《》「」『』、。，；]+`, "gv");
const UNSPACED_START = new RegExp(`^[${UNSPACED}]`, "v");

/** Words as spaces and brackets divide them; ideographs by the dictionary. */
function surfaces(text: string): string[] {
  return (text.match(RUN) ?? []).flatMap((run) => (UNSPACED_START.test(run) ? contentWords(run) : [run]));
}

/**
 * Neighbouring words with capitals are one name ("World Cup", "Sigmund Jähn"): half of it is not much of an answer. The
 * first word of the question, and questions in title case, say nothing by their capitals.
 */
function joinNames(words: readonly string[]): string[] {
  const capital = words.map((word, i) => i > 0 && /^\p{Lu}/u.test(word) && tokenise(word).some((token) => !STOP_TERMS.has(token)));
  const spaced = words.filter((word) => !UNSPACED_START.test(word));
  const titleCase = spaced.length > 3 && spaced.every((word) => !/^\p{Ll}/u.test(word));
  const joined: string[] = [];
  words.forEach((word, i) => {
    const goesOn = !titleCase && capital[i] && capital[i - 1] && !/[,;:?!.]$/.test(words[i - 1] ?? "");
    if (goesOn) joined.push(`${joined.pop()} ${word}`);
    else joined.push(word);
  });
  return joined.map((word) => word.replace(/^[^\p{L}\p{N}-]+|[^\p{L}\p{N}%+#]+$/gu, "")).filter((word) => word !== "");
}

function readConcept(surface: string, kinds: ReadonlySet<string>): Concept | null {
  const tokens = tokenise(surface).filter((token) => !STOP_TERMS.has(token));
  const [first, ...rest] = tokens;
  if (first === undefined) return null;
  const compound = rest.length > 0 && !UNSPACED_START.test(surface) && !surface.includes(" ");
  const name = surface.includes(" ") || isNameAlone(surface);
  const weight = isScaffolding(surface, tokens) ? SCAFFOLDING_WEIGHT : name ? NAME_WEIGHT : 1;
  return {
    surface,
    whole: compound ? first : null,
    parts: compound ? rest : tokens,
    fullName: surface.includes(" "),
    weight: kinds.has(surface) ? Math.min(weight, ANSWER_KIND_WEIGHT) : weight,
  };
}

/** An identifier by its joints, a code by its digits, a Chinese name by its length. */
function isNameAlone(surface: string): boolean {
  return /\p{L}[\p{N}_]|[\p{N}_]\p{L}|\p{Ll}\p{Lu}/u.test(surface) || /^\p{sc=Han}{4,}$/u.test(surface);
}
