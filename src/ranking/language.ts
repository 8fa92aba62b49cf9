import { deu, eng, fra, ita, nld, por, spa } from "stopword";
import { toSimplified } from "./tokenize.ts";

const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ["ko", /\p{sc=Hangul}/gu],
  ["zh", /\p{sc=Han}/gu],
  ["ar", /\p{sc=Arabic}/gu],
  ["ru", /\p{sc=Cyrillic}/gu],
];
const LETTERS_PER_IDEOGRAPH = 2;
const SAMPLE_LENGTH = 2_000;
const CHINESE_GRAMMAR = /[的是和与跟及在有吗呢了谁哪]|什么|多少|如何|怎[么样]|为何|对比|比较|介绍|说明/u;
const EUROPEAN_GRAMMAR =
  /(?<!\p{L})(?:the|an?|of|in|on|to|for|with|and|or|is|are|was|were|do|does|did|what|who|when|where|which|why|how|compare|explain|describe|tell|list|mean|means|les?|une?|des|du|et|est|que|qui|der|die|das|und|ist|wer|wie|was|los|el|por|para|quem|chi|che)(?!\p{L})/iu;

/** Returns `zh`, `ja`, `ko`, `ar` or `ru` by the script of the text. All other languages, such as French, return `en`. */
export function detectLanguage(text: string): string {
  const sample = text.slice(0, SAMPLE_LENGTH);
  const count = (pattern: RegExp): number => sample.match(pattern)?.length ?? 0;
  const latin = count(/\p{sc=Latin}/gu);
  const kana = count(/[\p{sc=Hiragana}\p{sc=Katakana}]/gu);
  const ideographs = count(/\p{sc=Han}/gu);
  // Japanese text has at least one kana per five ideographs. Chinese text that quotes a Japanese name has fewer.
  if (kana > 0 && kana * 5 >= ideographs && (kana + ideographs) * LETTERS_PER_IDEOGRAPH >= latin) return "ja";
  const counts = SCRIPTS.map(([script, pattern]) => [script, count(pattern)] as const);
  const [language, letters] = counts.reduce((best, next) => (next[1] > best[1] ? next : best));
  const weight = language === "ar" || language === "ru" ? 1 : LETTERS_PER_IDEOGRAPH;
  if (letters > 0 && letters * weight >= latin) return language;
  return CHINESE_GRAMMAR.test(toSimplified(sample)) && !EUROPEAN_GRAMMAR.test(sample) ? "zh" : "en";
}

const STOP_WORDS = Object.entries({ en: eng, fr: fra, de: deu, es: spa, pt: por, it: ita, nl: nld }).map(
  ([language, words]) => [language, new Set(words)] as const,
);
const LATIN = "Latin";

/**
 * Returns the language of a text as far as its script and its stop words tell it: `Latin` for a text in that script with too few stop words,
 * null for a script that is not told apart.
 */
export function languageByWords(text: string): string | null {
  const detected = detectLanguage(text);
  if (detected !== "en") return detected;
  const sample = text.slice(0, SAMPLE_LENGTH).toLowerCase();
  const words: string[] = sample.match(/(?<![\p{L}\p{N}])\p{L}+(?![\p{L}\p{N}])/gu) ?? [];
  const latin = words.filter((word) => /^\p{sc=Latin}/u.test(word));
  if (latin.length * 2 < words.length) return null;
  const counts = STOP_WORDS.map(([language, own]) => ({ language, count: latin.filter((word) => own.has(word)).length }));
  const [best, next] = counts.sort((a, b) => b.count - a.count);
  return best !== undefined && best.count >= 2 && best.count > (next?.count ?? 0) ? best.language : LATIN;
}

const BY_OTHER_SCRIPT: readonly string[] = ["zh", "ja", "ko", "ar", "ru"];

/** Whether texts in two languages of `languageByWords` may have words in common. */
export function mayShareWords(one: string | null, other: string | null): boolean {
  if (one === null || other === null) return false;
  const isLatin = (language: string): boolean => !BY_OTHER_SCRIPT.includes(language);
  return one === other || ([one, other].includes(LATIN) && isLatin(one) && isLatin(other));
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
  // `detectLanguage` returns "en" for French or German too, so the name is unknown.
  if (resolved === "en" && (language === "auto" || language === "")) return "the language of the question";
  return `${names.of(resolved)} (${resolved})`;
}
