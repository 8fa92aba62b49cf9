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

export function singularOf(word: string): string {
  return word.replace(/(?<=\p{L}{3})ies$/u, "y").replace(/(?<=\p{L}{3})s$/u, "");
}
