const SCRIPTS: readonly (readonly [string, RegExp])[] = [
  ["ko", /\p{sc=Hangul}/gu],
  ["zh", /\p{sc=Han}/gu],
  ["ar", /\p{sc=Arabic}/gu],
  ["ru", /\p{sc=Cyrillic}/gu],
];
/** One ideograph says about as much as so many letters of an alphabet. */
const LETTERS_PER_IDEOGRAPH = 2;
const SAMPLE_LENGTH = 2_000;

/**
 * The language of a question by the script of its first 2,000 characters: `zh`, `ja`, `ko`, `ar`, `ru`, otherwise `en`.
 * Languages that share a script are not told apart, except that kana make Japanese of ideographs.
 */
export function detectLanguage(text: string): string {
  const sample = text.slice(0, SAMPLE_LENGTH);
  const count = (pattern: RegExp): number => sample.match(pattern)?.length ?? 0;
  const latin = count(/\p{sc=Latin}/gu);
  const kana = count(/[\p{sc=Hiragana}\p{sc=Katakana}]/gu);
  const ideographs = count(/\p{sc=Han}/gu);
  // A Chinese text may quote a Japanese name, but Japanese is never written with so few kana.
  if (kana > 0 && kana * 5 >= ideographs && (kana + ideographs) * LETTERS_PER_IDEOGRAPH >= latin) return "ja";
  const counts = SCRIPTS.map(([language, pattern]) => [language, count(pattern)] as const);
  const [language, letters] = counts.reduce((best, next) => (next[1] > best[1] ? next : best));
  const weight = language === "ar" || language === "ru" ? 1 : LETTERS_PER_IDEOGRAPH;
  return letters > 0 && letters * weight >= latin ? language : "en";
}

/** The language a run is answered in: the requested one, or for `auto` that of its question. */
export function resolveLanguage(requested: string, question: string): string {
  return requested === "auto" || requested === "" ? detectLanguage(question) : requested;
}
