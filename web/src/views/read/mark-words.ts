interface MarkedPiece {
  readonly text: string;
  readonly isMarked: boolean;
}

/** Shorter words, such as "who" and "the", stand in every text. A Chinese word of two characters says as much. */
const MIN_LETTERS = 4;
const MAX_WORDS = 40;

/** Splits a text where it has a word of the question, in upper or lower case. */
export function markWords(text: string, question: string): MarkedPiece[] {
  const segments = [...new Intl.Segmenter(undefined, { granularity: "word" }).segment(question.slice(0, 2_000))];
  const isMarked = (word: string): boolean => word.length >= (/\p{sc=Han}/u.test(word) ? 2 : MIN_LETTERS);
  const words = [...new Set(segments.flatMap(({ segment, isWordLike }) => (isWordLike && isMarked(segment) ? segment : [])))];
  if (words.length === 0) return [{ text, isMarked: false }];
  const escaped = words.slice(0, MAX_WORDS).map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const whole = escaped.map((word) => (/\p{sc=Han}/u.test(word) ? word : `(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`));
  const parts = text.split(new RegExp(`(${whole.join("|")})`, "giu"));
  return parts.flatMap((part, index) => (part === "" ? [] : { text: part, isMarked: index % 2 === 1 }));
}
