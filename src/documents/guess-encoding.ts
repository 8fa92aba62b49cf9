import { bestLanguage } from "../ranking/language.ts";

/** Of encodings that give the same text the first counts. */
const SINGLE_BYTE = [
  ...["windows-1252", "windows-1250", "windows-1251", "windows-1253", "windows-1254", "windows-1255", "windows-1256", "windows-1257"],
  ...["iso-8859-2", "iso-8859-5", "iso-8859-7", "koi8-r"],
];
/** The first bytes of signs, kana and Hangul, and of the ideographs that the standards list first because they are the usual ones. */
const DOUBLE_BYTE: Readonly<Record<string, readonly (readonly [from: number, to: number])[]>> = {
  gb18030: [
    [0xa1, 0xa3],
    [0xb0, 0xd7],
  ],
  big5: [[0xa1, 0xc6]],
  shift_jis: [
    [0x81, 0x83],
    [0x88, 0x98],
  ],
  "euc-jp": [
    [0xa1, 0xa5],
    [0xb0, 0xcf],
  ],
  "euc-kr": [
    [0xa1, 0xa3],
    [0xb0, 0xc8],
  ],
};
const SAMPLE_BYTES = 16_384;
/** Of the score of the best guess. In a test with 136 texts, 3 of 4 wrong guesses had such a rival, and 18 of 132 right ones. */
const RIVAL_SHARE = 0.85;
const MIN_SCORE = 0.25;

export interface EncodingGuess {
  readonly encoding: string;
  readonly isDoubtful: boolean;
}

/**
 * Guesses the encoding of a text that does not tell it: the one in which it has most of all the usual letters of a language, in words with one
 * script. Returns null for ASCII, and for what no encoding can be.
 */
export function guessEncoding(bytes: Uint8Array): EncodingGuess | null {
  const sample = linesBeyondAscii(bytes);
  if (sample.length === 0) return null;
  const guesses = [...SINGLE_BYTE, ...Object.keys(DOUBLE_BYTE)].flatMap((encoding) => {
    const text = decoded(encoding, sample);
    return text === null ? [] : [{ encoding, text, score: scoreOf(encoding, text) }];
  });
  const [best, ...others] = guesses.sort((a, b) => b.score - a.score);
  if (best === undefined) return null;
  const rival = others.find(({ text }) => text !== best.text);
  return { encoding: best.encoding, isDoubtful: best.score < MIN_SCORE || (rival?.score ?? 0) > RIVAL_SHARE * best.score };
}

function linesBeyondAscii(bytes: Uint8Array): Uint8Array {
  const lines =
    Buffer.from(bytes)
      .toString("latin1")
      .match(/[^\n]*[^\0-\x7f\n][^\n]*/g) ?? [];
  return Buffer.from(lines.join("\n").slice(0, SAMPLE_BYTES), "latin1");
}

const NOT_IN_TEXTS = /[\u0080-\u009f\ue000-\uf8ff]/;

function decoded(encoding: string, sample: Uint8Array): string | null {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(sample, { stream: true });
    return NOT_IN_TEXTS.test(text) ? null : text;
  } catch {
    return null;
  }
}

const BEYOND_ASCII = /[^\0-\x7f]/gu;
const LETTER = /(?!\p{ASCII})\p{L}/gu;
const WORD = /[\p{L}\p{M}]+/gu;
const CASED = /^(?:\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}|[\p{Lo}\p{Lm}\p{M}]+)$/u;
const CAPITALS = /^[\p{Lu}\p{M}]+$/u;
const OF_ONE_SCRIPT = new RegExp(
  `^(?:${["Latin", "Cyrillic", "Greek", "Hebrew", "Arabic"].map((script) => String.raw`[\p{sc=${script}}\p{M}]+`).join("|")})$`,
  "u",
);
/** Signs that several encodings have, such as quotation marks and currencies, speak for none. */
const SIGN = /[\u00a0«»§©®°±²³µ·ºª¿¡×´£€№\u2013-\u201e\u2022\u2026]/gu;

/** Returns 0 to 1. */
function scoreOf(encoding: string, text: string): number {
  const { language, score } = bestLanguage(text);
  const isDouble = Object.hasOwn(DOUBLE_BYTE, encoding);
  const usual = (isDouble ? usualCharacters(encoding, text) : lettersOfWords(text)) / countOf(text, BEYOND_ASCII);
  const byLanguage = isDouble ? 0.6 + 0.4 * score : score * (0.4 + 0.6 * alphabetShare(language, text));
  return usual ** 2 * byLanguage;
}

function countOf(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** Counts the characters beyond ASCII in words that are written like words: not `Jiøí`, `ˇivot` or `Tьr`. Capitals alone are rare. */
function lettersOfWords(text: string): number {
  const words = (text.match(WORD) ?? []).filter((word) => OF_ONE_SCRIPT.test(word));
  const weigh = (word: string): number => (CASED.test(word) ? 1 : CAPITALS.test(word) ? 0.75 : 0);
  return words.reduce((sum, word) => sum + weigh(word) * countOf(word, BEYOND_ASCII), countOf(text, SIGN) / 2);
}

/** Counts the usual characters of an encoding, but not single ones in words of other letters. */
function usualCharacters(encoding: string, text: string): number {
  const usual = usualOf(encoding);
  const others = text.replaceAll(WORD, (word) => (countOf(word, BEYOND_ASCII) * 2 < word.length ? "" : word));
  return Array.from(others).filter((character) => usual.has(character)).length;
}

const usualByEncoding = new Map<string, ReadonlySet<string>>();

function usualOf(encoding: string): ReadonlySet<string> {
  const known = usualByEncoding.get(encoding);
  if (known !== undefined) return known;
  const pairs = (DOUBLE_BYTE[encoding] ?? []).flatMap(([from, to]) =>
    Array.from({ length: (to + 1 - from) * 0xc0 }, (_, i) => [from + Math.floor(i / 0xc0), 0x40 + (i % 0xc0), 0x0a]),
  );
  const usual = new Set(new TextDecoder(encoding).decode(Uint8Array.from(pairs.flat())).match(BEYOND_ASCII) ?? []);
  usual.delete("\ufffd");
  usualByEncoding.set(encoding, usual);
  return usual;
}

/** Returns the share of the letters beyond ASCII that the language has. */
function alphabetShare(language: string, text: string): number {
  const alphabet = alphabetOf(language);
  const letters = text.toLowerCase().match(LETTER) ?? [];
  return letters.length === 0 ? 1 : letters.filter((letter) => alphabet.has(letter)).length / letters.length;
}

const alphabets = new Map<string, ReadonlySet<string>>();
const A_TO_Z = Array.from("abcdefghijklmnopqrstuvwxyz");

/** Returns the letters that at least two names of countries and languages have, as Unicode's CLDR writes them in this language. */
function alphabetOf(language: string): ReadonlySet<string> {
  const known = alphabets.get(language);
  if (known !== undefined) return known;
  const names = namesIn(language).flatMap((name) => [...new Set(name.toLowerCase())]);
  const alphabet = new Set(names.filter((letter, i) => names.indexOf(letter) < i));
  alphabets.set(language, alphabet);
  return alphabet;
}

function namesIn(language: string): string[] {
  if (language === "") return [];
  const regions = new Intl.DisplayNames([language], { type: "region" });
  const languages = new Intl.DisplayNames([language], { type: "language" });
  const codes = A_TO_Z.flatMap((first) => A_TO_Z.map((second) => first + second));
  return codes.flatMap((code) => [regions.of(code.toUpperCase()) ?? "", languages.of(code) ?? ""]);
}
