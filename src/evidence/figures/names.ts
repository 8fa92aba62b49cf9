import { chineseNames, isChineseKnown } from "./chinese-names.ts";

/** What may be called by its name: the quotes, and what is known besides them (the question, the title of the source). */
export interface Names {
  readonly quotes: string;
  readonly known: string;
}

/** Words with a capital that name nothing by themselves. */
const COMMON = new Set(
  `a an the this that these those it its he she they we i you his her their our my your in on at by for from to of with without and or but nor so
  yet as if when while after before since because although though however moreover therefore thus also then there here both each every all
  some many most few several no not only even still just between among during under over about according despite unlike like per
  is was are were has had did does will would can may revenue net income total sales profit operating yes overall today
  mr mrs ms dr prof sir president chief executive officer ceo cfo cto coo chairman chairwoman minister professor director founder
  inc corp corporation company co ltd plc llc group holdings limited ag gmbh sa nv
  january february march april may june july august september october november december
  jan feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday
  q1 q2 q3 q4 fy h1 h2 usd eur gbp cny rmb jpy hkd gdp ai it ipo eps r&d ebitda pdf api url ok tv id us u.s. uk eu am pm ad bc ce bce
  l ml lb lbs oz km cm mm kg mb gb tb hz khz mhz ghz kwh mwh gwh mw gw kw w wh v kv j kj mj gj tj pa kpa mpa gpa kb pb kbps mbps gbps mbit gbit mcg nmi hp bhp mph kph`.split(
    /\s+/,
  ),
);
/** Words that begin a sentence before a name, without being a part of it. */
const OPENERS = new Set(
  `indeed later earlier once where whereas whether what which who whose why how today yesterday tomorrow now meanwhile instead again besides former
  founder founders engineer engineers architect architects scientist scientists researcher researchers author authors writer writers designer
  designers inventor inventors historian historians economist economists physicist chemist king queen prince princess captain general saint
  through within inside outside near beside behind below above against across along around until till except including say says said let see did do
  does is are was were has have had can could should would must being having given built written founded designed led born made called named using
  because since perhaps maybe often usually finally eventually first second third last next early late only even neither either another other such
  new old modern ancient northern southern eastern western central senior junior read visit ask`.split(/\s+/),
);
/** Peoples and their countries, and other words for one thing. */
const SAME: readonly (readonly string[])[] = [
  ["america", "american", "states", "usa"],
  ["britain", "british", "kingdom"],
  ["france", "french"],
  ["spain", "spanish"],
  ["netherlands", "dutch"],
  ["switzerland", "swiss"],
  ["denmark", "danish"],
  ["wales", "welsh"],
  ["greece", "greek"],
  ["europe", "european"],
];
const WORD = String.raw`(?:\p{Lu}[\p{L}\p{M}\d]*|[\p{Ll}]{1,2}\p{Lu}[\p{L}\d]*)(?:['&.-]?[\p{Lu}\d][\p{L}\p{M}\d]*)*`;
const CAPITALISED = new RegExp(String.raw`(?<![\p{L}\p{N}])${WORD}(?:(?:,? |\. )(?:of |the |de |van |von |and |& )?${WORD}){0,6}`, "gu");
/** German writes all nouns with a capital: only words with more of them can be told to be names. */
const GERMAN = /\b(?:der|das|und|ist|wurde|auf|mit|im|eine?|nicht)\b/;
const LATIN = /\p{sc=Latin}{3}/u;
const HAN = /\p{sc=Han}/gu;
const MOST_NAMES = 60;

/**
 * `claim` is without dates and numbers, in which words may have been made digits; `original` is as it was written.
 * The names of a claim that stand neither in its quotes nor in what is known besides them. Names are compared
 * within one script only.
 */
export function missingNames(claim: string, original: string, { quotes, known }: Names): string[] {
  const missing: string[] = [];
  const text = `${quotes} ${known}`;
  if (isLatin(quotes)) {
    const words = new Set(wordsOf(text));
    const initials = initialsOf(text);
    for (const name of latinNames(claim)) if (!name.every((word) => isKnown(word, words, initials, text))) missing.push(name.join(" "));
  }
  if (isHan(quotes))
    missing.push(
      ...chineseNames(original)
        .filter((name) => !isChineseKnown(name, text))
        .map(({ text: name }) => name),
    );
  return [...new Set(missing)].slice(0, MOST_NAMES);
}

function isLatin(text: string): boolean {
  return LATIN.test(text) && (text.match(HAN)?.length ?? 0) * 3 < (text.match(/\p{sc=Latin}/gu)?.length ?? 0);
}

function isHan(text: string): boolean {
  return (text.match(HAN)?.length ?? 0) >= 2;
}

/** Words with a capital, in runs; a single one at the beginning of a sentence is none. */
function latinNames(claim: string): string[][] {
  const names: string[][] = [];
  const german = GERMAN.test(claim);
  for (const { 0: run, index } of claim.matchAll(CAPITALISED)) {
    const words = run
      .split(/[\s,]+/)
      .map((word) => word.replace(/'s?$|\.$/, ""))
      .filter((word) => /^\p{Ll}{0,2}\p{Lu}/u.test(word));
    const first =
      /^["'“‘(]*$/.test(claim.slice(0, index)) ||
      /[.!?:;]["'”’)]?\s["'“‘(]?$|^.{0,3}[:|]\s$/.test(claim.slice(Math.max(0, index - 4), index));
    const named = words.filter(
      (word, i) =>
        !COMMON.has(word.toLowerCase()) &&
        !/^[IVX]+$/.test(word) &&
        !((german || (first && i === 0 && !isNameGoingOn(run))) && isPlainWord(word)),
    );
    if (named.length > 0) names.push(named);
  }
  return names;
}

/** Whether the first two words of a run may be one name: a word that begins a sentence says nothing where an ordinary one follows. */
function isNameGoingOn(run: string): boolean {
  const [first = "", second = ""] = run.split(" ");
  const word = second.replace(/'s?$|[.,]$/, "");
  return /^\p{L}+$/u.test(first) && isPlainWord(word) && !COMMON.has(word.toLowerCase()) && !OPENERS.has(first.toLowerCase());
}

/** One capital at the beginning and nothing else: at the beginning of a sentence it says nothing. */
function isPlainWord(word: string): boolean {
  return /^\p{Lu}[\p{Ll}\p{M}'-]*$/u.test(word);
}

function wordsOf(text: string): string[] {
  return fold(text).match(/[\p{L}\p{N}&]+/gu) ?? [];
}

function fold(text: string): string {
  return text
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("'s", "")
    .replaceAll(/(?<=\b\p{L})\.(?=\p{L}\b|\s|$)/gu, "");
}

function isKnown(word: string, words: ReadonlySet<string>, initials: string, text: string): boolean {
  const own = wordsOf(word).filter((part) => !COMMON.has(part));
  if (own.every((part) => words.has(part) || hasVariant(part, words))) return true;
  if (/^[\p{Lu}&.]{2,6}s?$/u.test(word) && initials.includes(word.replaceAll(/[&.s]/g, "").toLowerCase())) return true;
  if (text.includes(word)) return true;
  return (
    fold(text)
      .replaceAll(/[^\p{L}\p{N}]/gu, "")
      .includes(fold(word).replaceAll(/[^\p{L}\p{N}]/gu, "")) && word.length > 3
  );
}

/** Plural, genitive, and the people of a country. */
function hasVariant(word: string, words: ReadonlySet<string>): boolean {
  if (SAME.some((group) => group.includes(word) && group.some((other) => words.has(other)))) return true;
  if (word.length < 4) return false;
  const stem = word.replace(/(?:ese|ians?|ans?|ish|s|n|a)$/, "");
  return stem.length >= 4 && [...words].some((other) => other.length >= 4 && other.length <= stem.length + 4 && other.startsWith(stem));
}

/** The initials of all words in a row, small words left out and left in, so that an acronym is a part of them. */
function initialsOf(text: string): string {
  const words = wordsOf(text);
  const initials = (list: readonly string[]): string => list.map((word) => word.charAt(0)).join("");
  return `${initials(words)} ${initials(words.filter((word) => !["of", "the", "and", "for", "on", "in", "de"].includes(word)))}`;
}
