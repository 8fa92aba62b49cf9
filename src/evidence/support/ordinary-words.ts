import { hasFigures } from "../figures/check-figures.ts";

const WORD = /(?<![\p{L}\p{N}\p{M}'’.-])\p{sc=Latin}[\p{Ll}\p{M}]{2,40}(?![\p{L}\p{N}\p{M}])/gu;
const MAX_WORDS = 500;

/** Collects the words that a report has both with a capital and in lower case. At the beginning of a sentence they are no names. */
export class OrdinaryWords {
  readonly #found = new Set<string>();
  readonly #lower = new Set<string>();
  /** The words with a capital, by their singular, until they are seen in lower case. */
  readonly #capitalized = new Map<string, string[]>();

  add(text: string): void {
    for (const [word] of text.matchAll(WORD)) {
      const lower = word.toLowerCase();
      const singular = singularOf(lower);
      if (word === lower) this.#lower.add(singular);
      const waiting = this.#capitalized.get(singular) ?? [];
      if (word !== lower && !waiting.includes(lower)) waiting.push(lower);
      if (this.#lower.has(singular)) for (const one of waiting.splice(0)) this.#find(one);
      this.#capitalized.set(singular, waiting);
    }
  }

  /** All words that were found, separated by spaces. Words that state a number are left out. */
  get text(): string {
    return [...this.#found].join(" ");
  }

  #find(word: string): void {
    if (this.#found.size < MAX_WORDS && !this.#found.has(word) && !hasFigures(word)) this.#found.add(word);
  }
}

/** In UTF-16 code units. The rest of many documents is not read. */
const MAX_READ = 4_000_000;

/** Returns whether one of the texts writes a word in lower case, maybe as a plural. Parts of addresses and of compounds are no words. */
export function createLowerCase(texts: readonly string[]): (word: string) => boolean {
  return createSearch(
    texts,
    (word) =>
      String.raw`(?<![\p{L}\p{N}\p{M}'’./@_-])${RegExp.escape(singularOf(word.toLowerCase()))}(?:y|s|ies)?(?![\p{L}\p{N}\p{M}'’/@_-]|\.\p{L})`,
  );
}

function createSearch(texts: readonly string[], patternOf: (word: string) => string): (word: string) => boolean {
  const known = new Map<string, boolean>();
  const search = (word: string): boolean => {
    const pattern = new RegExp(patternOf(word), "u");
    let room = MAX_READ;
    return texts.some((text) => {
      const part = text.slice(0, Math.max(0, room));
      room -= text.length;
      return pattern.test(part);
    });
  };
  return (word) => {
    const found = known.get(word) ?? search(word);
    if (known.size < MAX_WORDS) known.set(word, found);
    return found;
  };
}

/** Returns whether one of the texts has a word as it is written. */
export function createWritten(texts: readonly string[]): (word: string) => boolean {
  return createSearch(texts, (word) => String.raw`(?<![\p{sc=Latin}\p{N}\p{M}])${RegExp.escape(word)}(?![\p{sc=Latin}\p{N}\p{M}])`);
}

export function singularOf(word: string): string {
  return word.replace(/(?<=\p{L}{3})ies$/u, "y").replace(/(?<=\p{L}{3})s$/u, "");
}
