import { createDisjointSets } from "../util/disjoint-sets.ts";
import { STOP_TERMS } from "./query-terms.ts";
import { containment, intersectionSize, shingles } from "./scoring.ts";
import { isUnspaced, numbersIn, tokenize } from "./tokenize.ts";

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

/** A text taken apart to be compared with others. */
interface Words {
  readonly titleNumbers: ReadonlySet<string>;
  /** What of the title the text says too. */
  readonly titleTerms: ReadonlySet<string>;
  readonly numbers: ReadonlySet<string>;
  readonly shingles: ReadonlySet<string>;
  readonly counts: ReadonlyMap<string, number>;
  /** Words with a capital. */
  readonly names: ReadonlySet<string>;
  readonly row: Row;
}

/** The beginning says whether two texts are one, in UTF-16 code units; the whole would only cost time. */
const SAMPLE_LENGTH = 20_000;
/** Shorter texts (an error page, a consent banner) are alike by chance, in words, where a pair of Chinese characters is half a word, … */
const MIN_SIZE = 30;
/** … unless a sentence of theirs stands in the other. */
const MIN_EXCERPT = 8;
const COPY_AT = 0.85;
/** A text of which so much stands in another word for word is no witness of its own, whatever was rewritten in the rest. */
const VERBATIM_AT = 0.6;
const SHORT_VERBATIM_AT = 0.75;
const CAPITALISED = /\p{Lu}[\p{L}\p{N}]*/gu;
const SAME_NUMBERS_AT = 0.85;
/** A word that one text says so often and the other never is what the text is about. */
const TELLING_COUNT = 3;
const TELLING_SHARE = 0.005;
/** Where more was rewritten, fewer times say it. */
const TELLING_COUNT_OF_REWRITTEN = 2;
/** In a text a Chinese numeral of one character is most often a piece of a word (周二, 统一). */
const LONE_NUMERAL = /^\p{sc=Han}$/u;

function wordsOf({ title, text }: { title: string; text: string }): Words {
  const sample = text.slice(0, SAMPLE_LENGTH);
  const terms = tokenize(sample);
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return {
    titleNumbers: new Set(numbersIn(title)),
    titleTerms: new Set(tokenize(title).filter((term) => counts.has(term) && !STOP_TERMS.has(term))),
    numbers: new Set(numbersIn(sample).filter((number) => !LONE_NUMERAL.test(number))),
    shingles: shingles(terms),
    counts,
    names: new Set((sample.match(CAPITALISED) ?? []).flatMap(tokenize).filter((term) => !STOP_TERMS.has(term))),
    row: rowOf(terms),
  };
}

/**
 * Whether one text is the other, or a part of it, but for small changes: menus, corrected or rewritten words, another spelling. Not so
 * where titles or texts have other numbers (the report of another year), or where each speaks of something the other never names (two
 * pages of one template). Two reports of one fact in words of their own are no copies.
 */
function areCopies(a: Words, b: Words): boolean {
  if (eachHasItsOwn(a.titleNumbers, b.titleNumbers) || !numbersAgree(a, b)) return false;
  const size = Math.min(sizeOf(a.row), sizeOf(b.row));
  if (size < MIN_EXCERPT) return false;
  const short = size < MIN_SIZE;
  if (!short && containment(a.shingles, b.shingles) >= COPY_AT) return !haveOtherTopics(a, b, TELLING_COUNT);
  const [part, whole] = a.row.terms.length <= b.row.terms.length ? [a, b] : [b, a];
  const share = verbatimShare(part.row, whole.row);
  if (share < (short ? SHORT_VERBATIM_AT : VERBATIM_AT) || haveOtherTitles(a, b)) return false;
  return short ? isExcerpt(part, whole, share) : !haveOtherTopics(a, b, TELLING_COUNT_OF_REWRITTEN);
}

/** One replaced name makes two sentences of a template; Chinese does not mark its names, so nothing may be replaced. */
function isExcerpt(part: Words, whole: Words, share: number): boolean {
  return share === 1 || (!part.row.terms.some(isUnspaced) && !eachHasItsOwn(part.names, whole.names));
}

function sizeOf({ terms }: Row): number {
  return terms.reduce((size, term) => size + (isUnspaced(term) ? 0.5 : 1), 0);
}

function numbersAgree(a: Words, b: Words): boolean {
  return a.numbers.size === 0 || b.numbers.size === 0 || containment(a.numbers, b.numbers) >= SAME_NUMBERS_AT;
}

/** Each title names something that its own text says and the other text never does. */
function haveOtherTitles(a: Words, b: Words): boolean {
  const isOwn = (one: Words, other: Words): boolean => [...one.titleTerms].some((term) => !other.counts.has(term));
  return isOwn(a, b) && isOwn(b, a);
}

function haveOtherTopics(a: Words, b: Words, count: number): boolean {
  return hasTopicOfItsOwn(a, b, count) && hasTopicOfItsOwn(b, a, count);
}

function hasTopicOfItsOwn(one: Words, other: Words, count: number): boolean {
  const telling = Math.max(count, one.shingles.size * TELLING_SHARE);
  return [...one.counts].some(([term, times]) => times >= telling && !other.counts.has(term));
}

/** Whether something was replaced, not only left out. */
function eachHasItsOwn(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return intersectionSize(a, b) < Math.min(a.size, b.size);
}

/** So many terms in a row are not found twice by chance, nor because one fact is told twice; a Chinese term is a pair of characters. */
const RUN = 5;
const UNSPACED_RUN = 8;

/** A text as a row of terms, to see how much of it stands word for word in another. */
interface Row {
  readonly terms: readonly string[];
  /** How many terms make a run; texts of other scripts have nothing in common anyway. */
  readonly run: number;
  readonly runs: ReadonlySet<string>;
}

/** The row of a text's terms, as `tokenize` gives them. */
function rowOf(terms: readonly string[]): Row {
  const unspaced = terms.filter(isUnspaced).length;
  const run = unspaced * 2 > terms.length ? UNSPACED_RUN : RUN;
  return { terms, run, runs: new Set(terms.slice(run - 1).map((_, i) => runAt(terms, i, run))) };
}

/** The share of the terms of `part` that stand in runs which `whole` has as well, 0 to 1; 0 where `part` has no run. */
function verbatimShare(part: Row, whole: Row): number {
  if (part.run !== whole.run) return 0;
  let covered = 0;
  let until = 0;
  for (let at = 0; at + part.run <= part.terms.length; at++) {
    if (!whole.runs.has(runAt(part.terms, at, part.run))) continue;
    covered += at + part.run - Math.max(at, until);
    until = at + part.run;
  }
  return covered === 0 ? 0 : covered / part.terms.length;
}

function runAt(terms: readonly string[], at: number, run: number): string {
  return terms.slice(at, at + run).join(" ");
}
