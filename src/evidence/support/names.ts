import { detectLanguage, scriptOf } from "../../ranking/language.ts";
import { isStopWord } from "../../ranking/query-terms.ts";
import type { Span } from "../../ranking/sentences.ts";
import { readAmounts } from "../figures/amounts.ts";
import { hasFigures } from "../figures/check-figures.ts";
import { readDates } from "../figures/dates.ts";
import { singularOf } from "./ordinary-words.ts";

/** Abbreviations of common nouns, and titles. They name nobody. */
const COMMON = new Set(
  "CEO CFO COO CTO GDP CPI R&D FY IPO AI IT TV ESG EBITDA EPS YoY VAT DNA pH CI I Mr Mrs Ms Dr Celsius Fahrenheit".split(" "),
);
/** Function words that the lists of stop words lack: prepositions, conjunctive adverbs, determiners, pronouns and ordinals. These classes are closed. */
const FUNCTION_WORDS = new Set(
  (
    "across against along although amid among around behind below beneath beside besides beyond by despite inside near opposite outside past " +
    "throughout toward towards underneath unlike unless versus via whereas within without " +
    "consequently conversely even finally furthermore hence however indeed instead later likewise meanwhile moreover nevertheless next " +
    "nonetheless notwithstanding otherwise overall similarly still subsequently then thereafter therefore though thus together " +
    "every fewer half last least less no nobody one other others part several yes today tomorrow yesterday " +
    "first second third fourth fifth sixth seventh eighth ninth tenth"
  ).split(" "),
);
/** Chinese has no spaces beside them. */
const WORD = /(?<![\p{sc=Latin}\p{N}\p{M}'’])\p{sc=Latin}[\p{sc=Latin}\p{M}&]*(?:[.'’-]\p{Lu}[\p{sc=Latin}\p{M}]*)*/gu;
/** What stands before a word that begins with a capital in any case. */
const SENTENCE_START = /(?:^|[.!?。！？:：|])["'“‘(（\s]*$/;
const LETTER = /[\p{sc=Latin}\p{N}]/u;
/** Further names of a sentence are not searched. */
const MAX_NAMES = 20;

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));
/** In UTF-16 code units. The amounts of the rest are not read. */
const MAX_LENGTH = 4_000;

export interface Name extends Span {
  readonly word: string;
  /** False for the first word of a sentence, which may be an ordinary word with a capital. */
  readonly isSure: boolean;
}

/**
 * Returns the names in Latin script that stand in none of the texts. The first word of a sentence has a capital in any case. It counts as a name
 * unless it is a function word, states a number, or `isLower` says that another text writes it in lower case.
 */
export function missingNames(sentence: string, texts: readonly string[], isLower = (_: string): boolean => false): Name[] {
  const isWord = ({ word, isSure }: Name): boolean =>
    !isSure && (FUNCTION_WORDS.has(word.toLowerCase()) || hasFigures(word) || isLower(word));
  const missing = namesOf(sentence).filter((name) => !texts.some((text) => isIn(text, name)) && !isWord(name));
  if (missing.length === 0) return [];
  const amounts = readAmounts(sentence.slice(0, MAX_LENGTH), false);
  // Dates are compared elsewhere.
  const { rest } = readDates(sentence);
  return missing.filter((name) => rest.charAt(name.start) !== " " && !amounts.some((amount) => belongsTo(name, amount)));
}

/** In UTF-16 code units. */
const MAX_SEARCHED = 200_000;
const LATIN_NAME = /(?<![\p{L}\p{N}])\p{Lu}\p{Ll}{2,}/gu;

/**
 * Whether a text that lacks a name could have it: it has other names in Latin script. A word that may be no name can only be missed in a text that
 * is written in this script.
 */
export function couldHave(text: string, { isSure }: Name): boolean {
  if (!isSure) return scriptOf(detectLanguage(text)) === "Latn";
  return text
    .slice(0, MAX_SEARCHED)
    .matchAll(LATIN_NAME)
    .some(([word]) => !COMMON.has(word));
}

/** Whether a word is the unit or the currency of an amount. */
function belongsTo({ word, start, end }: Name, amount: Span): boolean {
  if (start >= amount.start && end <= amount.end) return true;
  const isBeside = (end <= amount.start && amount.start - end <= 1) || (start >= amount.end && start - amount.end <= 1);
  return isBeside && CURRENCIES.has(word);
}

function namesOf(sentence: string): Name[] {
  const found = [...sentence.matchAll(WORD)].filter(({ 0: word }) => /\p{Lu}/u.test(word)).slice(0, MAX_NAMES);
  return found.flatMap(({ 0: written, index: start }, i) => {
    const word = written.replace(/['’]s?$/, "");
    const plain = word.replaceAll(".", "");
    if (word.length < 2 || COMMON.has(plain)) return [];
    const isFirst = SENTENCE_START.test(sentence.slice(Math.max(0, start - 12), start));
    if (isFirst && isStopWord(word)) return [];
    const end = start + written.length;
    const isFollowed = found[i + 1]?.index === end + 1 && /^\s/.test(sentence.slice(end, end + 1));
    const isOwner = /^['’]s\b/.test(sentence.slice(end, end + 3));
    return [{ word, start, end, isSure: !isFirst || isFollowed || isOwner || /^.+\p{Lu}/u.test(word) }];
  });
}

function isIn(text: string, { word, isSure }: Name): boolean {
  return (
    contains(text, word) || (!isSure && contains(text, singularOf(word.toLowerCase()))) || spellingsOf(word).some((form) => form.test(text))
  );
}

const REGIONS = (["en", "zh"] as const).map((language) => new Intl.DisplayNames(language, { type: "region", fallback: "none" }));

/** Returns what an abbreviation may stand for: `U.S.`, words with its three or more initials, and the region that has two letters as its code, in English and Chinese. */
function spellingsOf(word: string): RegExp[] {
  const letters = word.replaceAll(".", "");
  if (!/^\p{Lu}{2,6}$/u.test(letters)) return [];
  // Any two words may begin with two letters.
  const initials = `${[...letters].join(String.raw`[\p{Ll}-]{1,30}\s+(?:(?:of|the|and|for|on)\s+){0,2}`)}[\\p{Ll}-]+`;
  const words = letters.length > 2 ? [initials] : REGIONS.flatMap((names) => names.of(letters) ?? []).map(RegExp.escape);
  const spellings = [letters, [...letters].join(String.raw`\.\s?`), ...words];
  return spellings.map((spelling) => new RegExp(String.raw`(?<!\p{sc=Latin})(?:${spelling})(?!\p{sc=Latin})`, "u"));
}

/** Whether a text has a word, its plural, its beginning ("German" of "Germany"), or all in small letters: "US" is no "us". */
function contains(text: string, word: string): boolean {
  const lower = /^\p{Lu}{2,3}$/u.test(word) ? word : word.toLowerCase();
  return [word, lower, word.replace(/(?<=\p{L}{3})(?:n|ns|s)$/u, "")].some((form) => {
    for (let at = text.indexOf(form), places = 0; at >= 0 && places < 50; at = text.indexOf(form, at + 1), places++)
      if (!LETTER.test(text.charAt(at - 1)) && (form.length > 3 || !LETTER.test(text.charAt(at + form.length)))) return true;
    return false;
  });
}
