import { LRUCache } from "lru-cache";
import type { RankedText } from "../../ranking/rank-texts.ts";
import { countTerms } from "../../ranking/scoring.ts";
import { Vocabulary } from "../../ranking/term-vectors.ts";
import { type SplitText, splitText } from "./sections.ts";

/** In UTF-16 code units. A section takes about five bytes for each. */
const MAX_CACHED_LENGTH = 4_000_000;
const MAX_VOCABULARY = 500_000;

export interface SectionRow {
  readonly path: string;
  readonly name: string;
  readonly publishedAt: string | null;
  readonly text: string;
  /** The terms of the title and of the section, joined by spaces. */
  readonly titleWords: string;
  readonly words: string;
}

/** A section of a file with its counted terms. `name` is the title of the file. */
export interface IndexedSection extends Pick<SectionRow, "path" | "name" | "publishedAt">, RankedText {
  /** Splits the text at the first call. */
  readonly split: () => SplitText;
}

/** Keeps the sections that searches have found, so that each is counted and split once for one version of the index. */
export class SectionCache {
  readonly #sections = new LRUCache<number, IndexedSection>({ maxSize: MAX_CACHED_LENGTH });
  readonly #vocabulary = new Vocabulary();
  #version = -1;

  /** Returns the cache, emptied if the version has changed or the vocabulary has become too large. */
  of(version: number): this {
    if (version !== this.#version || this.#vocabulary.size > MAX_VOCABULARY) this.clear();
    this.#version = version;
    return this;
  }

  get(id: number, read: () => SectionRow): IndexedSection {
    const known = this.#sections.get(id);
    if (known !== undefined) return known;
    const row = read();
    const section = indexedSection(row, this.#vocabulary);
    this.#sections.set(id, section, { size: Math.max(1, row.text.length) });
    return section;
  }

  clear(): void {
    this.#sections.clear();
    this.#vocabulary.clear();
  }
}

function indexedSection({ path, name, publishedAt, text, titleWords, words }: SectionRow, vocabulary: Vocabulary): IndexedSection {
  let known: SplitText | undefined;
  const split = (): SplitText => {
    known ??= splitText(text);
    return known;
  };
  const [title, body] = [termsOf(titleWords), termsOf(words)];
  const vector = vocabulary.vectorOf([...title, ...body]);
  return { path, name, publishedAt, split, title: countTerms(title), body: countTerms(body), vector };
}

function termsOf(joined: string): string[] {
  return joined === "" ? [] : joined.split(" ");
}
