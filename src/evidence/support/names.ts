import type { Span } from "../../ranking/sentences.ts";
import { readAmounts } from "../figures/amounts.ts";
import { readDates } from "../figures/dates.ts";

/** Abbreviations of common nouns, and titles. They name nobody. */
const COMMON = new Set(
  "CEO CFO COO CTO GDP CPI R&D FY IPO AI IT TV ESG EBITDA EPS YoY VAT DNA pH CI I Mr Mrs Ms Dr Celsius Fahrenheit".split(" "),
);
/** Chinese has no spaces beside them. */
const WORD = /(?<![\p{sc=Latin}\p{N}\p{M}'’])\p{sc=Latin}[\p{sc=Latin}\p{M}\p{N}&]*(?:[.'’-](?:\p{Lu}|\d)[\p{sc=Latin}\p{M}\d]*)*/gu;
/** What stands before a word that begins with a capital in any case. */
const SENTENCE_START = /(?:^|[.!?。！？:：|])["'“‘(（\s]*$/;
const LETTER = /[\p{sc=Latin}\p{N}]/u;
/** Further names of a sentence are not searched. */
const MAX_NAMES = 20;
const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));
/** In UTF-16 code units. The amounts of the rest are not read. */
const MAX_LENGTH = 4_000;

type Name = Span & { readonly word: string };

/** Returns the names in Latin script that stand in none of the texts. `isName` says whether the first word of a sentence, which has a capital in any case, is a name. */
export function missingNames(sentence: string, texts: readonly string[], isName: (word: string) => boolean = () => false): string[] {
  const missing = namesOf(sentence, isName).filter(({ word }) => !texts.some((text) => isIn(text, word)));
  if (missing.length === 0) return [];
  const amounts = readAmounts(sentence.slice(0, MAX_LENGTH), false);
  // Dates are compared elsewhere.
  const { rest } = readDates(sentence);
  return missing
    .filter((name) => rest.charAt(name.start) !== " " && !amounts.some((amount) => belongsTo(name, amount)))
    .map(({ word }) => word);
}

function namesOf(sentence: string, isName: (word: string) => boolean): Name[] {
  const found = [...sentence.matchAll(WORD)].filter(({ 0: word }) => /\p{Lu}/u.test(word)).slice(0, MAX_NAMES);
  return found.flatMap(({ 0: written, index: start }) => {
    const word = written.replace(/['’]s?$/, "");
    const end = start + written.length;
    if (word.length < 2 || COMMON.has(word.replaceAll(".", ""))) return [];
    const isFirst = SENTENCE_START.test(sentence.slice(Math.max(0, start - 12), start));
    const isSure = !isFirst || /^.+\p{Lu}/u.test(word) || /^['’]s\b/.test(sentence.slice(end, end + 3));
    return isSure || isName(word) ? [{ word, start, end }] : [];
  });
}

/** In UTF-16 code units. */
const MAX_SEARCHED = 200_000;
const LATIN_NAME = /(?<![\p{L}\p{N}])\p{Lu}\p{Ll}{2,}/gu;

/** Whether a text writes names in Latin script, so that a name that it lacks is another one. */
export function hasLatinNames(text: string): boolean {
  return text
    .slice(0, MAX_SEARCHED)
    .matchAll(LATIN_NAME)
    .some(([word]) => !COMMON.has(word));
}

/** In UTF-16 code units. The rest of many documents is not read. */
const MAX_READ = 4_000_000;
const MAX_WORDS = 500;

/** Returns whether the texts write a word with a capital inside of a sentence, and nowhere in lower case. */
export function createNameSearch(texts: readonly string[]): (word: string) => boolean {
  const known = new Map<string, boolean>();
  const all = texts.join("\n").slice(0, MAX_READ);
  const isName = (word: string): boolean => {
    const lower = RegExp.escape(word.toLowerCase().replace(/(?<=\p{L}{3})s$/u, ""));
    const inside = String.raw`(?<=[\p{Ll}\p{sc=Han}\p{N},，] ?)(?<!\p{sc=Latin})${RegExp.escape(word)}(?![\p{sc=Latin}\p{N}\p{M}])`;
    const small = String.raw`(?<![\p{L}\p{N}\p{M}'’./@_-])${lower}s?(?![\p{L}\p{N}\p{M}'’/@_-]|\.\p{L})`;
    return new RegExp(inside, "u").test(all) && !new RegExp(small, "u").test(all);
  };
  return (word) => {
    const found = known.get(word) ?? isName(word);
    if (known.size < MAX_WORDS) known.set(word, found);
    return found;
  };
}

/** Whether a word is the unit or the currency of an amount. */
function belongsTo({ word, start, end }: Name, amount: Span): boolean {
  if (start >= amount.start && end <= amount.end) return true;
  const isBeside = (end <= amount.start && amount.start - end <= 1) || (start >= amount.end && start - amount.end <= 1);
  return isBeside && CURRENCIES.has(word);
}

function isIn(text: string, word: string): boolean {
  return contains(text, word) || spellingsOf(word).some((form) => form.test(text));
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
  return [word, lower, word.replace(/(?<=\p{L}{3})(?:n|ns|s)$/u, ""), word.replace("-", ""), word.replace("-", " ")].some((form) => {
    for (let at = text.indexOf(form), places = 0; at >= 0 && places < 50; at = text.indexOf(form, at + 1), places++)
      if (!LETTER.test(text.charAt(at - 1)) && (form.length > 3 || !LETTER.test(text.charAt(at + form.length)))) return true;
    return false;
  });
}
