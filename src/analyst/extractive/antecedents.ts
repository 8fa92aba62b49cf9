import { type Sentence, textOf } from "./passages.ts";

/** First words that stand for something named before. */
const REFERS_BACK =
  /^["“‘'(]?(?:(?:it|they|he|she|its|their|his|her|this|these|il|elle|ils|elles)(?:['’]\p{L}+)?(?!\p{L})|[它他她牠][们們]?|其(?!他|它|中|实|實|余|餘)|[该該此][\p{sc=Han}]|これ|それ)/iu;
/** Farther back it may stand for anything. */
const MAX_DISTANCE = 3;

/**
 * By the index of each sentence: the index of the sentence that names what its pronoun stands for, the nearest one of the same
 * section before it that begins with none itself; null where it begins with no pronoun, or nothing near names it.
 */
export function findAntecedents(sentences: readonly Sentence[]): (number | null)[] {
  const refers = sentences.map((sentence) => sentence.kind !== "code" && REFERS_BACK.test(textOf(sentence).slice(0, 20)));
  return sentences.map((sentence, index) => {
    if (!refers[index]) return null;
    for (let before = index - 1; before >= Math.max(0, index - MAX_DISTANCE); before--) {
      if (sentences[before]?.section !== sentence.section || sentences[before]?.kind === "code") return null;
      if (!refers[before]) return before;
    }
    return null;
  });
}
