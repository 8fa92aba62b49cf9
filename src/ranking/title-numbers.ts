import { normalizeText } from "./normalize-text.ts";
import { toSimplified } from "./simplified.ts";

/** Figures with the letters glued to them (`v2`, `h1`), and Chinese numerals. */
const NUMBER = new RegExp(
  [
    String.raw`(?<![\p{sc=Latin}\p{Nd}])\p{sc=Latin}*\p{Nd}[\p{sc=Latin}\p{Nd}]*(?:[.:]\p{Nd}+)*`,
    "[〇零一二三四五六七八九十百千两壹贰叁肆伍陆柒捌玖拾]+",
  ].join("|"),
  "giu",
);
/** Capital letters that stand alone, and Roman numbers; not A and I, which are words. */
const CAPITALS = /(?<![\p{L}\p{M}\p{N}'’.])(?:[B-HJ-Z]|[MDCLXVI]{2,})(?![\p{L}\p{M}\p{N}'’]|\.\p{L})/gu;

/**
 * Everything in a title that counts or tells the parts, versions and dates of a series apart, in reading order: figures
 * (with letters glued to them: `v2`, `h1`), Roman numbers and single capitals, Chinese numerals (Simplified). Two titles with other
 * numbers are never of one text. Numbers are compared as they are spelt.
 */
export function numbersIn(title: string): string[] {
  const text = toSimplified(normalizeText(title)).replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, "");
  const found = [...text.matchAll(NUMBER), ...text.matchAll(CAPITALS)];
  const byPlace = new Map(found.map((match) => [match.index, match[0].toLowerCase()]));
  return [...byPlace].sort(([a], [b]) => a - b).map(([, number]) => number);
}
