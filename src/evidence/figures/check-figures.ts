import { foldWidth } from "../fold-text.ts";
import { type Amount, readAmounts } from "./amounts.ts";
import { amountAgrees, type Contradiction, contradiction, dateAgrees, differsInYear } from "./compare-figures.ts";
import { type DateReading, readDates } from "./dates.ts";
import { plainText } from "./plain-text.ts";

export interface MissingFigure {
  readonly kind: "number" | "date" | "name";
  readonly text: string;
  readonly reason: FigureReason;
}
type FigureReason = Contradiction | "amount_not_in_quote" | "date_not_in_quote" | "name_not_in_source" | "too_long";

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

/** Quotes and names that sentences are compared with. Read once for many sentences. */
export type Sources = ReturnType<typeof readSources>;
export function readSources(quotes: readonly string[], known: readonly string[]) {
  const quoted = quotes.map((quote) => plainText(quote, true)).join("\n");
  const knownText = known.map((text) => plainText(text, true)).join("\n");
  return { quotes: quotes.map(spaced), knownText, all: `${quoted}\n${knownText}`, found: readQuotes(quoted) };
}

/**
 * Returns the numbers, dates and names with digits that no quote contains. The sentence may round numbers, convert units and use names
 * from `known`. Minus signs and words such as "fell" are not compared.
 */
export function missingFigures(sentence: string, quotes: readonly string[], known: readonly string[]): MissingFigure[] {
  return missingIn(sentence, readSources(quotes, known));
}

/** Like `missingFigures`. `holds` may accept amounts that no quote has. */
export function missingIn(
  sentence: string,
  { quotes, knownText, all, found }: Sources,
  holds: (amount: Amount) => boolean = () => false,
): MissingFigure[] {
  if (isVerbatimIn(sentence, quotes)) return [];
  if (sentence.length > MAX_LENGTH) return [{ kind: "number", text: `${sentence.slice(0, 40)}…`, reason: "too_long" }];
  const { dates, tokens, numbers } = readFigures(sentence);
  const missing: MissingFigure[] = [
    ...missingDates(dates, found),
    ...missingAmounts(numbers, found, knownText, holds),
    ...tokens
      .filter((token) => !tokenPattern(token).test(all))
      .map((text): MissingFigure => ({ kind: "name", text, reason: "name_not_in_source" })),
  ];
  return [...new Map(missing.map((one) => [`${one.kind} ${one.text}`, one])).values()];
}

/** Returns a note in a text that scales its numbers, such as "in millions"; null if it has none. */
export function scaleNote(text: string): string | null {
  return SCALED.map(([pattern]) => pattern.exec(text)?.[0]).find((note) => note !== undefined) ?? null;
}

/** Whether a sentence has a number, a date or a name with digits. */
export function hasFigures(sentence: string): boolean {
  const { dates, tokens, numbers } = readFigures(sentence);
  return dates.length > 0 || tokens.length > 0 || readAmounts(numbers, false).length > 0;
}

/** All amounts of a text, also those that may only be words, such as "half of". */
export function possibleAmounts(text: string): Amount[] {
  return readQuotes(plainText(text, true)).amounts;
}

function readFigures(sentence: string) {
  const { dates, rest } = readDates(plainText(sentence, false));
  const tokens = (rest.match(TOKEN) ?? []).filter((token) => !isAmount(token));
  return { dates, tokens, numbers: rest.replaceAll(TOKEN, (token) => (isAmount(token) ? token : " ".repeat(token.length))) };
}

/** Returns false for "costs 5" if the quote says "costs 50" or "costs 5 million". */
function isVerbatimIn(sentence: string, quotes: readonly string[]): boolean {
  const spelt = spaced(sentence).replace(/[.。!！?？]+$/, "");
  if (spelt === "") return false;
  return quotes.some((quote) => {
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
  const scaled = by.flatMap((exponent) => read.map((amount) => ({ ...amount, scale: exponent, exponent: amount.exponent + exponent })));
  const flat = dates.flat();
  const years = new Set(flat.flatMap(({ year }) => (year === undefined ? [] : [year])));
  for (const { digits, exponent, unit, currencies } of read) {
    if (exponent === 0 && unit === null && currencies === null && digits >= 1_000n && digits < 2_200n) years.add(Number(digits));
  }
  return { amounts: [...read, ...scaled], dates: flat, years };
}

function missingAmounts(
  text: string,
  { amounts, years }: Found,
  knownText: string,
  isResult: (amount: Amount) => boolean,
): MissingFigure[] {
  const all = readAmounts(text, false);
  const readings = Map.groupBy(all, (amount) => `${amount.text} ${amount.before}`);
  const missing: MissingFigure[] = [];
  for (const own of readings.values()) {
    const [one] = own;
    if (one === undefined || isPartOfName(one, knownText)) continue;
    const holds = own.some(
      (amount) =>
        (amount.unit === null && amount.currencies === null && amount.exponent === 0 && years.has(Number(amount.digits))) ||
        amounts.some((quote) => amountAgrees(amount, quote)) ||
        isResult(amount),
    );
    const isYear = one.unit === null && one.currencies === null && /^(?:19|20)\d\d$/.test(one.numeral);
    const reason = isYear ? "date_not_in_quote" : "amount_not_in_quote";
    if (!holds) missing.push({ kind: "number", text: one.text, reason: contradictionIn(own, amounts, all) ?? reason });
  }
  return missing;
}

/** An amount of a quote contradicts one of the sentence only if the sentence does not state it elsewhere. */
function contradictionIn(own: readonly Amount[], quoted: readonly Amount[], all: readonly Amount[]): Contradiction | null {
  if (own.length > 1) return null;
  for (const quote of quoted) {
    const why = own[0] === undefined ? null : contradiction(own[0], quote);
    if (why !== null && (why === "end_of_range" || !all.some((amount) => amountAgrees(amount, quote)))) return why;
  }
  return null;
}

function missingDates(dates: ReturnType<typeof readDates>["dates"], { dates: quoted, years }: Found): MissingFigure[] {
  const isUsed = (date: DateReading): boolean =>
    dates.flat().some((one) => dateAgrees(one, [date], new Set(date.year === undefined ? [] : [date.year])));
  return dates
    .filter((readings) => !readings.some((reading) => dateAgrees(reading, quoted, years)))
    .map((readings): MissingFigure => {
      const isOfOtherYear = readings.length === 1 && quoted.some((date) => differsInYear(readings[0], date) && !isUsed(date));
      return { kind: "date", text: readings[0]?.text ?? "", reason: isOfOtherYear ? "date_contradicted" : "date_not_in_quote" };
    });
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
