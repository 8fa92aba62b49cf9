import { isStopWord } from "../../ranking/query-terms.ts";
import type { Span } from "../../ranking/sentences.ts";
import { readAmounts } from "../figures/amounts.ts";
import { singularOf } from "./ordinary-words.ts";

/** Abbreviations that need no source. */
const COMMON = new Set(
  (
    "CEO CFO COO CTO US USA UK EU UN UAE GDP CPI R&D FY IPO AI IT TV ESG EBITDA EPS YoY COVID DNA pH VAT HIV AIDS NATO OECD IMF WHO CI I " +
    "January February March April May June July August September October November December Jan Feb Mar Apr Jun Jul Aug Sep Sept Oct Nov Dec " +
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday USD EUR GBP RMB CNY JPY CHF HKD Celsius Fahrenheit Mr Mrs Ms Dr"
  ).split(" "),
);
/**
 * First words that are no names although no text may have them: words that link or count, and common nouns and adjectives of reports. An
 * English report on a Chinese document has "Sales" perhaps only once, and a wrong name in its place must not pass.
 */
const OPENERS = new Set(
  (
    "across against almost along although amid among around behind below beneath besides beyond consequently despite even every fewer finally " +
    "fourth furthermore hence however instead last later least less likewise meanwhile moreover nevertheless next nobody nonetheless one other " +
    "otherwise overall part recent several similar still then thereby therefore though throughout thus today together tomorrow toward towards " +
    "twice two three four five six seven eight nine ten first second third unless versus via without yesterday " +
    "annual average domestic fiscal foreign full global gross growing half higher local lower new old big small strong weak total " +
    "analyst authority bank business capital case cash child children city coal company cost country critic customer data debt deliveries " +
    "demand detail dividend doctor earning employee energy expert export farmer figure firm gas government growth headcount hospital household " +
    "import income industry interest investor loss losses man margin market median men national net number official oil order output parent " +
    "participant patient people police power price profit province quarter rate region report research resident result revenue risk sale " +
    "school sector share shareholder shipment snow source staff state stock student study subsidy supply tax team temperature town trade " +
    "turnover union unit university user value village volume voter wage water weather woman women worker year"
  ).split(" "),
);
const ENDINGS = /(?:ly|ing|ed|tion|sion|ment|ness|ity|ship|ance|ence|ism|ers|ors|ists)$/;
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

interface Name extends Span {
  readonly word: string;
  /** False for the first word of a sentence, which may be an ordinary word with a capital. */
  readonly isSure: boolean;
}

/** Returns the names in Latin script that stand in none of the texts. `isLower`: whether another text writes a word in lower case. */
export function missingNames(sentence: string, texts: readonly string[], isLower = (_: string): boolean => false): string[] {
  const isWord = ({ word, isSure }: Name): boolean => !isSure && (isOrdinary(word) || isLower(word));
  const missing = namesOf(sentence).filter((name) => !texts.some((text) => isIn(text, name)) && !isWord(name));
  if (missing.length === 0) return [];
  const amounts = readAmounts(sentence.slice(0, MAX_LENGTH), false);
  const words = missing.filter((name) => !amounts.some((amount) => belongsTo(name, amount)));
  return words.map(({ word }) => word);
}

/** In UTF-16 code units. */
const MAX_SEARCHED = 200_000;
const LATIN_NAME = /(?<![\p{L}\p{N}])\p{Lu}\p{Ll}{2,}/gu;

/** Whether a text has a name in Latin script, so that it might have others. */
export function hasLatinNames(text: string): boolean {
  return text
    .slice(0, MAX_SEARCHED)
    .matchAll(LATIN_NAME)
    .some(([word]) => !COMMON.has(word));
}

function isOrdinary(word: string): boolean {
  const lower = word.toLowerCase();
  return ENDINGS.test(word) || OPENERS.has(lower) || OPENERS.has(singularOf(lower));
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
    if (word.length < 2 || COMMON.has(word) || COMMON.has(word.replaceAll(".", ""))) return [];
    const isFirst = SENTENCE_START.test(sentence.slice(Math.max(0, start - 12), start));
    if (isFirst && isStopWord(word)) return [];
    const end = start + written.length;
    const isFollowed = found[i + 1]?.index === end + 1 && /^\s/.test(sentence.slice(end, end + 1));
    const isOwner = /^['’]s\b/.test(sentence.slice(end, end + 3));
    return [{ word, start, end, isSure: !isFirst || isFollowed || isOwner || /^.+\p{Lu}/u.test(word) }];
  });
}

function isIn(text: string, { word, isSure }: Name): boolean {
  return contains(text, word) || (!isSure && contains(text, singularOf(word.toLowerCase())));
}

/** Whether a text has a word, its plural, its beginning ("German" of "Germany"), or all in small letters. */
function contains(text: string, word: string): boolean {
  return [word, word.toLowerCase(), word.replace(/(?<=\p{L}{3})(?:n|ns|s)$/u, "")].some((form) => {
    for (let at = text.indexOf(form), places = 0; at >= 0 && places < 50; at = text.indexOf(form, at + 1), places++)
      if (!LETTER.test(text.charAt(at - 1)) && (form.length > 3 || !LETTER.test(text.charAt(at + form.length)))) return true;
    return false;
  });
}
