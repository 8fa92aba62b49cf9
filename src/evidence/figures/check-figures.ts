import { type Amount, readAmounts } from "./amounts.ts";
import { amountAgrees, type Contradiction, contradiction } from "./compare-amounts.ts";
import { type DateReading, dateAgrees, differsInYear, readDates } from "./dates.ts";
import { plainText } from "./plain-text.ts";
import { isShare, mentions, mentionsRate } from "./units.ts";

export interface MissingFigure {
  readonly kind: "number" | "date";
  readonly text: string;
  readonly reason: Contradiction | "amount_not_in_quote" | "date_not_in_quote" | "too_long";
}

/** In UTF-16 code units. A longer sentence counts as one missing figure. */
const MAX_LENGTH = 4_000;
const MOST_AMOUNTS = 2_000;
/** Quotes and names that sentences are compared with. Read once for many sentences. */
export type Sources = ReturnType<typeof readSources>;
export function readSources(quotes: readonly string[], known: readonly string[]) {
  const [quoted = "", knownText = ""] = [quotes, known].map((texts) => texts.map((text) => plainText(text, true)).join("\n"));
  const read = readDates(quoted);
  const dates = read.dates.flat();
  const amounts = [...readAmounts(read.rest, true), ...readAmounts(quoted, true)].slice(0, MOST_AMOUNTS);
  const years = new Set([...dates.flatMap((date) => date.years ?? []), ...amounts.filter(mayBeYear).map(({ digits }) => Number(digits))]);
  return { quotes, plain: quoted, knownText, amounts, dates, years };
}

function mayBeYear(amount: Amount): boolean {
  const isFact = amount.hedge === "none" || amount.hedge === "about";
  return isFact && amount.units.length === 0 && /^(?:1\d|2[01])\d\d$/.test(amount.text);
}

/**
 * Returns the numbers and dates that no quote contains. The sentence may round numbers, convert units and use names such as
 * "Boeing 737" from `known`. Minus signs and words such as "fell" are not compared.
 */
export function missingFigures(sentence: string, quotes: readonly string[], known: readonly string[]): MissingFigure[] {
  return missingIn(sentence, readSources(quotes, known));
}

/** Like `missingFigures`. `holds` may accept amounts that no quote has. */
export function missingIn(sentence: string, sources: Sources, holds: (amount: Amount) => boolean = () => false): MissingFigure[] {
  if (sources.quotes.includes(sentence)) return [];
  if (sentence.length > MAX_LENGTH) return [{ kind: "number", text: `${sentence.slice(0, 40)}…`, reason: "too_long" }];
  const { dates, amounts } = readFigures(sentence);
  const missing = [...missingDates(dates, sources), ...missingAmounts(amounts, sources, holds)];
  return [...new Map(missing.map((one) => [`${one.kind} ${one.text}`, one])).values()];
}

/** A name such as GPT-4, which is compared as one. */
const NAME = /(?<![\p{L}\p{N}])(?=\p{sc=Latin}*\p{Lu})\p{sc=Latin}+-\d[\p{sc=Latin}\d]*/gu;

function readFigures(sentence: string) {
  const { dates, rest } = readDates(plainText(sentence, false));
  return {
    dates,
    amounts: readAmounts(
      rest.replaceAll(NAME, ({ length }) => " ".repeat(length)),
      false,
    ),
  };
}

/** Whether a sentence has a number or a date. */
export function hasFigures(sentence: string): boolean {
  const { dates, amounts } = readFigures(sentence);
  return dates.length + amounts.length > 0;
}

/** The amounts of a sentence, without dates, years and names such as "Boeing 737". */
export function amountsOf(sentence: string): Amount[] {
  if (sentence.length > MAX_LENGTH) return [];
  return readFigures(sentence).amounts.filter((amount) => !mayBeYear(amount));
}

/** All amounts of a text, also those that may only be words, such as "half of". */
export function possibleAmounts(text: string): Amount[] {
  return readSources([text], []).amounts;
}

function missingAmounts(all: readonly Amount[], sources: Sources, isResult: (amount: Amount) => boolean): MissingFigure[] {
  // In "from $5 per ton to $6" both are rates.
  const rated = (amount: Amount, { per }: Amount): Amount =>
    amount.per === null && all.some((one) => one.per === per) ? { ...amount, per } : amount;
  // Shares and multiples need no unit in the quote.
  const mayLack = ({ units: [unit, ...more] }: Amount): boolean =>
    unit === undefined || isShare(unit) || unit.kind === "times" || mentions(sources.plain, [unit, ...more]);
  const isQuoted = (amount: Amount): boolean =>
    (mayBeYear(amount) && sources.years.has(Number(amount.digits))) ||
    sources.amounts.some(
      (quote) =>
        amountAgrees(rated(amount, quote), quote) &&
        (quote.units.length > 0 || mayLack(amount)) &&
        (quote.per !== null || amount.per === null || mentionsRate(sources.plain)),
    );
  return all
    .filter((amount) => !isNamed(amount, sources.knownText) && !isQuoted(amount) && !isResult(amount))
    .map((amount) => {
      const absent = mayBeYear(amount) && amount.digits >= 1_900n ? "date_not_in_quote" : "amount_not_in_quote";
      return { kind: "number", text: amount.text, reason: contradictionIn(amount, sources.amounts, all) ?? absent };
    });
}

/** Whether a number belongs to a name, such as the 737 of "Boeing 737". */
function isNamed({ text, before }: Amount, known: string): boolean {
  const word = /^\d{1,4}$/.test(text) ? /(\p{Lu}[\p{L}-]*) $/u.exec(before)?.[1] : undefined;
  return word !== undefined && new RegExp(String.raw`${word} ${text}(?!\d)`, "u").test(known);
}

/** An amount of a quote contradicts one of the sentence only if the sentence does not state it elsewhere. */
function contradictionIn(amount: Amount, quoted: readonly Amount[], all: readonly Amount[]): Contradiction | null {
  for (const quote of quoted) {
    const why = contradiction(amount, quote);
    if (why !== null && (why === "end_of_range" || !all.some((one) => amountAgrees(one, quote)))) return why;
  }
  return null;
}

function missingDates(dates: readonly (readonly DateReading[])[], { dates: quoted, years }: Sources): MissingFigure[] {
  const isUsed = (date: DateReading): boolean => dates.flat().some((one) => dateAgrees(one, [date]));
  return dates
    .filter((readings) => !readings.some((reading) => dateAgrees(reading, quoted, years)))
    .map(([one, ...others]) => {
      const isOfOtherYear = others.length === 0 && quoted.some((date) => differsInYear(one, date) && !isUsed(date));
      return { kind: "date", text: one?.text ?? "", reason: isOfOtherYear ? "date_contradicted" : "date_not_in_quote" };
    });
}
