import { foldWidth } from "../fold-text.ts";
import { chineseInDigits, wordsInDigits } from "./numerals.ts";

/** Numbers of addresses, citations, list items and sections are not figures of a claim. */
const NOT_FIGURES = [
  /\bhttps?:\/\/\S+/g,
  /\[\d{1,3}(?:\s?[,-]\s?\d{1,3})*\](?!\()/g,
  /^\s*(?:\(?\d{1,3}[.)、](?!\d)|[(（]\d{1,3}[)）]|第[一二三四五六七八九十\d]+[，,、:：])\s*/,
  /\b(?:parts?|sections?|sec\.|chapters?|figures?|fig\.|tables?|appendix|steps?|footnotes?|notes?|items?|pages?|pp?\.)\s?\d+(?:\.\d+)*(?:\s?(?:-|and|to)\s?\d+(?:\.\d+)*)?|§+\s?\d+(?:\.\d+)*|第\s?[一二三四五六七八九十百\d]+\s?(?:章|节|页|步|条款?|部分|篇|点)(?!钟)|[图表](?:\s?\d+(?:[.-]\d+)*)|附录\s?[一二三四五六七八九十\d]+|步骤\s?[一二三四五六七八九十\d]+|注释?\s?\d+/gi,
];
/** "Doubled" is 2.0 and not 2, so that it does not stand for 1.6. */
const MULTIPLES: readonly (readonly [RegExp, string])[] = [
  [/\b(?:doubl(?:ed|es|ing)|twice|twofold)\b|\bdouble(?= (?:the|that|what)\b)/gi, "2.0 times"],
  [/\b(?:trebled|tripl(?:ed|es|ing)|threefold)\b|\btriple(?= (?:the|that|what)\b)/gi, "3.0 times"],
  [/\bquadrupl(?:ed|es|ing)\b/gi, "4.0 times"],
  [/\bhalv(?:ed|es|ing)\b|\bhalf as\b/gi, "50% as"],
  [/翻了?[一两]?[番倍]|翻了一倍/g, "2.0倍"],
];
/** Writes numbers in digits and drops what is no figure. `lenient`, which is for quotes, also reads doubtful words as numbers. */
export function plainText(text: string, lenient: boolean): string {
  const folded = plainDigits(text)
    .replaceAll("---", "-")
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/(?<=\d)[*_`]+(?=\d)/g, " ")
    .replaceAll(/[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}/g, "")
    .replaceAll(/(?<=\d)·(?=\d)/g, ".")
    // $(45) million is a loss.
    .replaceAll(/(?<=[$€£¥] ?)\((\d[\d.,]*)\)/g, "$1")
    .replaceAll(/\s+/g, " ")
    // 2019/20 is 2019-2020.
    .replaceAll(/(?<!\d)(20)(\d\d)[-/](?=(?:1[3-9]|[2-9]\d)(?![\d-]))/g, "$1$2-$1");
  const stated = lenient ? folded : NOT_FIGURES.reduce((written, numbers) => written.replace(numbers, " "), folded);
  const multiplied = MULTIPLES.reduce((written, [words, multiple]) => written.replaceAll(words, ` ${multiple} `), stated);
  return wordsInDigits(chineseInDigits(multiplied, lenient), lenient)
    .replaceAll(/(?<=\d )mph\b/g, "miles per hour")
    .replaceAll(/(?<=\d )knots?\b/g, "nautical miles per hour")
    .replaceAll(/(?<=\d )(?:kph|kmh)\b/g, "km per hour");
}

const FRACTIONS: Readonly<Record<string, string>> = { "½": ".5", "¼": ".25", "¾": ".75", "⅛": ".125" };
/** Writes all digits as 0 to 9 and powers as `10^4`. Replaces footnote numbers, subscripts and circled digits by spaces. */
function plainDigits(text: string): string {
  const powers = text
    .replaceAll(/[\p{Nd}--[0-9]]/gv, digitOf)
    .replaceAll(/(?<=\d)⁻?[⁰¹²³⁴-⁹]+/gu, (raised) => `^${raised.normalize("NFKC")}`)
    // The lookbehind keeps time linear in long runs of digits.
    .replaceAll(/(?<!\d)(\d*)([½¼¾⅛])/g, (_, whole: string, part: string) => `${whole || "0"}${FRACTIONS[part] ?? ""}`)
    // A superscript after a word of three or more letters is a footnote number. In m² it is a power.
    .replaceAll(/(?<=\p{sc=Latin}{3})[¹²³⁰⁴-⁹]+|(?<=\d)[₀-₎]+|[\u2460-\u24ff\u2776-\u2793]|(?<=[\p{L}\d])\[\d[\d,–-]*\]/gu, " ")
    .replaceAll(/(?<=\p{sc=Latin})\^(?=[23](?!\d))/gu, "");
  return foldWidth(powers)
    .normalize("NFKC")
    .replaceAll(/[\u2010-\u2015\u2212\u2e3a]/g, "-")
    .replaceAll(/(?<!\d)(\d+(?:\.\d+)?)\s?[×x*·]\s?10\s?\^\s?(\d{1,2})(?!\d)/g, "$1e$2");
}

/** The digits of each script stand in a row, from zero to nine. */
function digitOf(digit: string): string {
  let value = 0;
  for (let code = (digit.codePointAt(0) ?? 0) - 1; /\p{Nd}/u.test(String.fromCodePoint(code)); code--) value++;
  return String(value % 10);
}
