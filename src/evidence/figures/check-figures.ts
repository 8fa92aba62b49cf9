import { foldWidth } from "../fold-text.ts";
import { type Amount, readAmounts } from "./amounts.ts";
import { amountAgrees, dateAgrees } from "./compare-figures.ts";
import { readDates } from "./dates.ts";
import { chineseInDigits, plainDigits, wordsInDigits } from "./numerals.ts";

export interface MissingFigure {
  readonly kind: "number" | "date" | "name";
  readonly text: string;
}

/** In UTF-16 code units. A longer sentence counts as one missing figure. */
const MAX_LENGTH = 4_000;
const TOKEN =
  /(?<![\p{L}\p{N}]|\d[.,])(?:\p{sc=Latin}+-?\d[\p{sc=Latin}\d]*(?:[.-]\d+)*|\d+(?:\.\d+)?\p{sc=Latin}[\p{sc=Latin}\d]*(?:[.-]\d+)*|\d+(?:\.\d+){2,})(?![\p{sc=Latin}\d])/gu;
const SCALED: readonly (readonly [RegExp, number])[] = [
  [/\bin thousands\b|单位[：:]\s?千/i, 3],
  [/\bin millions\b|\(millions?\)|百万元?[)）]|单位[：:]\s?百万/i, 6],
  [/\bin billions\b|\(billions?\)|单位[：:]\s?十亿/i, 9],
  [/[(（]万元?[)）]|单位[：:]\s?万/, 4],
  [/[(（]亿元?[)）]|单位[：:]\s?亿/, 8],
];
const MOST_AMOUNTS = 2_000;

/**
 * Returns the numbers, dates and names with digits that no quote contains. The sentence may round numbers, convert units and use names
 * from `known`. Minus signs and words such as "fell" are not compared.
 */
export function missingFigures(sentence: string, quotes: readonly string[], known: readonly string[]): MissingFigure[] {
  if (isVerbatimIn(sentence, quotes)) return [];
  if (sentence.length > MAX_LENGTH) return [{ kind: "number", text: `${sentence.slice(0, 40)}…` }];
  const claim = plainText(sentence, false);
  const quoted = quotes.map((quote) => plainText(quote, true)).join("\n");
  const knownText = known.map((text) => plainText(text, true)).join("\n");
  const { dates, rest } = readDates(claim);
  const found = readQuotes(quoted);
  const tokens = (rest.match(TOKEN) ?? []).filter((token) => !isAmount(token));
  const numbers = rest.replaceAll(TOKEN, (token) => (isAmount(token) ? token : " ".repeat(token.length)));
  const missingDates = dates.filter((readings) => !readings.some((reading) => dateAgrees(reading, found.dates, found.years)));
  const missing: MissingFigure[] = [
    ...missingDates.map(([reading]): MissingFigure => ({ kind: "date", text: reading?.text ?? "" })),
    ...missingAmounts(numbers, found, knownText).map((text): MissingFigure => ({ kind: "number", text })),
    ...tokens
      .filter((token) => !tokenPattern(token).test(`${quoted}\n${knownText}`))
      .map((text): MissingFigure => ({ kind: "name", text })),
  ];
  return [...new Map(missing.map((one) => [`${one.kind} ${one.text}`, one])).values()];
}

/** Returns false for "costs 5" if the quote says "costs 50" or "costs 5 million". */
function isVerbatimIn(sentence: string, quotes: readonly string[]): boolean {
  const spelt = spaced(sentence).replace(/[.。!！?？]+$/, "");
  if (spelt === "") return false;
  return quotes.map(spaced).some((quote) => {
    const at = quote.indexOf(spelt);
    return (
      at >= 0 && !/[\p{L}\p{N}.,$-]$/u.test(quote.slice(0, at)) && !/^(?:[\p{L}\p{N}%]|[.,]\d| \p{L})/u.test(quote.slice(at + spelt.length))
    );
  });
}

function spaced(text: string): string {
  return foldWidth(text).replaceAll(/\s+/g, " ").trim();
}

/** Matches all spellings of a name: GPT-4, GPT4 and GPT 4. */
function tokenPattern(token: string): RegExp {
  const runs = token.match(/\p{sc=Latin}+|\d+|[.]/gu) ?? [];
  return new RegExp(String.raw`(?<![\p{sc=Latin}\d])${runs.map(RegExp.escape).join(String.raw`[\s-]?`)}(?!\d|[.]\d)`, "iu");
}

type Found = Readonly<ReturnType<typeof readQuotes>>;

function readQuotes(quoted: string) {
  const { dates, rest } = readDates(quoted);
  const read = [...readAmounts(rest, true), ...readAmounts(quoted, true)].slice(0, MOST_AMOUNTS);
  const by = SCALED.filter(([pattern]) => pattern.test(quoted)).map(([, exponent]) => exponent);
  const scaled = by.flatMap((exponent) => read.map((amount) => ({ ...amount, exponent: amount.exponent + exponent })));
  const flat = dates.flat();
  const years = new Set(flat.flatMap(({ year }) => (year === undefined ? [] : [year])));
  for (const { digits, exponent, unit, currencies } of read) {
    if (exponent === 0 && unit === null && currencies === null && digits >= 1_000n && digits < 2_200n) years.add(Number(digits));
  }
  return { amounts: [...read, ...scaled], dates: flat, years };
}

function missingAmounts(text: string, { amounts, years }: Found, knownText: string): string[] {
  const readings = Map.groupBy(readAmounts(text, false), (amount) => `${amount.text} ${amount.before}`);
  const missing: string[] = [];
  for (const own of readings.values()) {
    const [one] = own;
    if (one === undefined || isPartOfName(one, knownText)) continue;
    const holds = own.some(
      (amount) =>
        (amount.unit === null && amount.currencies === null && amount.exponent === 0 && years.has(Number(amount.digits))) ||
        amounts.some((quote) => amountAgrees(amount, quote)),
    );
    if (!holds) missing.push(one.text);
  }
  return missing;
}

function isPartOfName({ text, before, unit }: Amount, knownText: string): boolean {
  const word = /(\p{Lu}[\p{L}-]*) $/u.exec(before)?.[1];
  return (
    unit === null && word !== undefined && /^\d{1,4}$/.test(text) && new RegExp(String.raw`${word} ${text}(?!\d)`, "u").test(knownText)
  );
}

const UNIT_SYMBOLS = [
  "km|m|cm|mm|kg|g|ft|bn|mn|tn|k|M|B|b|T|h|s|ha|mln|pp|bps|pct|km2|m2|x|min|hrs?|yrs?|mph|lbs?|oz|yd|mi|m3|km3|mcg|[mc]?[lL]",
  "[nμm]m|[nμumk]?g|[nμm]s|[kM]?Pa|[nμmkMGT]?(?:Wh?|J|Hz|V)|[kKMGTP]B|[kKMGT]b(?:it|ps)?",
];
const WITH_UNIT = new RegExp(String.raw`^\d+(?:\.\d+)?(?:${UNIT_SYMBOLS.join("|")})$`);

/** 5km and 20bn are amounts, 5G and 3D are names. */
function isAmount(token: string): boolean {
  if (/^[kcm]?m[23]$/.test(token)) return true;
  if (/^\d+(?:\.\d+){2,}$/.test(token)) return /^\d{1,3}(?:\.\d{3})+$/.test(token);
  return /^\d+(?:\.\d+)?e\d+$|^\d+(?:st|nd|rd|th)$/.test(token) || WITH_UNIT.test(token);
}

/** Numbers of citations, list items and sections are not figures. */
const CITED = /\[\d{1,3}(?:\s?[,-]\s?\d{1,3})*\](?!\()/g;
const ITEM = /^\s*(?:\(?\d{1,3}[.)、](?!\d)|[(（]\d{1,3}[)）]|第[一二三四五六七八九十\d]+[，,、:：])\s*/;
const PARTS =
  /\b(?:sections?|sec\.|chapters?|figures?|fig\.|tables?|appendix|steps?|footnotes?|notes?|items?|pages?|pp?\.)\s?\d+(?:\.\d+)*(?:\s?(?:-|and|to)\s?\d+(?:\.\d+)*)?|§+\s?\d+(?:\.\d+)*|第\s?[一二三四五六七八九十百\d]+\s?(?:章|节|页|步|条款?|部分|点)(?!钟)|[图表](?:\s?\d+(?:[.-]\d+)*)|附录\s?[一二三四五六七八九十\d]+|步骤\s?[一二三四五六七八九十\d]+|注释?\s?\d+/gi;

const SEASON = /(?<!\d)([12]\d)(\d{2})[-/](\d{2})(?![\d-])/g;

function plainText(text: string, lenient: boolean): string {
  const folded = plainDigits(text)
    .replaceAll(/[\u2010-\u2015\u2212\u2e3a]/g, "-")
    .replaceAll("---", "-")
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/(?<=\d)[*_`]+(?=\d)/g, " ")
    .replaceAll(/[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}/g, "")
    .replaceAll(/(?<=\d)·(?=\d)/g, ".")
    .replaceAll(/\s+/g, " ")
    .replaceAll(SEASON, (whole, century: string, from: string, to: string) =>
      Number(to) > Number(from) && Number(to) > 12 ? `${century}${from}-${century}${to}` : whole,
    );
  const stated = lenient
    ? folded
    : folded
        .replaceAll(/\bhttps?:\/\/\S+|\[address removed\]/g, " ")
        .replaceAll(CITED, " ")
        .replace(ITEM, "")
        .replaceAll(PARTS, " ");
  return wordsInDigits(chineseInDigits(stated, lenient), lenient)
    .replaceAll(/(?<=\d )mph\b/g, "miles per hour")
    .replaceAll(/(?<=\d )knots?\b/g, "nautical miles per hour")
    .replaceAll(/(?<=\d )(?:kph|kmh)\b/g, "km per hour");
}
