import { readNamedNumbers, spellingsOf } from "../named-numbers.ts";
import { type Amount, readAmounts, type SharedUnit, sharedUnits } from "./amounts.ts";
import { amountAgrees, type Contradiction, contradiction } from "./compare-amounts.ts";
import { type DateReading, dateAgrees, differsInYear, readDates } from "./dates.ts";
import { plainText } from "./plain-text.ts";
import { isComparable, isShare, mentions, mentionsRate } from "./units.ts";

export interface MissingFigure {
  readonly kind: "number" | "date" | "name";
  readonly text: string;
  readonly reason: Contradiction | "amount_not_in_quote" | "date_not_in_quote" | "name_not_in_source" | "too_long";
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
  return { quotes, plain: quoted, knownText, amounts, shared: sharedUnits(quoted, amounts), dates, years };
}

function mayBeYear(amount: Amount): boolean {
  const isFact = amount.hedge === "none" || amount.hedge === "about";
  return isFact && amount.units.length === 0 && /^(?:1\d|2[01])\d\d$/.test(amount.text);
}

/**
 * Returns the numbers, dates and names with digits that no quote contains. The sentence may round numbers, convert units and use names
 * from `known`. Minus signs and words such as "fell" are not compared.
 */
export function missingFigures(sentence: string, quotes: readonly string[], known: readonly string[]): MissingFigure[] {
  return missingIn(sentence, readSources(quotes, known));
}

/** Like `missingFigures`. `holds` may accept amounts that no quote has. */
export function missingIn(sentence: string, sources: Sources, holds: (amount: Amount) => boolean = () => false): MissingFigure[] {
  if (sources.quotes.includes(sentence)) return [];
  if (sentence.length > MAX_LENGTH) return [{ kind: "number", text: `${sentence.slice(0, 40)}…`, reason: "too_long" }];
  const { dates, names, amounts, shared } = readFigures(sentence);
  const unknown = names.filter((name) => !spellingsOf(name).test(`${sources.plain}\n${sources.knownText}`));
  const missing: MissingFigure[] = [
    ...missingDates(dates, sources),
    ...missingAmounts(amounts, shared, sources, holds),
    ...unknown.map((text) => ({ kind: "name", text, reason: "name_not_in_source" }) as const),
  ];
  return [...new Map(missing.map((one) => [`${one.kind} ${one.text}`, one])).values()];
}

function readFigures(sentence: string) {
  const { dates, rest } = readDates(plainText(sentence, false));
  const named = readNamedNumbers(rest);
  const amounts = readAmounts(named.rest, false);
  return { dates, names: named.names, amounts, shared: sharedUnits(named.rest, amounts) };
}

/** Whether a sentence has a number, a date or a name with digits. */
export function hasFigures(sentence: string): boolean {
  const { dates, names, amounts } = readFigures(sentence);
  return dates.length + names.length + amounts.length > 0;
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

function missingAmounts(
  all: readonly Amount[],
  shared: readonly SharedUnit[],
  sources: Sources,
  isResult: (amount: Amount) => boolean,
): MissingFigure[] {
  // In "from $5 per ton to $6" both are rates.
  const rated = (amount: Amount, { per }: Amount): Amount =>
    amount.per === null && all.some((one) => one.per === per) ? { ...amount, per } : amount;
  // Shares and multiples need no unit in the quote. "5, 6 and 7 kg" says nothing of 5 g.
  const mayLack = (amount: Amount, quote: Amount): boolean => {
    const [unit] = amount.units;
    if (unit === undefined) return true;
    const lent = sources.shared.filter((one) => one.amount === quote && one.lender.units.some((own) => isComparable(own, unit)));
    if (lent.length > 0) return lent.some(({ as }) => amountAgrees(amount, as));
    return isShare(unit) || unit.kind === "times" || mentions(sources.plain, amount.units);
  };
  const isQuoted = (amount: Amount): boolean =>
    (mayBeYear(amount) && sources.years.has(Number(amount.digits))) ||
    sources.amounts.some(
      (quote) =>
        amountAgrees(rated(amount, quote), quote) &&
        (quote.units.length > 0 || mayLack(amount, quote)) &&
        (quote.per !== null || amount.per === null || mentionsRate(sources.plain, amount.per)),
    );
  // A unit that the quote shares counts only next to the amount that it is shared with.
  const isShared = (amount: Amount): boolean =>
    shared.some((one) => one.amount === amount && isQuoted(one.as)) ||
    sources.shared.some(({ as, lender }) => amountAgrees(amount, as) && all.some((one) => one !== amount && amountAgrees(one, lender)));
  return all
    .filter((amount) => !isNamed(amount, sources.knownText) && !isQuoted(amount) && !isShared(amount) && !isResult(amount))
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
