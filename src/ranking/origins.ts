import { createDisjointSets } from "./disjoint-sets.ts";
import { areCopies, type Words, wordsOf } from "./text-copies.ts";

/** A text that was read: which hit it belongs to and what that is already known to be a copy of. */
export interface ReadText {
  readonly id: string;
  readonly origin: string;
  readonly title: string;
  readonly text: string;
  readonly contentHash: string;
}

/**
 * The origin of each text, by id. Texts are of one origin if they were before, if they are equal to the byte, or if one
 * is the other but for small changes and their titles have no other numbers. Of several, the origin of the first one
 * in the list stands for all, so the best has to come first. `distinct` of the values is how many witnesses there are.
 * Compares every text with every other: for the documents of one run, not for all of its hits.
 */
export function originsOf(texts: readonly ReadText[]): Map<string, string> {
  const words = texts.map((text) => wordsOf(text));
  const sets = createDisjointSets(texts.length);
  for (const [i, text] of texts.entries()) {
    for (let other = 0; other < i; other++) {
      const before = texts[other];
      if (before && isOneOrigin(before, text, words[other], words[i])) sets.join(other, i);
    }
  }
  return new Map(texts.map((text, i) => [text.id, texts[sets.find(i)]?.origin ?? text.origin]));
}

function isOneOrigin(a: ReadText, b: ReadText, left: Words | undefined, right: Words | undefined): boolean {
  if (a.origin === b.origin || a.contentHash === b.contentHash) return true;
  return left !== undefined && right !== undefined && areCopies(left, right);
}
