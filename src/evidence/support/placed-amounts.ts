import { CELL_SEPARATOR } from "../../domain/blocks.ts";
import { type Amount, readAmounts } from "../figures/amounts.ts";
import { readDates } from "../figures/dates.ts";
import { plainText } from "../figures/plain-text.ts";
import { type QuotedPlace, readPlace } from "./quote-texts.ts";

/** An amount with what the words around it, or its table, say of it. */
export interface PlacedAmount {
  readonly amount: Amount;
  /** The years that it may be of, `not 2023` beside the amount of that year; null if none is sure. */
  readonly years: readonly string[] | null;
  /** Whether the year stands beside it, and not only in its clause. */
  readonly isDirect: boolean;
  /** The head of its column and the label of its row, in a table. */
  readonly cell?: { readonly head: string; readonly label: string };
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
/** In UTF-16 code units. No years are searched in a longer text. */
const MAX_LENGTH = 4_000;

export function yearsIn(text: string): string[] {
  return [...new Set(plainText(text, false).match(YEAR))];
}

/** Reads the amounts of a sentence, which is a row if `head` is given. The only year of a sentence is that of its only amount. */
export function amountsInClaim(text: string, head: readonly string[] | undefined): PlacedAmount[] {
  if (head === undefined) return amountsIn(text, true);
  const [label = "", ...cells] = text.split(CELL_SEPARATOR);
  return cells.flatMap((cell, i) => amountsInCell(cell, { head: head[i + 1] ?? "", label }));
}

/** Reads the amounts of a quote. Those of a row of a table get the units of their columns. */
export function amountsInQuote(place: QuotedPlace): PlacedAmount[] {
  const { rows, text: quote } = readPlace(place);
  if (rows.length === 0) return amountsIn(quote, false);
  return rows.flatMap(({ label, cells, head, at }) =>
    cells.flatMap((text, i) => (i === at ? [] : amountsInCell(text, { head: head[i] ?? "", label }))),
  );
}

function amountsInCell(text: string, cell: { readonly head: string; readonly label: string }): PlacedAmount[] {
  if (!/\d/.test(text)) return [];
  const years = yearsIn(`${cell.head} | ${cell.label}`);
  return amountsIn(text, false).map((one) => ({ ...one, years: one.years ?? (years.length > 0 ? years : null), isDirect: true, cell }));
}

function amountsIn(text: string, isClaim: boolean): PlacedAmount[] {
  const plain = plainText(text, !isClaim);
  const amounts = readAmounts(readDates(plain).rest, !isClaim).filter(
    ({ text: own, units }) => units.length > 0 || !/^(?:19|20)\d\d$/.test(own),
  );
  if (text.length > MAX_LENGTH || IN_TURN.test(text)) return amounts.map((amount) => ({ amount, years: null, isDirect: false }));
  const years = [...plain.matchAll(YEAR)].filter(({ index }) => !amounts.some(({ start, end }) => start <= index && index < end));
  const ends = isClaim ? [] : Array.from(plain.matchAll(CLAUSE_END), ({ index }) => index);
  const yearOf = ({ start, end }: Amount): string | null => {
    if (OTHER_TIME.test(plain.slice(Math.max(0, start - 16), start))) return null;
    const clause = { start: ends.findLast((one) => one <= start) ?? 0, end: ends.find((one) => one >= end) ?? plain.length };
    const found = years.filter(({ index }) => index >= clause.start && index < clause.end);
    const isAlone = amounts.every((one) => (one.start === start && one.end === end) || one.end <= clause.start || one.start >= clause.end);
    return isAlone && found.length === 1 ? (found[0]?.[0] ?? null) : null;
  };
  return amounts.map((amount) => {
    const behind = plain.slice(amount.end, amount.end + 60);
    const direct = BEHIND.exec(behind)?.[1] ?? BEFORE.exec(plain.slice(Math.max(0, amount.start - 16), amount.start))?.[1];
    if (direct !== undefined) return { amount, years: [direct], isDirect: true };
    const other = OF_OTHER.exec(behind)?.[1];
    if (other !== undefined) return { amount, years: isClaim ? null : [`not ${other}`], isDirect: true };
    const year = yearOf(amount);
    return { amount, years: year === null ? null : [year], isDirect: false };
  });
}
