import { wordsInDigits } from "./number-words.ts";
import { chineseInDigits } from "./numerals.ts";
import { plainDigits } from "./other-digits.ts";

/** What is no figure of the matter: numbers of citations, of list items and of parts of a text. */
const CITED = /\[\d{1,3}(?:\s?[,-]\s?\d{1,3})*\](?!\()/g;
const ITEM = /^\s*(?:\(?\d{1,3}[.)、](?!\d)|[(（]\d{1,3}[)）]|第[一二三四五六七八九十\d]+[，,、:：])\s*/;
const PARTS =
  /\b(?:sections?|sec\.|chapters?|figures?|fig\.|tables?|appendix|steps?|footnotes?|notes?|items?|pages?|pp?\.)\s?\d+(?:\.\d+)*(?:\s?(?:-|and|to)\s?\d+(?:\.\d+)*)?|§+\s?\d+(?:\.\d+)*|第\s?[一二三四五六七八九十百\d]+\s?(?:章|节|页|步|条款?|部分|点)(?!钟)|[图表](?:\s?\d+(?:[.-]\d+)*)|附录\s?[一二三四五六七八九十\d]+|步骤\s?[一二三四五六七八九十\d]+|注释?\s?\d+/gi;

/** From one year to another of its century: 1969-72. */
const SEASON = /(?<!\d)([12]\d)(\d{2})[-/](\d{2})(?![\d-])/g;

/** A text in one spelling of widths, dashes, white space and numerals, in which figures are read. */
export function plainText(text: string, generous: boolean): string {
  const folded = plainDigits(text)
    .replaceAll(/[\u2010-\u2015\u2212\u2e3a]/g, "-")
    .replaceAll("---", "-")
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}/g, "")
    .replaceAll(/(?<=\d)·(?=\d)/g, ".")
    .replaceAll(/\s+/g, " ")
    .replaceAll(SEASON, (whole, century: string, from: string, to: string) =>
      Number(to) > Number(from) && Number(to) > 12 ? `${century}${from}-${century}${to}` : whole,
    );
  const asked = generous
    ? folded
    : folded
        .replaceAll(/\bhttps?:\/\/\S+|\[address removed\]/g, " ")
        .replaceAll(CITED, " ")
        .replace(ITEM, "")
        .replaceAll(PARTS, " ");
  return wordsInDigits(chineseInDigits(asked, generous), generous)
    .replaceAll(/(?<=\d )mph\b/g, "miles per hour")
    .replaceAll(/(?<=\d )knots?\b/g, "nautical miles per hour")
    .replaceAll(/(?<=\d )(?:kph|kmh)\b/g, "km per hour");
}

/** `text` with blanks where `spans` are. */
export function blanked(text: string, spans: readonly { readonly start: number; readonly end: number }[]): string {
  let out = "";
  let from = 0;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    if (start < from) continue;
    out += text.slice(from, start) + " ".repeat(end - start);
    from = end;
  }
  return out + text.slice(from);
}
