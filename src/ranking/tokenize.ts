import { Locale } from "opencc-js/t2cn";
import { newStemmer, type Stemmer } from "snowball-stemmers";

/** No script puts so many marks on one character, and NFKC takes quadratic time to order them. */
const TOO_MANY_MARKS = /(\p{M}{16})\p{M}+/gu;

/** Soft hyphens, zero-width spaces and other joints that nobody sees: they would hide the word they stand in. */
const INVISIBLE = /[\u00ad\u200b\u2060\ufeff]/g;

/** `text` in Unicode's compatibility form (NFKC), without invisible joints, with at most 16 marks on a character. Takes linear time. */
export function normalizeText(text: string): string {
  return text.replaceAll(INVISIBLE, "").replaceAll(TOO_MANY_MARKS, "$1").normalize("NFKC");
}

/** The first ideograph of Unicode's Basic Multilingual Plane that OpenCC converts; most texts have none. */
const IDEOGRAPH = /[\u3400-\u9fff]/;
/** Variants in Taiwan, but Simplified characters of their own. */
const NOT_VARIANTS = "么著";
let table: Uint16Array | undefined;

/**
 * `text` with every Traditional character, also those of Taiwan and Hong Kong, as the Simplified one (OpenCC's tables of characters). The
 * result has the length of `text` in UTF-16 code units, so an offset in one is an offset in the other. For comparing texts, not for
 * showing them: it converts characters, not words, so Taiwan's 計畫 becomes 计画, not 计划.
 */
export function toSimplified(text: string): string {
  const first = text.search(IDEOGRAPH);
  if (first < 0) return text;
  table ??= createTable();
  let simplified = "";
  let copied = 0;
  for (let at = first; at < text.length; at++) {
    const mapped = table[text.charCodeAt(at)] ?? 0;
    if (mapped === 0) continue;
    simplified += text.slice(copied, at) + String.fromCharCode(mapped);
    copied = at + 1;
  }
  return copied === 0 ? text : simplified + text.slice(copied);
}

/** For each UTF-16 code unit the one that replaces it, or 0; conversions that need two code units are left out. */
function createTable(): Uint16Array {
  const simplified = new Map(charactersOf(Locale.to["cn"]));
  for (const [variant, standard] of [...charactersOf(Locale.from["tw"]), ...charactersOf(Locale.from["hk"])]) {
    const target = simplified.get(standard) ?? standard;
    if (!simplified.has(variant) && target !== variant && !NOT_VARIANTS.includes(variant)) simplified.set(variant, target);
  }
  const units = new Uint16Array(0x10000);
  // A few Simplified characters are themselves the Traditional form of another (薴 苧 苎).
  for (const [from, to] of simplified) units[from.charCodeAt(0)] = (simplified.get(to) ?? to).charCodeAt(0);
  return units;
}

/** The entries of one code unit for one of dictionaries in OpenCC's form, `裡 里|這裡 这里`; entries for words are left out. */
function charactersOf(groups: readonly (readonly string[])[] = []): [string, string][] {
  const entries = groups.flat().flatMap((dictionary) => dictionary.split("|").map((entry) => entry.split(" ")));
  return entries.flatMap(([from = "", to = ""]): [string, string][] => (from.length === 1 && to.length === 1 ? [[from, to]] : []));
}

/** Scripts written without spaces between words (Hangul has spaces, but glues particles to its words). */
const UNSPACED = String.raw`[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}ー]`;
const WORD = String.raw`[[\p{L}\p{M}\p{N}]--${UNSPACED}]`;

/** A run without spaces; or words with their inner joints, a leading option dash and a trailing %, ++ or #. */
const UNIT = new RegExp(
  String.raw`${UNSPACED}+|(?<![^\s\x60"'\(\[=])-{1,2}(?=${WORD})|${WORD}+(?:[._\-'\/:@&,]${WORD}+)*(?:%|\+\+|#(?!${WORD}))?`,
  "gv",
);
const UNSPACED_START = new RegExp(`^${UNSPACED}`, "v");
/** Where a word of several begins anew: optionalTool, not HTTPServer, which would fall into letters. */
const CAMEL_JOINT = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})/u;
/** A word of prose made of two, such as LangGraph or JavaScript: its halves are not what it is about. */
const BRAND = /^\p{Lu}\p{Ll}+(?:\p{Lu}\p{Ll}+|\p{Lu}{2,})(?:'s)?$/u;
const CONTRACTION = /'(?:s|t|re|ve|ll|d|m)$/;

/**
 * The terms of `text` in reading order, repeats included, for an index and for queries alike.
 *
 * Words are compatibility-normalised (NFKC), lower-case, without Latin diacritics, and stemmed. Compounds and
 * identifiers give themselves (hyphens and underscores taken out, so that `Last-Event-ID`, `last_event_id` and
 * `lastEventId` meet in `lasteventid`), then their parts; a name of two words such as LangGraph gives only itself.
 * Versions, decimals and percentages stay whole; thousands lose their commas; an option such as `-9` gives `-9` and `9`.
 * Runs of Chinese, Japanese, Korean and other scripts without spaces give overlapping pairs of characters, or the
 * character where there is only one; Traditional characters become Simplified ones. Takes linear time.
 */
export function tokenize(text: string): string[] {
  const tokens: string[] = [];
  let dashes = "";
  for (const [unit] of toSimplified(normalizeText(text)).replaceAll("’", "'").matchAll(UNIT)) {
    if (/^-+$/.test(unit)) {
      dashes = unit;
      continue;
    }
    if (UNSPACED_START.test(unit)) pushPairs(unit, tokens);
    else {
      if (dashes) tokens.push(dashes + fold(unit));
      pushCompound(unit, tokens);
    }
    dashes = "";
  }
  return tokens;
}

/** Whether a term is of a script without spaces: a pair of characters, or a single one. */
export function isUnspaced(term: string): boolean {
  return UNSPACED_START.test(term);
}

/** Overlapping pairs: without a dictionary every word of two characters is found, whatever stands around it. */
function pushPairs(run: string, into: string[]): void {
  const characters = Array.from(run);
  if (characters.length === 1) into.push(run);
  for (let i = 1; i < characters.length; i++) into.push(`${characters[i - 1]}${characters[i]}`);
}

function pushCompound(unit: string, into: string[]): void {
  if (/^\p{N}/u.test(unit) && /^[\p{N}.,]+%?$/u.test(unit)) pushFigure(unit, into);
  else if (/[._\-/:@&,]/.test(unit)) {
    into.push(stem(fold(/\p{L}/u.test(unit) ? unit.replaceAll(/[-_]/g, "") : unit)));
    for (const part of unit.split(/[._\-/:@&,]/)) if (part.length > 1) pushWord(part, into);
    // The number of "v1.4.18" or "gpt-4.1" is looked for without its prefix, too.
    const figure = /(?<!\p{N})\p{N}+(?:\.\p{N}+)+/u.exec(unit);
    if (figure) into.push(figure[0]);
  } else pushWord(unit, into);
}

/** 1,234.5 is 1234.5, as groups of three say so; 12% is also 12. Other lists of figures fall apart at their commas. */
function pushFigure(unit: string, into: string[]): void {
  const grouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?%?$/.test(unit);
  for (const figure of grouped ? [unit.replaceAll(",", "")] : unit.split(",")) {
    into.push(figure);
    if (figure.endsWith("%")) into.push(figure.slice(0, -1));
  }
}

function pushWord(word: string, into: string[]): void {
  const humps = BRAND.test(word) ? [word] : word.split(CAMEL_JOINT);
  if (humps.length > 1) into.push(stem(fold(word)));
  for (const hump of humps) {
    if (hump.length < 2 && humps.length > 1) continue;
    const folded = fold(hump);
    if (!folded.includes("'") || CONTRACTION.test(folded)) into.push(stem(folded));
    // An elision such as l'homme is two words.
    else into.push(...folded.split("'").map(stem));
  }
}

/** Lower case without the marks of Latin letters and the optional vowels of Arabic; others (й, が) keep theirs. */
function fold(word: string): string {
  const lower = word.toLowerCase();
  if (/^[\p{ASCII}]*$/u.test(lower)) return lower;
  const bare = lower.normalize("NFD").replaceAll(/(\p{sc=Latin})\p{M}+/gu, "$1");
  return bare.normalize("NFC").replaceAll(/[\u0640\u064b-\u0652]/g, "");
}

const english = newStemmer("english");
const russian = newStemmer("russian");
const arabic = newStemmer("arabic");

/** Longer words are identifiers, hashes or noise; a stemmer would only waste time on them. */
const MAX_STEMMED_LENGTH = 40;
const CACHE_SIZE = 50_000;
const cache = new Map<string, string>();

/** Forms that would meet words of another root: what was found is not what was founded. */
const IRREGULAR: ReadonlyMap<string, string> = new Map([["found", "find"]]);

/**
 * The Snowball stem (https://snowballstem.org) of one lower-case word, by its script: English rules for Latin letters,
 * Russian for Cyrillic, Arabic for Arabic; any other word comes back as it is.
 */
function stem(word: string): string {
  const stemmer = stemmerFor(word);
  if (!stemmer) return word;
  const known = cache.get(word);
  if (known !== undefined) return known;
  // Forgetting everything at once is crude, but bounded, and a stem is cheap to find again.
  if (cache.size >= CACHE_SIZE) cache.clear();
  const found = IRREGULAR.get(word) ?? (stemmer.stem(word) || word);
  cache.set(word, found);
  return found;
}

function stemmerFor(word: string): Stemmer | null {
  if (word.length < 3 || word.length > MAX_STEMMED_LENGTH) return null;
  if (/^[a-z']+$/.test(word)) return english;
  if (/^[\u0400-\u04ff]+$/.test(word)) return russian;
  return /^[\u0621-\u064a]+$/.test(word) ? arabic : null;
}

/** Figures with the letters glued to them (`v2`, `h1`), and Chinese numerals. */
const NUMBER = new RegExp(
  [
    String.raw`(?<![\p{sc=Latin}\p{Nd}])\p{sc=Latin}*\p{Nd}[\p{sc=Latin}\p{Nd}]*(?:[.:]\p{Nd}+)*`,
    "[〇零一二三四五六七八九十百千两壹贰叁肆伍陆柒捌玖拾]+",
  ].join("|"),
  "giu",
);
/** Capital letters that stand alone, and Roman numbers; not A and I, which are words. */
const CAPITALS = /(?<![\p{L}\p{M}\p{N}'’.])(?:[B-HJ-Z]|[MDCLXVI]{2,})(?![\p{L}\p{M}\p{N}'’]|\.\p{L})/gu;

/**
 * Everything in a title that counts or tells the parts, versions and dates of a series apart, in reading order: figures
 * (with letters glued to them: `v2`, `h1`), Roman numbers and single capitals, Chinese numerals (Simplified). Two titles with other
 * numbers are never of one text. Numbers are compared as they are spelt.
 */
export function numbersIn(title: string): string[] {
  const text = toSimplified(normalizeText(title)).replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, "");
  const found = [...text.matchAll(NUMBER), ...text.matchAll(CAPITALS)];
  const byPlace = new Map(found.map((match) => [match.index, match[0].toLowerCase()]));
  return [...byPlace].sort(([a], [b]) => a - b).map(([, number]) => number);
}
