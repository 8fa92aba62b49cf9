import type { SampledWords } from "../domain/analysis.ts";
import { groupBySharedKeys } from "./group-by-shared-keys.ts";
import { commonCount, type HashedSet, has, hashOf, isContained, shingles, toHashedSet } from "./hashed-sets.ts";
import { neitherContains } from "./scoring.ts";
import { STOP_TERMS } from "./stop-words.ts";
import { isUnspaced, numbersIn, tokenize, wordCountOf } from "./tokenize.ts";

/** `origin` is the id of the hit that this text copies. It equals `id` if the text is no copy. */
export interface ReadText {
  readonly id: string;
  readonly origin: string;
  readonly title: string;
  readonly words: SampledWords;
  readonly contentHash: string;
}

/**
 * Returns for each text id the origin that it shares with its copies. Different origins are independent sources. `texts` must be
 * sorted, best first. Takes quadratic time: pass the documents of one run, not all hits.
 */
export function originsOf(texts: readonly ReadText[]): Map<string, string> {
  const words = texts.map(withTitle);
  const groups = groupBySharedKeys(
    texts.map(({ origin, contentHash }, i) => {
      const copied = words.slice(0, i).flatMap((earlier, other) => (areCopies(earlier, words[i] ?? earlier) ? [`text ${other}`] : []));
      return [`text ${i}`, `origin ${origin}`, `hash ${contentHash}`, ...copied];
    }),
  );
  return new Map(texts.map(({ id, origin }, i) => [id, texts[groups[i] ?? i]?.origin ?? origin]));
}

interface Words extends SampledWords {
  readonly words: SampledWords;
  readonly titleNumbers: ReadonlySet<string>;
  /** The terms of the title that the text contains too. */
  readonly titleTerms: Uint32Array;
}

const SAMPLE_LENGTH = 20_000;
/** In words. Shorter texts, such as error pages, may be equal by chance, so stricter rules apply to them. */
const MIN_SIZE = 30;
const MIN_EXCERPT = 8;
const COPY_AT = 0.85;
const VERBATIM_AT = 0.6;
const SHORT_VERBATIM_AT = 0.75;
const CAPITALIZED = /\p{Lu}[\p{L}\p{N}]*/gu;
const SAME_NUMBERS_AT = 0.85;
const TOPIC_COUNT = 3;
const TOPIC_SHARE = 0.005;
const TOPIC_COUNT_OF_REWRITTEN = 2;
/** A single Chinese numeral is usually part of a word, such as 二 in 周二 (Tuesday). */
const LONE_NUMERAL = /^\p{sc=Han}$/u;
const RUN = 5;
const UNSPACED_RUN = 8;

/** Returns the words of the first 20,000 UTF-16 code units of a text. */
export function sampleWords(text: string): SampledWords {
  const sample = text.slice(0, SAMPLE_LENGTH);
  const terms = tokenize(sample);
  const counts = new Map<number, number>();
  for (const term of terms.map((term) => hashOf(term))) counts.set(term, (counts.get(term) ?? 0) + 1);
  const runLength = terms.filter(isUnspaced).length * 2 > terms.length ? UNSPACED_RUN : RUN;
  const runs = Uint32Array.from(terms.slice(runLength - 1), (_, i) => hashOf(terms.slice(i, i + runLength).join(" ")));
  const sorted = toHashedSet(counts.keys());
  return {
    length: terms.length,
    size: wordCountOf(terms),
    hasUnspaced: terms.some(isUnspaced),
    runLength,
    runs,
    shingles: shingles(terms),
    numbers: toHashedSet(
      numbersIn(sample)
        .filter((number) => !LONE_NUMERAL.test(number))
        .map((number) => hashOf(number)),
    ),
    names: toHashedSet(
      (sample.match(CAPITALIZED) ?? [])
        .flatMap(tokenize)
        .filter((term) => !STOP_TERMS.has(term))
        .map((term) => hashOf(term)),
    ),
    terms: sorted,
    counts: Uint32Array.from(sorted, (term) => counts.get(term) ?? 0),
  };
}

function withTitle({ title, words }: ReadText): Words {
  const terms = toHashedSet(
    tokenize(title)
      .filter((term) => !STOP_TERMS.has(term))
      .map((term) => hashOf(term)),
  );
  return { ...words, words, titleNumbers: new Set(numbersIn(title)), titleTerms: terms.filter((term) => has(words.terms, term)) };
}

const runSets = new WeakMap<SampledWords, HashedSet>();

function runsOf(words: SampledWords): HashedSet {
  const known = runSets.get(words) ?? toHashedSet(words.runs);
  runSets.set(words, known);
  return known;
}

function areCopies(a: Words, b: Words): boolean {
  const numbersDiffer = a.numbers.length > 0 && b.numbers.length > 0 && !isContained(a.numbers, b.numbers, SAME_NUMBERS_AT);
  if (neitherContains(a.titleNumbers, b.titleNumbers) || numbersDiffer) return false;
  const size = Math.min(a.size, b.size);
  if (size < MIN_EXCERPT) return false;
  const short = size < MIN_SIZE;
  if (!short && isContained(a.shingles, b.shingles, COPY_AT)) return !haveOtherTopics(a, b, TOPIC_COUNT);
  const [part, whole] = a.length <= b.length ? [a, b] : [b, a];
  const share = verbatimShare(part, whole, short ? SHORT_VERBATIM_AT : VERBATIM_AT);
  if (share === 0 || haveOtherTitles(a, b)) return false;
  if (!short) return !haveOtherTopics(a, b, TOPIC_COUNT_OF_REWRITTEN);
  // Sentences of one template may differ only in a name. Chinese names have no capitals to compare, so Chinese must be verbatim.
  return share === 1 || (!part.hasUnspaced && commonCount(part.names, whole.names) === Math.min(part.names.length, whole.names.length));
}

function haveOtherTitles(a: Words, b: Words): boolean {
  const hasOwn = (one: Words, other: Words): boolean => one.titleTerms.some((term) => !has(other.terms, term));
  return hasOwn(a, b) && hasOwn(b, a);
}

function haveOtherTopics(a: Words, b: Words, count: number): boolean {
  const hasOwn = (one: Words, other: Words): boolean => {
    const topicCount = Math.max(count, one.shingles.length * TOPIC_SHARE);
    return one.terms.some((term, i) => (one.counts[i] ?? 0) >= topicCount && !has(other.terms, term));
  };
  return hasOwn(a, b) && hasOwn(b, a);
}

/** Returns the share of the words of `part` that stand in `whole` in runs; 0 if it is less than `least`. */
function verbatimShare(part: Words, whole: Words, least: number): number {
  if (part.runLength !== whole.runLength) return 0;
  const runs = runsOf(whole.words);
  let covered = 0;
  let until = 0;
  for (let at = 0; at < part.runs.length; at++) {
    if (!has(runs, part.runs[at] ?? 0)) {
      // No later run covers a word before this one.
      if (part.length - (at - covered) < least * part.length) return 0;
      continue;
    }
    covered += at + part.runLength - Math.max(at, until);
    until = at + part.runLength;
  }
  const share = covered / part.length;
  return share < least ? 0 : share;
}
