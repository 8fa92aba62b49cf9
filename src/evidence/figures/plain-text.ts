import { chineseInDigits, plainDigits, wordsInDigits } from "./numerals.ts";

/** Numbers of citations, list items and sections are not figures. */
const CITED = /\[\d{1,3}(?:\s?[,-]\s?\d{1,3})*\](?!\()/g;
const ITEM = /^\s*(?:\(?\d{1,3}[.)、](?!\d)|[(（]\d{1,3}[)）]|第[一二三四五六七八九十\d]+[，,、:：])\s*/;
const PARTS =
  /\b(?:parts?|sections?|sec\.|chapters?|figures?|fig\.|tables?|appendix|steps?|footnotes?|notes?|items?|pages?|pp?\.)\s?\d+(?:\.\d+)*(?:\s?(?:-|and|to)\s?\d+(?:\.\d+)*)?|§+\s?\d+(?:\.\d+)*|第\s?[一二三四五六七八九十百\d]+\s?(?:章|节|页|步|条款?|部分|篇|点)(?!钟)|[图表](?:\s?\d+(?:[.-]\d+)*)|附录\s?[一二三四五六七八九十\d]+|步骤\s?[一二三四五六七八九十\d]+|注释?\s?\d+/gi;

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
    .replaceAll(/[\u2010-\u2015\u2212\u2e3a]/g, "-")
    .replaceAll("---", "-")
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/(?<=\d)[*_`]+(?=\d)/g, " ")
    .replaceAll(/[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}/g, "")
    .replaceAll(/(?<=\d)·(?=\d)/g, ".")
    .replaceAll(/\s+/g, " ")
    // 2019/20 is 2019-2020.
    .replaceAll(/(?<!\d)(20)(\d\d)[-/](?=(?:1[3-9]|[2-9]\d)(?![\d-]))/g, "$1$2-$1");
  const stated = lenient
    ? folded
    : folded
        .replaceAll(/\bhttps?:\/\/\S+|\[address removed\]/g, " ")
        .replaceAll(CITED, " ")
        .replace(ITEM, "")
        .replaceAll(PARTS, " ");
  const multiplied = MULTIPLES.reduce((written, [words, multiple]) => written.replaceAll(words, ` ${multiple} `), stated);
  const doubtful = lenient ? multiplied.replaceAll(/一半|\bhalf (?=the|its|of)/gi, " 50% ") : multiplied;
  return wordsInDigits(chineseInDigits(doubtful, lenient), lenient)
    .replaceAll(/(?<![\d:.])(\d{1,2})(?::(\d\d))? ?([ap])\.?m\b\.?/gi, timeOf)
    .replaceAll(/(?:[下中]午|傍晚|晚上) ?(\d{1,2}) ?[点时](?:(\d{1,2})分)?/g, timeOf)
    .replaceAll(/(?<=\d )mph\b/g, "miles per hour")
    .replaceAll(/(?<=\d )knots?\b/g, "nautical miles per hour")
    .replaceAll(/(?<=\d )(?:kph|kmh)\b/g, "km per hour");
}

/** Writes 2:30 p.m. and 下午2点30分 as 14:30. */
function timeOf(_: string, hour: string, minute = "00", half: unknown = "p"): string {
  return `${(Number(hour) % 12) + (half === "a" || half === "A" ? 0 : 12)}:${minute.padStart(2, "0")}`;
}
