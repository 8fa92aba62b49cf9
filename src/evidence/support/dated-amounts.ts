import { CELL_SEPARATOR } from "../../domain/blocks.ts";
import { type Amount, readAmounts } from "../figures/amounts.ts";
import { amountAgrees, isSameAmount } from "../figures/compare-amounts.ts";
import { readDates } from "../figures/dates.ts";
import { plainText } from "../figures/plain-text.ts";
import { isComparable } from "../figures/units.ts";

/** An amount with the year that its text gives it, `not 2023` beside the amount of that year, null if nothing is sure. `isDirect`: the year stands beside it, not only in its clause. */
interface DatedAmount {
  readonly amount: Amount;
  readonly year: string | null;
  readonly isDirect: boolean;
}

export interface Misdated {
  readonly words: string;
  /** Whether the sentence is false, and not only another statement than the quotes. */
  readonly isFalse: boolean;
}

const YEAR = /(?<![\d.,])(?:19|20)\d\d(?![\d.,]?\d|-\d)/g;
const PERIOD = String.raw`(?:(?:Q[1-4]|\p{Lu}\p{Ll}{2,8}|(?:the )?\d(?:st|nd|rd|th) (?:quarter|half)),?(?: of)? )?`;
const BEHIND = new RegExp(
  String.raw`^ (?:in|for|during|at the end of) (?:the )?(?:(?:fiscal|financial|calendar) )?(?:year )?${PERIOD}(?:FY ?)?((?:19|20)\d\d)(?![\d.,]?\d)`,
  "u",
);
const BEFORE = /((?:19|20)\d\d) ?(?:财年|年度?)?(?:的|为|是|达|约|:)? ?(?:[$€£¥]|US\$)?$/;
/** "$5 million (2023: $4 million)". */
const OF_OTHER = /^ ?\(((?:19|20)\d\d) ?年? ?:/;
/** "Rose from 5": the amount of another time. */
const OTHER_TIME = /(?:\b(?:from|than|with|against|versus|over)|[由从自比较于]) ?(?:[$€£¥]|US\$)?$/i;
const CLAUSE_END = /(?<!\d),|,(?!\d{3}(?!\d))|[;()|\n:。]|\.(?!\d)/g;
/** These words give several amounts their years in turn. */
const IN_TURN = /respectively|分别|依次/i;
/** In UTF-16 code units. */
const MAX_LENGTH = 4_000;

/**
 * Returns an amount that a sentence gives another year than all its quotes do; null if there is none. Nothing is known of an amount that a
 * quote has without a sure year.
 */
export function misdatedInProse(text: string, head: readonly string[] | undefined, quotes: readonly string[]): Misdated | null {
  const stated = (head === undefined ? datedIn(text, true) : datedCells(text, head)).filter(({ year }) => year !== null);
  if (stated.length === 0) return null;
  const quoted = quotes.flatMap((quote) => datedIn(quote, false));
  for (const { amount, year, isDirect } of stated) {
    const agreeing = quoted.filter((one) => amountAgrees(amount, one.amount));
    if (agreeing.length === 0 || agreeing.some((one) => mayBeOf(one, year))) continue;
    const isSwapped = quoted.some((one) => one.year === year && isAlike(one.amount, amount));
    // A year that only stands in the clause may be when something was said or planned.
    return { words: `${amount.text} (${year})`, isFalse: isSwapped && isDirect && agreeing.every((one) => one.isDirect) };
  }
  return null;
}

function mayBeOf({ year: own }: DatedAmount, year: string | null): boolean {
  return own === null || own === year || (own.startsWith("not ") && own !== `not ${year}`);
}

/** Whether the quotes give all operands of a calculation only other years than those of the sentence. */
export function isOfOtherYear(text: string, operands: readonly Amount[], quotes: readonly string[]): boolean {
  const years = new Set(plainText(text, false).match(YEAR));
  if (years.size === 0) return false;
  const quoted = quotes.flatMap((quote) => datedIn(quote, false)).filter(({ year }) => year !== null);
  return operands.every((operand) => {
    const own = quoted.filter(({ amount }) => isSameAmount(operand, amount));
    return own.length > 0 && own.every((one) => !years.values().some((year) => mayBeOf(one, year)));
  });
}

function isAlike({ units: [one] }: Amount, { units: [two] }: Amount): boolean {
  return one === undefined || two === undefined ? one === two : isComparable(one, two);
}

/** Reads the amounts of a text. In a `claim` the only year is that of the only amount. */
function datedIn(text: string, isClaim: boolean): DatedAmount[] {
  if (text.length > MAX_LENGTH || IN_TURN.test(text)) return [];
  const plain = plainText(text, false);
  const amounts = readAmounts(readDates(plain).rest, false).filter((amount) => !isYear(amount));
  const counted = readAmounts(plain, false).filter((amount) => !isYear(amount) && !amount.units.some(({ kind }) => kind === "months"));
  const years = [...plain.matchAll(YEAR)].filter(({ index }) => !counted.some(({ start, end }) => start <= index && index < end));
  const ends = [0, ...Array.from(plain.matchAll(CLAUSE_END), ({ index }) => index), plain.length];
  return amounts.map((amount) => {
    const direct =
      BEHIND.exec(plain.slice(amount.end, amount.end + 60))?.[1] ??
      BEFORE.exec(plain.slice(Math.max(0, amount.start - 16), amount.start))?.[1];
    if (direct !== undefined) return { amount, year: direct, isDirect: true };
    const ofOther = OF_OTHER.exec(plain.slice(amount.end, amount.end + 16))?.[1];
    if (ofOther !== undefined) return { amount, year: isClaim ? null : `not ${ofOther}`, isDirect: true };
    const clause = isClaim ? { start: 0, end: plain.length } : clauseAround(amount, ends);
    return { amount, year: isOther(plain, amount) ? null : onlyYearIn(clause, amounts, years), isDirect: false };
  });
}

const isOther = (plain: string, { start }: Amount): boolean => OTHER_TIME.test(plain.slice(Math.max(0, start - 16), start));
const isYear = ({ text, units }: Amount): boolean => units.length === 0 && /^(?:19|20)\d\d$/.test(text);

function clauseAround({ start, end }: Amount, ends: readonly number[]): { readonly start: number; readonly end: number } {
  return { start: ends.findLast((one) => one <= start) ?? 0, end: ends.find((one) => one >= end) ?? Number.POSITIVE_INFINITY };
}

function onlyYearIn(
  { start, end }: { readonly start: number; readonly end: number },
  amounts: readonly Amount[],
  years: readonly RegExpExecArray[],
): string | null {
  const inside = amounts.filter((amount) => amount.start >= start && amount.end <= end);
  const found = years.filter(({ index }) => index >= start && index < end);
  return inside.length === 1 && found.length === 1 ? (found[0]?.[0] ?? null) : null;
}

/** The amounts of a row have the year in the head of their column, otherwise that of the row's label. */
function datedCells(text: string, head: readonly string[]): DatedAmount[] {
  const cells = text.split(CELL_SEPARATOR);
  return cells.slice(1).flatMap((cell, i) => {
    const years = new Set((head[i + 1] ?? "").match(YEAR) ?? (cells[0] ?? "").match(YEAR));
    const [year] = years.size === 1 ? years : [];
    return datedIn(cell, false).map((one) => ({ amount: one.amount, year: one.year ?? year ?? null, isDirect: true }));
  });
}
