import type { Amount } from "./amounts.ts";
import { isPlain, isShare, type Measure, mixesMoney } from "./units.ts";

/** An exact fraction. A product of two measures, such as a conversion, may have either of them. */
export interface Quantity {
  readonly num: bigint;
  readonly den: bigint;
  readonly measures: readonly Measure[];
  /** The measure of both parts of a quotient; null if it is none. */
  readonly ratioOf: Measure | null;
}

const PLAIN: Measure = { unit: null, currencies: null };
const POINTS: Measure = { unit: { kind: "points", factor: 100n }, currencies: null };
/** A share of one is 10,000 basis points, the unit of percent and points. */
const ONE = 10_000n;
const ABOUT_DIVISOR = 20n;
const NEAR_DIVISOR = 33n;

export function quantityOf({ digits, exponent, unit, currencies }: Amount): Quantity {
  const [up, down] = [10n ** BigInt(Math.max(0, exponent)), 10n ** BigInt(Math.max(0, -exponent))];
  return { num: digits * up, den: down, measures: [{ unit, currencies }], ratioOf: null };
}

/** Reads 25% as 0.25, and 0.25 as a share. */
export function fractionOf(amount: Amount): Quantity {
  const value = quantityOf(amount);
  if (!isShare(amount)) return { ...value, measures: [], ratioOf: PLAIN };
  return { ...value, num: value.num * factorOf(amount), den: value.den * ONE, measures: [PLAIN] };
}

const factorOf = ({ unit }: Measure): bigint => unit?.factor ?? 1n;
const measureOf = ({ measures }: Quantity): Measure => measures[0] ?? PLAIN;
/** How many of its unit make up one: 100 for percent. */
const wholeOf = (measure: Measure): bigint => (isShare(measure) ? ONE / factorOf(measure) : 1n);

function isComparable(a: Measure, b: Measure): boolean {
  if (isShare(a) || isShare(b)) return isShare(a) && isShare(b);
  if (a.unit?.kind !== b.unit?.kind) return false;
  if (a.currencies === null || b.currencies === null) return a.currencies === b.currencies;
  return mayBeSame(a.currencies, b.currencies);
}

/** Whether two signs mean the same: the first meaning of one, its usual one, is a meaning of the other. So `$` is not 元, and HK$ is. */
function mayBeSame(one: readonly string[], other: readonly string[]): boolean {
  return one.includes(other[0] ?? "") || other.includes(one[0] ?? "");
}

/** Money and money make money, share minus share makes points. Returns null for measures that cannot be added. */
export function sum(a: Quantity, b: Quantity, sign: 1n | -1n): Quantity | null {
  const [one, two] = [measureOf(a), measureOf(b)];
  if (!isComparable(one, two)) return null;
  const [left, right] = [a.num * factorOf(one) * b.den, b.num * factorOf(two) * a.den];
  const isChange = sign < 0n && one.unit?.kind === "percent" && two.unit?.kind === "percent" && left !== ONE * a.den * b.den;
  const measure = isChange ? POINTS : one;
  return { num: left + sign * right, den: a.den * b.den * factorOf(measure), measures: [measure], ratioOf: a.ratioOf ?? b.ratioOf };
}

export function product(a: Quantity, b: Quantity): Quantity {
  const [first = PLAIN, second] = [a, b].map(measureOf).filter(isShare);
  const measures = [...a.measures, ...b.measures].filter((measure) => !isPlain(measure) && !isShare(measure));
  const all = measures.length > 0 ? measures : [second === undefined ? PLAIN : first];
  return { num: a.num * b.num, den: a.den * b.den * wholeOf(second ?? first), measures: all, ratioOf: null };
}

/** Returns null for a division by zero, and for one of a number without unit by an amount with one. */
export function quotient(a: Quantity, b: Quantity): Quantity | null {
  if (b.num === 0n) return null;
  const [one, two] = [measureOf(a), measureOf(b)];
  if (isComparable(one, two))
    return { num: a.num * b.den * factorOf(one), den: a.den * b.num * factorOf(two), measures: [PLAIN], ratioOf: one };
  if (isPlain(one) && !isShare(two)) return null;
  return { num: a.num * b.den * wholeOf(two), den: a.den * b.num, measures: a.measures, ratioOf: null };
}

/**
 * Whether an amount of a sentence is the quantity, rounded as the amount is written. Signs are not compared. If it is quoted, an amount of
 * one digit without "about" stands only for a near one: 5 billion for 4.9, not for 5.2 billion.
 */
export function statesQuantity(amount: Amount, { num, den, measures, ratioOf }: Quantity, isQuoted = false): boolean {
  const { currencies } = amount;
  const unit = amount.unit?.kind === "times" ? null : amount.unit;
  const isSize = (factor: bigint, own: bigint): boolean => {
    const step = 10n ** BigInt(Math.max(0, amount.exponent)) * own * distance(den, 0n);
    const actual = 10n ** BigInt(Math.max(0, -amount.exponent)) * factor * distance(num, 0n);
    return isRounded(amount, step, actual, isQuoted);
  };
  if (ratioOf !== null) {
    if (unit?.kind === "percent") return isSize(ONE, unit.factor);
    // A sum of money divided by an exchange rate is money of another currency.
    const isConverted = currencies === null || (ratioOf.currencies !== null && !mayBeSame(currencies, ratioOf.currencies));
    return unit === null && isConverted && isSize(1n, 1n);
  }
  return measures.some((measure) => {
    if (isShare(measure)) return unit?.kind === measure.unit?.kind && isSize(factorOf(measure), factorOf(amount));
    if (isShare(amount) || mixesMoney(amount, measure)) return false;
    if (currencies !== null && measure.currencies !== null && !mayBeSame(currencies, measure.currencies)) return false;
    // The quote or the sentence may leave out the unit.
    if (unit === null || measure.unit === null) return isSize(1n, 1n);
    return unit.kind === measure.unit.kind && isSize(factorOf(measure), factorOf(amount));
  });
}

/** `step` is the size of one in the last digit of the amount. */
function isRounded({ digits, hedge }: Amount, step: bigint, actual: bigint, isQuoted: boolean): boolean {
  const claimed = digits * step;
  const gap = distance(claimed, actual);
  if (claimed === 0n || actual === 0n) return gap === 0n;
  if (isQuoted && digits < 10n && hedge === "none" && gap * NEAR_DIVISOR > actual) return false;
  if (2n * gap <= step) return true;
  if (hedge === "none" || gap * ABOUT_DIVISOR > actual) return false;
  const wide = step * 10n ** BigInt(/0*$/.exec(String(digits))?.[0].length ?? 0);
  return hedge === "about" ? 2n * gap <= wide : (hedge === "above") === actual > claimed && gap < wide;
}

function distance(a: bigint, b: bigint): bigint {
  return a > b ? a - b : b - a;
}

/** Whether the operands had no unit, so that the quantity cannot show an amount with a unit to be false. */
export function isUnitless({ measures, ratioOf }: Quantity): boolean {
  return ratioOf === null && measures.every(isPlain);
}
