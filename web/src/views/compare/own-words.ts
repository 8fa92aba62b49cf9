export interface Words {
  readonly text: string;
  /** Whether the other sentence does not have it. */
  readonly isOwn: boolean;
}

const SEGMENTER = new Intl.Segmenter(undefined, { granularity: "word" });

/** Cuts a sentence into stretches of words that the other sentence has, in any place and as often, or does not have. */
export function ownWords(sentence: string, other: string): Words[] {
  const left = new Map<string, number>();
  for (const { segment } of SEGMENTER.segment(other)) left.set(segment.toLowerCase(), (left.get(segment.toLowerCase()) ?? 0) + 1);
  const take = (word: string): boolean => {
    const count = left.get(word) ?? 0;
    left.set(word, count - 1);
    return count > 0;
  };
  const stretches: Words[] = [];
  for (const { segment, isWordLike } of SEGMENTER.segment(sentence)) {
    const last = stretches.at(-1);
    // Spaces and signs belong to what they follow.
    const isOwn = isWordLike === true ? !take(segment.toLowerCase()) : (last?.isOwn ?? false);
    if (last?.isOwn === isOwn) stretches[stretches.length - 1] = { text: last.text + segment, isOwn };
    else stretches.push({ text: segment, isOwn });
  }
  return stretches;
}
