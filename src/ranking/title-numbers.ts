const LETTERED =
  "part|section|appendix|annex|volume|vol|book|class|type|phase|group|schedule|exhibit|form|grade|level|series|stage|tier|unit|chapter|act|war|episode|season|round|hepatitis|vitamin|plan|option|model";
const CARDINALS = "zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve";
const ORDINALS = "first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth";
const MONTHS =
  "january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec";
const DAYS = "monday|tuesday|wednesday|thursday|friday|saturday|sunday|spring|summer|autumn|winter";
const ROMAN = "M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})";

/** Each alternative is one way to count: figures and what is glued to them, words, letters after a kind of part, Chinese. */
const NUMBER = new RegExp(
  [
    String.raw`(?<![\p{sc=Latin}\p{Nd}])\p{sc=Latin}*\p{Nd}[\p{sc=Latin}\p{Nd}]*(?:[.:]\p{Nd}+)*`,
    String.raw`(?<![\p{L}\p{M}])(?:${CARDINALS}|${ORDINALS}|${MONTHS}|${DAYS})(?![\p{L}\p{M}])`,
    String.raw`(?<=(?<!\p{L})(?:${LETTERED})\.?\s{1,3})(?:[ivxlc]+|[a-z])(?![\p{L}\p{M}'’])`,
    "[〇零一二三四五六七八九十百千两兩壹贰貳叁參肆伍陆陸柒捌玖拾]+",
    String.raw`(?<=[(【\[]\s?)[上中下前后後末甲乙丙丁终終完](?=\s?[)】\]])`,
    "[上中下前后後](?=半年|半月|半场|篇|集|册|冊|卷|巻|部|旬|编|編|学期|學期)|[甲乙丙丁](?=[级級类類组組型班])",
    String.raw`半年|[春夏秋冬]季|(?<=周|週|星期)[日天末]|(?<=[\s\-—_:|·])[上中下]$`,
  ].join("|"),
  "giu",
);
/** Capital letters that stand alone, and Roman numbers; not A and I, which are words. */
const CAPITALS = new RegExp(
  String.raw`(?<![\p{L}\p{M}\p{N}'’.])(?:[B-HJ-Z]|(?=[MDCLXVI]{2})${ROMAN})(?![\p{L}\p{M}\p{N}'’]|\.\p{L})`,
  "gu",
);

/**
 * Everything in a title that counts or tells the parts, versions and dates of a series apart, in reading order: figures
 * (with letters glued to them: `v2`, `h1`), number words, months, Roman numbers and single capitals, Chinese numerals
 * and 上/中/下. Two titles with other numbers are never of one text. Numbers are compared as they are spelt.
 */
export function numbersIn(title: string): string[] {
  const text = title.normalize("NFKC").replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, "");
  const found = [...text.matchAll(NUMBER), ...text.matchAll(CAPITALS)];
  const byPlace = new Map(found.map((match) => [match.index, match[0].toLowerCase()]));
  return [...byPlace].sort(([a], [b]) => a - b).map(([, number]) => number);
}
