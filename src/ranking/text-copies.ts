import { containment, shingles } from "./similarity.ts";
import { numbersIn } from "./title-numbers.ts";
import { tokenise } from "./tokenise.ts";

/** A text taken apart to be compared with others. */
export interface Words {
  readonly titleNumbers: string;
  readonly numbers: ReadonlySet<string>;
  readonly shingles: ReadonlySet<string>;
  readonly counts: ReadonlyMap<string, number>;
}

/** The beginning says whether two texts are one, in UTF-16 code units; the whole would only cost time. */
const SAMPLE_LENGTH = 20_000;
/** Shorter texts (an error page, a consent banner) are alike by chance. */
const MIN_SHINGLES = 30;
const COPY_AT = 0.85;
const SAME_NUMBERS_AT = 0.85;
/** A word that one text says so often and the other never is what the text is about. */
const TELLING_COUNT = 3;
const TELLING_SHARE = 0.005;

export function wordsOf({ title, text }: { title: string; text: string }): Words {
  const sample = text.slice(0, SAMPLE_LENGTH);
  const terms = tokenise(sample);
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return { titleNumbers: numbersIn(title).join(" "), numbers: new Set(numbersIn(sample)), shingles: shingles(terms), counts };
}

/**
 * Whether one text is the other, or a part of it, but for small changes: menus, a corrected word, another spelling. Not
 * so where titles or texts have other numbers (the report of another year), or where each speaks of something the
 * other never names (two pages of one template).
 */
export function areCopies(a: Words, b: Words): boolean {
  if (a.titleNumbers !== b.titleNumbers || Math.min(a.shingles.size, b.shingles.size) < MIN_SHINGLES) return false;
  if (containment(a.shingles, b.shingles) < COPY_AT) return false;
  const numbersAgree = a.numbers.size === 0 || b.numbers.size === 0 || containment(a.numbers, b.numbers) >= SAME_NUMBERS_AT;
  return numbersAgree && !(hasTopicOfItsOwn(a, b) && hasTopicOfItsOwn(b, a));
}

function hasTopicOfItsOwn(one: Words, other: Words): boolean {
  const total = one.shingles.size;
  const telling = Math.max(TELLING_COUNT, total * TELLING_SHARE);
  return [...one.counts].some(([term, count]) => count >= telling && !other.counts.has(term));
}
