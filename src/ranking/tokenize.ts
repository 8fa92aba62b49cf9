import { Locale } from "opencc-js/t2cn";
import { newStemmer, type Stemmer } from "snowball-stemmers";
import { foldCase, foldLetters } from "./fold-letters.ts";

const TOO_MANY_MARKS = /(\p{M}{16})\p{M}+/gu;
const MARK = /\p{M}/u;
const ASCII = /^\p{ASCII}*$/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/** Normalizes text to NFKC in linear time. Removes invisible characters and all but 16 combining marks on a character. */
export function normalizeText(text: string): string {
  if (ASCII.test(text)) return text;
  return text.replaceAll(INVISIBLE, "").replaceAll(TOO_MANY_MARKS, "$1").normalize("NFKC");
}

const NOT_VARIANTS = "么著";
let simplifiedForms: ReadonlyMap<string, string> | undefined;
let traditional: RegExp | undefined;

/** Replaces each Traditional Chinese character with its Simplified form. UTF-16 offsets stay the same. */
export function toSimplified(text: string): string {
  if (!/[\u3400-\u9fff]/.test(text)) return text;
  simplifiedForms ??= readSimplifiedForms();
  traditional ??= new RegExp(`[${[...simplifiedForms.keys()].join("")}]`, "gu");
  return text.replaceAll(traditional, (character) => simplifiedForms?.get(character) ?? character);
}

function readSimplifiedForms(): Map<string, string> {
  const simplified = new Map(singleCharacters(Locale.to["cn"]));
  for (const [variant, standard] of [...singleCharacters(Locale.from["tw"]), ...singleCharacters(Locale.from["hk"])]) {
    const target = simplified.get(standard) ?? standard;
    if (!simplified.has(variant) && target !== variant && !NOT_VARIANTS.includes(variant)) simplified.set(variant, target);
  }
  // Some results are simplified again: 薴 becomes 苧, and 苧 becomes 苎.
  return new Map([...simplified].map(([from, to]) => [from, simplified.get(to) ?? to]));
}

function singleCharacters(groups: readonly (readonly string[])[] = []): [string, string][] {
  const entries = groups.flat().flatMap((dictionary) => dictionary.split("|").map((entry) => entry.split(" ")));
  return entries.flatMap(([from = "", to = ""]): [string, string][] => (from.length === 1 && to.length === 1 ? [[from, to]] : []));
}

/** Scripts without spaces between words, and Hangul, which attaches particles to words. */
const UNSPACED = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]`;
const WORD = String.raw`[[\p{L}\p{M}\p{N}]--${UNSPACED}]`;

const UNIT = new RegExp(
  String.raw`${UNSPACED}+|(?<![^\s\x60"'\(\[=])-{1,2}(?=${WORD})|${WORD}+(?:[._\-'\/:@&,]${WORD}+)*(?:%|\+\+|#(?!${WORD}))?`,
  "gv",
);
/** Matches in ASCII texts what UNIT matches, ten times as fast. */
const ASCII_UNIT = /(?<![^\s\x60"'([=])-{1,2}(?=[A-Za-z0-9])|[A-Za-z0-9]+(?:[._\-'/:@&,][A-Za-z0-9]+)*(?:%|\+\+|#(?![A-Za-z0-9]))?/g;
const UNSPACED_START = new RegExp(`^${UNSPACED}`, "v");
/** Splits `optionalTool` into two words, but not `HTTPServer`. */
const CAMEL_JOINT = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u;
/** Names such as LangGraph or JavaScript stay whole. */
const BRAND = /^\p{Lu}\p{Ll}+(?:\p{Lu}\p{Ll}+|\p{Lu}{2,})(?:'s)?$/u;
const CONTRACTION = /'(?:s|t|re|ve|ll|d|m)$/i;

/**
 * Returns normalized, stemmed terms in reading order, for indexes and queries. Takes linear time. A compound gives itself and its
 * parts: `Last-Event-ID` gives `lasteventid`, `last`, `event` and `id`. Chinese, Japanese, Korean and Thai text gives overlapping
 * pairs of characters.
 */
export function tokenize(text: string): string[] {
  const tokens: string[] = [];
  let dashes = "";
  const units = ASCII.test(text) ? text.match(ASCII_UNIT) : toSimplified(normalizeText(text)).replaceAll("’", "'").match(UNIT);
  for (const unit of units ?? []) {
    const isDash = unit.startsWith("-");
    if (!isDash) {
      if (dashes) tokens.push(dashes + foldLetters(unit));
      for (const token of tokensOf(unit)) tokens.push(token);
    }
    dashes = isDash ? unit : "";
  }
  return tokens;
}

const MAX_CACHED_LENGTH = 40;
const MAX_CACHED_TOKENS = 100_000;
const cache = new Map<string, readonly string[]>();
let cachedTokens = 0;

function tokensOf(unit: string): readonly string[] {
  const known = cache.get(unit);
  if (known !== undefined) return known;
  if (unit.length > MAX_CACHED_LENGTH) return cutTokens(unit);
  const own = copyOf(unit);
  const tokens = cutTokens(own);
  if (cachedTokens >= MAX_CACHED_TOKENS) {
    cache.clear();
    cachedTokens = 0;
  }
  cachedTokens += Math.max(1, tokens.length);
  cache.set(own, tokens);
  return tokens;
}

function cutTokens(unit: string): readonly string[] {
  const tokens: string[] = [];
  if (UNSPACED_START.test(unit)) pushPairs(MARK.test(unit) ? foldLetters(unit) : unit, tokens);
  else pushCompound(unit, tokens);
  return tokens;
}

const MAX_COPIED_LENGTH = 12;

/** V8 keeps a longer part of a text as a reference to the whole text, which a cache must not keep. */
function copyOf(part: string): string {
  return part.length <= MAX_COPIED_LENGTH ? part : Buffer.from(part, "utf16le").toString("utf16le");
}

export function isUnspaced(term: string): boolean {
  return UNSPACED_START.test(term);
}

/** Estimates the number of words. A pair of Chinese, Japanese, Korean or Thai characters counts as half a word. */
export function wordCountOf(terms: readonly string[]): number {
  return terms.reduce((size, term) => size + (isUnspaced(term) ? 0.5 : 1), 0);
}

function pushPairs(run: string, into: string[]): void {
  const characters = Array.from(run);
  if (characters.length === 1) into.push(run);
  for (let i = 1; i < characters.length; i++) into.push(`${characters[i - 1]}${characters[i]}`);
}

function pushCompound(unit: string, into: string[]): void {
  if (/^\p{N}/u.test(unit) && /^[\p{N}.,]+%?$/u.test(unit)) pushFigure(unit, into);
  else if (/[._\-/:@&,]/.test(unit)) {
    into.push(termOf(/\p{L}/u.test(unit) ? unit.replaceAll(/[-_]/g, "") : unit));
    for (const part of unit.split(/[._\-/:@&,]/)) if (part.length > 1) pushWord(part, into);
    // "v1.4.18" and "gpt-4.1" are also found by the number alone.
    const figure = /(?<!\p{N})\p{N}+(?:\.\p{N}+)+/u.exec(unit);
    if (figure) into.push(figure[0]);
  } else pushWord(unit, into);
}

function pushFigure(unit: string, into: string[]): void {
  const grouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?%?$/.test(unit);
  for (const figure of grouped ? [unit.replaceAll(",", "")] : unit.split(",")) {
    into.push(figure);
    if (figure.endsWith("%")) into.push(figure.slice(0, -1));
  }
}

function pushWord(word: string, into: string[]): void {
  const humps = BRAND.test(word) ? [word] : word.split(CAMEL_JOINT);
  if (humps.length > 1) into.push(termOf(word));
  for (const hump of humps) {
    if (hump.length < 2 && humps.length > 1) continue;
    if (!hump.includes("'") || CONTRACTION.test(hump)) into.push(termOf(hump));
    else for (const part of hump.split("'")) into.push(termOf(part));
  }
}

const english = newStemmer("english");
const russian = newStemmer("russian");
const arabic = newStemmer("arabic");

const MAX_STEMMED_LENGTH = 40;

/** The stemmer would merge "found" with "founded". */
const IRREGULAR: ReadonlyMap<string, string> = new Map([["found", "find"]]);

/** Returns the folded Snowball stem of an English, Russian or Arabic word: https://snowballstem.org. Other words are only folded. */
function termOf(word: string): string {
  const folded = foldLetters(word);
  const stemmer = stemmerFor(folded);
  if (!stemmer) return folded;
  // The rules of Russian need й, and those of Arabic ta marbuta.
  const stem = stemmer.stem(stemmer === russian ? foldCase(word) : stemmer === arabic ? folded.replace(/ه$/u, "ة") : folded);
  return IRREGULAR.get(folded) ?? (foldLetters(stem) || folded);
}

function stemmerFor(word: string): Stemmer | null {
  if (word.length < 3 || word.length > MAX_STEMMED_LENGTH) return null;
  if (/^[a-z']+$/.test(word)) return english;
  if (/^[\u0400-\u04ff]+$/.test(word)) return russian;
  return /^[\u0621-\u064a]+$/.test(word) ? arabic : null;
}

const NUMBER = new RegExp(
  [
    String.raw`(?<![\p{sc=Latin}\p{Nd}])\p{sc=Latin}*\p{Nd}[\p{sc=Latin}\p{Nd}]*(?:[.:]\p{Nd}+)*`,
    "[〇零一二三四五六七八九十百千两壹贰叁肆伍陆柒捌玖拾]+",
  ].join("|"),
  "giu",
);
const CAPITALS = /(?<![\p{L}\p{M}\p{N}'’.])(?:[B-HJ-Z]|[MDCLXVI]{2,})(?![\p{L}\p{M}\p{N}'’]|\.\p{L})/gu;

/** Returns the numbers that tell the titles of a series apart, in lower case: `2024`, `v2`, `iv`, `b`, `三`. */
export function numbersIn(title: string): string[] {
  const text = toSimplified(normalizeText(title)).replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, "");
  const found = [...text.matchAll(NUMBER), ...text.matchAll(CAPITALS)];
  const byPlace = new Map(found.map((match) => [match.index, match[0].toLowerCase()]));
  return [...byPlace].sort(([a], [b]) => a - b).map(([, number]) => number);
}
