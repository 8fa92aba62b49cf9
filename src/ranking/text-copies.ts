import { groupBySharedKeys } from "../util/group-by-shared-keys.ts";
import { STOP_TERMS } from "./query-terms.ts";
import { containment, neitherContains, shingles } from "./scoring.ts";
import { isUnspaced, numbersIn, tokenize, wordCountOf } from "./tokenize.ts";

/** `origin` is the id of the hit that this text copies. It equals `id` if the text is no copy. */
export interface ReadText {
  readonly id: string;
  readonly origin: string;
  readonly title: string;
  readonly text: string;
  readonly contentHash: string;
}

/**
 * Returns for each text id the origin that it shares with its copies. Different origins are independent sources. `texts` must be
 * sorted, best first. Takes quadratic time: pass the documents of one run, not all hits.
 */
export function originsOf(texts: readonly ReadText[]): Map<string, string> {
  const words = texts.map(wordsOf);
  const groups = groupBySharedKeys(
    texts.map(({ origin, contentHash }, i) => {
      const copied = words.slice(0, i).flatMap((earlier, other) => (areCopies(earlier, words[i] ?? earlier) ? [`text ${other}`] : []));
      return [`text ${i}`, `origin ${origin}`, `hash ${contentHash}`, ...copied];
    }),
  );
  return new Map(texts.map(({ id, origin }, i) => [id, texts[groups[i] ?? i]?.origin ?? origin]));
}

type Words = Readonly<ReturnType<typeof wordsOf>>;

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

function wordsOf({ title, text }: ReadText) {
  const sample = text.slice(0, SAMPLE_LENGTH);
  const terms = tokenize(sample);
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  const runLength = terms.filter(isUnspaced).length * 2 > terms.length ? UNSPACED_RUN : RUN;
  return {
    titleNumbers: new Set(numbersIn(title)),
    titleTerms: new Set(tokenize(title).filter((term) => counts.has(term) && !STOP_TERMS.has(term))),
    numbers: new Set(numbersIn(sample).filter((number) => !LONE_NUMERAL.test(number))),
    shingles: shingles(terms),
    counts,
    names: new Set((sample.match(CAPITALIZED) ?? []).flatMap(tokenize).filter((term) => !STOP_TERMS.has(term))),
    terms,
    runLength,
    runs: new Set(terms.slice(runLength - 1).map((_, i) => runAt(terms, i, runLength))),
  };
}

/** Whether one text copies all or part of the other. Texts with different numbers or topics are no copies. */
function areCopies(a: Words, b: Words): boolean {
  const numbersDiffer = a.numbers.size > 0 && b.numbers.size > 0 && containment(a.numbers, b.numbers) < SAME_NUMBERS_AT;
  if (neitherContains(a.titleNumbers, b.titleNumbers) || numbersDiffer) return false;
  const size = Math.min(wordCountOf(a.terms), wordCountOf(b.terms));
  if (size < MIN_EXCERPT) return false;
  const short = size < MIN_SIZE;
  if (!short && containment(a.shingles, b.shingles) >= COPY_AT) return !haveOtherTopics(a, b, TOPIC_COUNT);
  const [part, whole] = a.terms.length <= b.terms.length ? [a, b] : [b, a];
  const share = verbatimShare(part, whole);
  if (share < (short ? SHORT_VERBATIM_AT : VERBATIM_AT) || haveOtherTitles(a, b)) return false;
  if (!short) return !haveOtherTopics(a, b, TOPIC_COUNT_OF_REWRITTEN);
  // Sentences of one template may differ only in a name. Chinese names have no capitals to compare, so Chinese must be verbatim.
  return share === 1 || (!part.terms.some(isUnspaced) && !neitherContains(part.names, whole.names));
}

function haveOtherTitles(a: Words, b: Words): boolean {
  const hasOwn = (one: Words, other: Words): boolean => [...one.titleTerms].some((term) => !other.counts.has(term));
  return hasOwn(a, b) && hasOwn(b, a);
}

function haveOtherTopics(a: Words, b: Words, count: number): boolean {
  const hasOwn = (one: Words, other: Words): boolean => {
    const topicCount = Math.max(count, one.shingles.size * TOPIC_SHARE);
    return [...one.counts].some(([term, times]) => times >= topicCount && !other.counts.has(term));
  };
  return hasOwn(a, b) && hasOwn(b, a);
}

function verbatimShare(part: Words, whole: Words): number {
  if (part.runLength !== whole.runLength) return 0;
  let covered = 0;
  let until = 0;
  for (let at = 0; at + part.runLength <= part.terms.length; at++) {
    if (!whole.runs.has(runAt(part.terms, at, part.runLength))) continue;
    covered += at + part.runLength - Math.max(at, until);
    until = at + part.runLength;
  }
  return covered === 0 ? 0 : covered / part.terms.length;
}

function runAt(terms: readonly string[], at: number, length: number): string {
  return terms.slice(at, at + length).join(" ");
}
