export interface Words {
  readonly text: string;
  /** Whether the other sentence does not have it. */
  readonly isOwn: boolean;
}

const SEGMENTER = new Intl.Segmenter(undefined, { granularity: "word" });
/** Above this number of pairs of words, the whole middle that differs is marked. */
const MAX_PAIRS = 250_000;

/** Cuts a sentence into stretches that the other sentence has too, in the same order, and stretches that it does not have. */
export function ownWords(sentence: string, other: string): Words[] {
  const segments = [...SEGMENTER.segment(sentence)];
  const own = ownAmong(wordsOf(segments), wordsOf([...SEGMENTER.segment(other)]));
  const stretches: Words[] = [];
  let word = 0;
  for (const { segment, isWordLike } of segments) {
    const last = stretches.at(-1);
    // Spaces and signs belong to what they follow.
    const isOwn = isWordLike === true ? own.has(word++) : (last?.isOwn ?? false);
    if (last?.isOwn === isOwn) stretches[stretches.length - 1] = { text: last.text + segment, isOwn };
    else stretches.push({ text: segment, isOwn });
  }
  return stretches;
}

function wordsOf(segments: readonly Intl.SegmentData[]): string[] {
  return segments.filter(({ isWordLike }) => isWordLike === true).map(({ segment }) => segment.toLowerCase());
}

/** Returns the places of the words that are not in the longest common subsequence. */
function ownAmong(words: readonly string[], others: readonly string[]): Set<number> {
  const shorter = Math.min(words.length, others.length);
  let start = 0;
  while (start < shorter && words[start] === others[start]) start += 1;
  let end = 0;
  while (end < shorter - start && words.at(-1 - end) === others.at(-1 - end)) end += 1;
  const [middle, otherMiddle] = [words.slice(start, words.length - end), others.slice(start, others.length - end)];
  const shared = middle.length * otherMiddle.length > MAX_PAIRS ? new Set<number>() : sharedAmong(middle, otherMiddle);
  return new Set(
    middle
      .keys()
      .filter((at) => !shared.has(at))
      .map((at) => at + start),
  );
}

/** Returns the places of the words in the longest common subsequence. */
function sharedAmong(words: readonly string[], others: readonly string[]): Set<number> {
  const width = others.length + 1;
  // The length of the longest common subsequence from each pair of places to the ends.
  const lengths = new Uint32Array((words.length + 1) * width);
  const at = (one: number, other: number): number => lengths[one * width + other] ?? 0;
  for (let one = words.length - 1; one >= 0; one -= 1)
    for (let other = others.length - 1; other >= 0; other -= 1)
      lengths[one * width + other] =
        words[one] === others[other] ? at(one + 1, other + 1) + 1 : Math.max(at(one + 1, other), at(one, other + 1));
  const shared = new Set<number>();
  for (let one = 0, other = 0; one < words.length && other < others.length; ) {
    if (words[one] === others[other]) {
      shared.add(one);
      one += 1;
      other += 1;
    } else if (at(one + 1, other) >= at(one, other + 1)) one += 1;
    else other += 1;
  }
  return shared;
}
