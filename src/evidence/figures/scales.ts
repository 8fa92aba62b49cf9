const WORDS: readonly (readonly [exponent: number, words: string])[] = [
  [2, "hundred"],
  [3, "thousand|Tausend"],
  [5, "lakhs?"],
  [6, "millions?|mln|mn|Mio\\.?|Millionen"],
  [7, "crores?"],
  [9, "billions?|bln|bn|Mrd\\.?|Milliarden?"],
  [12, "trillions?|tn|trn"],
];
const PATTERNS = WORDS.map(([exponent, words]) => ({
  exponent,
  pattern: new RegExp(String.raw`^[\s-]?(?:${words})(?!\p{sc=Latin})`, "iu"),
}));
const CHINESE: Readonly<Record<string, number>> = { 十: 1, 百: 2, 千: 3, 万: 4, 亿: 8, 兆: 12 };
/** Letters glued to a number; a small m is metres as well. */
const LETTERS: Readonly<Record<string, number>> = { k: 3, K: 3, M: 6, m: 6, B: 9, b: 9, T: 12 };

export interface Scale {
  readonly word: string;
  readonly length: number;
  /** The powers of ten that it may stand for. */
  readonly exponents: readonly number[];
}

/** The scale that begins `text`, which follows a number. */
export function scaleAt(text: string, ofMoney: boolean): Scale {
  for (const { exponent, pattern } of PATTERNS) {
    const match = pattern.exec(text);
    if (match !== null) return { word: match[0].trim(), length: match[0].length, exponents: [exponent] };
  }
  const chinese = /^\s?[多余几]?\s?((?:[百千]?[万亿兆]+|[十百千]))(?!米|克|瓦|赫|字节|比特|焦|帕|伏|升|卡)(?:[多余])?/.exec(text);
  if (chinese !== null) {
    const word = chinese[1] ?? "";
    const exponent = [...word].reduce((sum, character) => sum + (CHINESE[character] ?? 0), 0);
    return { word, length: chinese[0].length, exponents: [exponent] };
  }
  const letter = /^([kKMmBbT])(?![\p{sc=Latin}\d])/u.exec(text)?.[1];
  const by = letter === undefined ? undefined : LETTERS[letter];
  if (letter === undefined || by === undefined) return { word: "", length: 0, exponents: [0] };
  if (letter === "m" && !ofMoney) return { word: "", length: 0, exponents: [0] };
  return { word: letter, length: 1, exponents: [by] };
}
