import { newStemmer, type Stemmer } from "snowball-stemmers";

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
export function stem(word: string): string {
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
