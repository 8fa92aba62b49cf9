import { splitSentences } from "../../ranking/sentences.ts";
import { type Amount, readAmounts, sideOf } from "../figures/amounts.ts";
import { amountAgrees } from "../figures/compare-amounts.ts";
import { plainText } from "../figures/plain-text.ts";
import { isComparable } from "../figures/units.ts";

/** A year, or what an amount is of a change: what it was before, what it is behind it, and by how much it changed. */
type Key = string;

interface BoundAmount {
  readonly amount: Amount;
  /** Null if the text says none beside the amount. */
  readonly year: Key | null;
  readonly role: Key | null;
  /** The years and roles that other amounts of its sentence have. */
  readonly others: readonly { readonly key: Key; readonly amount: Amount }[];
}

const YEAR = /(?<!\d)(?:19|20)\d\d(?!\d)/g;
const IS_YEAR = /^(?:19|20)\d\d ?年?$/;
/** "(2023: $5 million)". */
const IS_AHEAD = /^ ?年? ?[:：]/;
/** Between an amount and its year: "$5 million in fiscal 2024". */
const BEFORE_YEAR = /^ ?\(?(?:(?:in|for|during|of|at the end of) )?(?:the )?(?:(?:fiscal|financial|calendar|year|FY) ?)*$/i;
/** Between a year and its amount: "2023: $5 million", and in a clause "2023年公司收入为132亿元" or "In 2024 revenue was $5 million". */
const BEHIND_YEAR = /^[^,，;；.。()（）]{0,40}$/;
const ROLES: readonly (readonly [Key, RegExp])[] = [
  ["to", /(?:(?<!\bup )\bto|[至到]) ?$/i],
  ["from", /(?:\bfrom|[由从自]) ?$/i],
  ["by", /\bby ?$/i],
];
/** "Rose 3.5 percent to $27.2 billion", "上调25个基点至4.75%". */
const TO_NEXT = /^ ?(?:to|[至到]) ?$/i;
/** Further amounts of a text are not compared. */
const MAX_AMOUNTS = 60;

/**
 * Returns an amount of a sentence that its quotes have only with another year, or as another part of a change, while another amount has that of
 * the sentence there: of "fell from 6.1% to 4.8%" the 6.1% in "fell to 6.1%". Null if there is none. Amounts without year or part, in the
 * sentence or anywhere in the quotes, are not compared.
 */
export function misboundAmount(sentence: string, quotes: readonly string[]): string | null {
  const stated = boundIn(sentence, true).filter(({ year, role }) => year !== null || role !== null);
  if (stated.length === 0) return null;
  const quoted = quotes.flatMap((quote) => splitSentences(quote).flatMap(({ start, end }) => boundIn(quote.slice(start, end), false)));
  const found = stated.find((one) => (["year", "role"] as const).some((kind) => isMisbound(one, one[kind], kind, quoted)));
  return found === undefined ? null : found.amount.text;
}

function isMisbound({ amount }: BoundAmount, key: Key | null, kind: "year" | "role", quoted: readonly BoundAmount[]): boolean {
  if (key === null) return false;
  const same = quoted.filter((one) => amountAgrees(amount, one.amount));
  const isOther = (one: BoundAmount): boolean =>
    one[kind] !== key &&
    (kind === "year" || one.role !== null) &&
    one.others.some((other) => other.key === key && isAlike(amount, other.amount, kind) && !amountAgrees(amount, other.amount));
  return same.length > 0 && same.every(isOther);
}

/** A change may be told in another unit than what it changes, a year has amounts of one unit. */
function isAlike({ units: [one] }: Amount, { units: [two] }: Amount, kind: "year" | "role"): boolean {
  if (kind === "role") return true;
  return one === undefined || two === undefined ? one === two : isComparable(one, two);
}

/** @param isWhole whether the only year of a text with one amount is that of the amount, wherever it stands */
function boundIn(text: string, isWhole: boolean): BoundAmount[] {
  const plain = plainText(text, false);
  const amounts = readAmounts(plain, false)
    .filter((amount) => !IS_YEAR.test(amount.text) && sideOf(amount) === null)
    .slice(0, MAX_AMOUNTS);
  const years = [...plain.matchAll(YEAR)].filter(({ index }) => !amounts.some(({ start, end }) => index >= start && index < end));
  const yearOf = (amount: Amount): Key | null => {
    const [behind] = years.filter(({ index }) => index >= amount.end);
    if (behind !== undefined && isOf(amount, behind.index)) return behind[0];
    const before = years.findLast(({ index }) => index < amount.start);
    const from = before === undefined ? 0 : before.index + before[0].length;
    const isFree = !amounts.some(({ start }) => start >= from && start < amount.start) && !isTaken(before?.index ?? 0);
    return before !== undefined && isFree && BEHIND_YEAR.test(plain.slice(from, amount.start)) ? before[0] : null;
  };
  /** Whether a year at an offset belongs to the amount before it. */
  const isOf = ({ end }: Amount, at: number): boolean =>
    end <= at && BEFORE_YEAR.test(plain.slice(end, at)) && !IS_AHEAD.test(plain.slice(at + 4, at + 8));
  const isTaken = (at: number): boolean => amounts.some((amount) => isOf(amount, at));
  const bound = amounts.map((amount, i) => {
    const next = amounts[i + 1];
    const role = ROLES.find(([, words]) => words.test(plain.slice(0, amount.start)))?.[0] ?? null;
    const isChange = role === null && next !== undefined && TO_NEXT.test(plain.slice(amount.end, next.start));
    const only = isWhole && amounts.length === 1 && years.length === 1 ? (years[0]?.[0] ?? null) : null;
    return { amount, year: yearOf(amount) ?? only, role: isChange ? "by" : role };
  });
  return bound.map((one) => {
    const others = bound
      .filter((other) => other !== one)
      .flatMap(({ amount, year, role }) => [year, role].flatMap((key) => (key === null ? [] : [{ key, amount }])));
    return { ...one, others };
  });
}
