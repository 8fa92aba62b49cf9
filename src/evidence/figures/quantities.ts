import type { Amount } from "./amounts.ts";
import { sizeAgrees } from "./compare-figures.ts";
import type { Unit } from "./units.ts";

interface Measure {
  readonly unit: Unit | null;
  readonly currencies: readonly string[] | null;
}

/** An exact fraction. A product of two measures, such as a conversion, may have either of them. */
export interface Quantity {
  readonly num: bigint;
  readonly den: bigint;
  readonly measures: readonly Measure[];
  /** Whether it is a quotient of two equal measures. `of` is their measure. */
  readonly ratioOf: Measure | null;
}

const PLAIN: Measure = { unit: null, currencies: null };
const POINTS: Measure = { unit: { kind: "points", factor: 100n }, currencies: null };
/** A share of one is 10,000 basis points, the unit of percent and points. */
const ONE = 10_000n;

export function quantityOf({ digits, exponent, unit, currencies }: Amount): Quantity {
  const [up, down] = [10n ** BigInt(Math.max(0, exponent)), 10n ** BigInt(Math.max(0, -exponent))];
  return { num: digits * up, den: down, measures: [{ unit, currencies }], ratioOf: null };
}

const isShare = ({ unit }: Measure): boolean => unit?.kind === "percent" || unit?.kind === "points";
const isPlain = ({ unit, currencies }: Measure): boolean => unit === null && currencies === null;
const factorOf = ({ unit }: Measure): bigint => unit?.factor ?? 1n;
const measureOf = ({ measures }: Quantity): Measure => measures[0] ?? PLAIN;

function isComparable(a: Measure, b: Measure): boolean {
  if (isShare(a) || isShare(b)) return isShare(a) && isShare(b);
  if (a.unit?.kind !== b.unit?.kind) return false;
  if (a.currencies === null || b.currencies === null) return a.currencies === b.currencies;
  return a.currencies.some((code) => b.currencies?.includes(code));
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
  const shares = [a, b].filter((one) => isShare(measureOf(one)));
  const scale = shares.reduce((size, one) => size * (ONE / factorOf(measureOf(one))), 1n);
  const measures = [...a.measures, ...b.measures].filter((measure) => !isPlain(measure) && !isShare(measure));
  const all = measures.length > 0 ? measures : shares.length === 2 ? a.measures : [PLAIN];
  return { num: a.num * b.num, den: a.den * b.den * (shares.length === 2 ? ONE / 100n : scale), measures: all, ratioOf: null };
}

/** Returns null for a division by zero, and for one of a number without unit by an amount with one. */
export function quotient(a: Quantity, b: Quantity): Quantity | null {
  if (b.num === 0n) return null;
  const [one, two] = [measureOf(a), measureOf(b)];
  if (isComparable(one, two))
    return { num: a.num * b.den * factorOf(one), den: a.den * b.num * factorOf(two), measures: [PLAIN], ratioOf: one };
  if (isPlain(one) && !isShare(two)) return null;
  const scale = isShare(two) ? ONE / factorOf(two) : 1n;
  return { num: a.num * b.den * scale, den: a.den * b.num, measures: a.measures, ratioOf: null };
}

/** Whether an amount of a sentence is the quantity, rounded as the amount is written. Signs are not compared. */
export function statesQuantity(amount: Amount, { num, den, measures, ratioOf }: Quantity): boolean {
  const size = (value: bigint): bigint => (value < 0n ? -value : value);
  const isSize = (factor: bigint, own: bigint): boolean => {
    const down = 10n ** BigInt(Math.max(0, -amount.exponent));
    const step = 10n ** BigInt(Math.max(0, amount.exponent)) * own * size(den);
    return sizeAgrees(amount, amount.digits * step, size(num) * factor * down, step);
  };
  const unit = amount.unit?.kind === "times" ? null : amount.unit;
  if (ratioOf !== null) {
    if (unit?.kind === "percent") return isSize(ONE, unit.factor);
    // A sum of money divided by an exchange rate is money of another currency.
    const isConverted = ratioOf.currencies !== null && !amount.currencies?.some((code) => ratioOf.currencies?.includes(code));
    return unit === null && (amount.currencies === null || isConverted) && isSize(1n, 1n);
  }
  return measures.some((measure) => {
    if (isShare(measure)) return unit?.kind === measure.unit?.kind && isSize(factorOf(measure), unit?.factor ?? 1n);
    // The quote or the sentence may leave out the unit.
    if (unit === null && (amount.currencies === null || isPlain(measure))) return isSize(1n, 1n);
    return isComparable({ unit, currencies: amount.currencies }, measure) && isSize(factorOf(measure), unit?.factor ?? 1n);
  });
}

/** Whether the operands had no unit, so that the quantity cannot show an amount with a unit to be false. */
export function isUnitless({ measures, ratioOf }: Quantity): boolean {
  return ratioOf === null && measures.every(isPlain);
}

/** Whether the amount would state the quantity if its percent were percentage points. */
export function statesPointsAsPercent(amount: Amount, value: Quantity): boolean {
  const isPoints = measureOf(value).unit?.kind === "points" && amount.unit?.kind === "percent";
  return isPoints && amount.unit !== null && statesQuantity({ ...amount, unit: { ...amount.unit, kind: "points" } }, value);
}
