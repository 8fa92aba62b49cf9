import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { eld } from "eld/extrasmall";

const LETTERS_PER_IDEOGRAPH = 2;
const SAMPLE_LENGTH = 2_000;
/** Fewer words in Latin script are often names, and so are those that are nearly as likely English. */
const [MIN_WORDS, MIN_LEAD] = [4, 0.1];

let detector: typeof eld | undefined;

/** Takes 29 MB, so it is loaded for the first text whose script does not tell its language. */
function loadDetector(): typeof eld {
  detector ??= (createRequire(import.meta.url)(fileURLToPath(import.meta.resolve("eld/extrasmall"))) as { readonly eld: typeof eld }).eld;
  return detector;
}

/** Returns the language of a text, or null if it is not evident: Chinese, Japanese and Korean by their script, others by eld. */
export function evidentLanguage(text: string): string | null {
  const sample = text.slice(0, SAMPLE_LENGTH).toLowerCase();
  const count = (pattern: RegExp): number => sample.match(pattern)?.length ?? 0;
  const [latin, ideographs, hangul] = [count(/\p{sc=Latin}/gu), count(/\p{sc=Han}/gu), count(/\p{sc=Hangul}/gu)];
  const kana = count(/[\p{sc=Hiragana}\p{sc=Katakana}]/gu);
  // Japanese text has at least one kana per five ideographs. Chinese text that quotes a Japanese name has fewer.
  if (kana > 0 && kana * 5 >= ideographs && (kana + ideographs) * LETTERS_PER_IDEOGRAPH >= latin) return "ja";
  const wide = hangul > ideographs ? { language: "ko", letters: hangul } : { language: "zh", letters: ideographs };
  if (wide.letters > 0 && wide.letters * LETTERS_PER_IDEOGRAPH >= latin) return wide.language;
  if (latin * 2 < count(/\p{L}/gu)) return loadDetector().detect(sample).language || null;
  const isLong = count(/\p{sc=Latin}+/gu) >= MIN_WORDS;
  const language = isLong ? longTextLanguage(sample) : null;
  return language === null && wide.letters > 0 ? wide.language : language;
}

function longTextLanguage(text: string): string | null {
  const found = loadDetector().detect(text);
  return found.isReliable() && (found.language === "en" || likelyLanguages(text).includes(found.language)) ? found.language : null;
}

/** Returns the language that eld finds most likely, and its score from 0 to 1; `""` and 0 if it finds none. */
export function bestLanguage(text: string): { language: string; score: number } {
  const [[language, score] = ["", 0]] = Object.entries(scoresOf(text));
  return { language, score };
}

/** The most likely language is the first. */
function scoresOf(text: string): Readonly<Record<string, number>> {
  return loadDetector().detect(text.slice(0, SAMPLE_LENGTH).toLowerCase()).getScores();
}

/** Returns the languages that eld finds clearly more likely than English, the most likely first. */
export function likelyLanguages(text: string): string[] {
  const { en = 0, ...scores } = scoresOf(text);
  return Object.keys(scores).filter((language) => (scores[language] ?? 0) - en >= MIN_LEAD);
}

/** Like `evidentLanguage`, but `en` if none is evident. */
export function detectLanguage(text: string): string {
  return evidentLanguage(text) ?? "en";
}

/** A text in Latin script whose language is not evident. */
const LATIN = "und-Latn";

/** Returns the language of a text, `und-Latn` if only its script is known, and null for a text without letters of a known language. */
export function languageOrScript(text: string): string | null {
  return evidentLanguage(text) ?? (/\p{sc=Latin}/u.test(text) ? LATIN : null);
}

/** Returns the script of a language, as ISO 15924 names it. */
export function scriptOf(language: string): string | undefined {
  return new Intl.Locale(language).maximize().script;
}

/** Whether texts in two languages of `languageOrScript` may have words in common. */
export function mayShareWords(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return false;
  return one === other || ([one, other].includes(LATIN) && scriptOf(one) === scriptOf(other));
}

export function primaryLanguage(tag: string): string {
  return tag.toLowerCase().split("-", 1)[0] ?? "";
}

/** Whether a source whose texts are only in `languages` may have texts in the language. Without languages it may have any. */
export function hasLanguage(languages: readonly string[] = [], language: string): boolean {
  return languages.length === 0 || languages.some((one) => primaryLanguage(one) === primaryLanguage(language));
}

export function resolveLanguage(requested: string, question: string): string {
  return requested === "auto" || requested === "" ? detectLanguage(question) : requested;
}

export function isChinese({ language, question }: { readonly language: string; readonly question: string }): boolean {
  return /^zh\b/i.test(resolveLanguage(language, question));
}

const BY_SCRIPT = /^(?:zh|ja|ko)\b/i;

/** Returns `requested`, unless it is `auto` or the script of `text` contradicts it, such as `fr` for Chinese text. */
export function searchLanguage(requested: string, text: string): string {
  const detected = detectLanguage(text);
  const isOther = BY_SCRIPT.test(requested) !== BY_SCRIPT.test(detected) && /\p{L}/u.test(text);
  return requested === "auto" || requested === "" || isOther ? detected : requested;
}

const names = new Intl.DisplayNames(["en"], { type: "language" });

export function languageName({ language, question }: { readonly language: string; readonly question: string }): string {
  const resolved = resolveLanguage(language, question);
  // Of a short question `detectLanguage` returns "en" in any case.
  if (resolved === "en" && (language === "auto" || language === "")) return "the language of the question";
  return `${names.of(resolved)} (${resolved})`;
}
