import { type Amount, boundOf } from "./amounts.ts";
import { isComparable, isShare, type Unit } from "./units.ts";

/** An exact fraction. `units` are what it may be measured in, none for a plain number. A ratio may be told as a plain number or in percent. */
export interface Quantity {
  readonly num: bigint;
  readonly den: bigint;
  readonly units: readonly Unit[];
  readonly isRatio: boolean;
}

const POINTS: Unit = { kind: "points", factor: 100n, codes: [] };
/** A share of one is 10,000 basis points, the unit of percent and points. */
const ONE = 10_000n;
/** "About" may differ by a twentieth, "more than" by a quarter, and a figure of one digit by a 33rd. */
const [ABOUT, BOUND, SINGLE_DIGIT] = [20n, 4n, 33n];

export function quantityOf({ digits, exponent, units }: Amount): Quantity {
  return { num: digits * 10n ** BigInt(Math.max(0, exponent)), den: 10n ** BigInt(Math.max(0, -exponent)), units, isRatio: false };
}

const shareIn = ({ units }: Quantity): Unit | undefined => units.find(isShare);

/** Reads 25% as 0.25. */
function plainOf(value: Quantity): Quantity {
  const share = shareIn(value);
  return share === undefined ? value : { ...value, num: value.num * share.factor, den: value.den * ONE, units: [] };
}

/** The first units of two quantities that measure the same; null if there are none, undefined if both are plain numbers. */
function sharedUnits(a: Quantity, b: Quantity): readonly [Unit, Unit] | null | undefined {
  if (a.units.length + b.units.length === 0) return undefined;
  return a.units.flatMap((one) => b.units.filter((two) => isComparable(one, two)).map((two) => [one, two] as const))[0] ?? null;
}

/** Money and money make money, share minus share makes points. Returns null for what cannot be added. */
export function sum(a: Quantity, b: Quantity, sign: 1n | -1n): Quantity | null {
  // 1 + 8% is 1.08.
  if (a.units.length === 0 && shareIn(b) !== undefined && a.num === a.den) return sum(a, plainOf(b), sign);
  const shared = sharedUnits(a, b);
  if (shared === null) return null;
  const [one, two] = shared ?? [];
  const [left, right] = [a.num * (one?.factor ?? 1n) * b.den, b.num * (two?.factor ?? 1n) * a.den];
  const isChange = sign < 0n && one?.kind === "percent" && two?.kind === "percent" && left !== ONE * a.den * b.den;
  const unit = isChange ? POINTS : one;
  const units = unit === undefined ? [] : [unit];
  return { num: left + sign * right, den: a.den * b.den * (unit?.factor ?? 1n), units, isRatio: a.isRatio || b.isRatio };
}

/** A product of two measures, such as a conversion, may have either of their units. A share of an amount has that of the amount. */
export function product(a: Quantity, b: Quantity): Quantity {
  const [one, two] = shareIn(a) !== undefined && shareIn(b) === undefined ? [plainOf(a), b] : [a, plainOf(b)];
  return { num: one.num * two.num, den: one.den * two.den, units: [...one.units, ...two.units], isRatio: false };
}

/** Returns null for a division by zero, and for one of a number without unit by an amount with one. */
export function quotient(a: Quantity, b: Quantity): Quantity | null {
  if (b.num === 0n) return null;
  const shared = sharedUnits(a, b);
  if (shared !== null) {
    const [one, two] = [shared?.[0].factor ?? 1n, shared?.[1].factor ?? 1n];
    return { num: a.num * b.den * one, den: a.den * b.num * two, units: [], isRatio: true };
  }
  if (a.units.length === 0 && shareIn(b) === undefined) return null;
  const by = plainOf(b);
  return { num: a.num * by.den, den: a.den * by.num, units: a.units, isRatio: false };
}

/** Whether an amount states a quantity, maybe rounded and in another unit. One of them may leave out its unit, unless it is a share. */
export function statesQuantity(amount: Amount, { num, den, units, isRatio }: Quantity, isQuoted = false): boolean {
  const owns = amount.units.filter(({ kind }) => kind !== "times");
  const isSize = (factor: bigint, own: bigint): boolean => {
    const step = 10n ** BigInt(Math.max(0, amount.exponent)) * own * magnitude(den);
    return isRounded(amount, step, 10n ** BigInt(Math.max(0, -amount.exponent)) * factor * magnitude(num), isQuoted);
  };
  if (isRatio) return owns.length === 0 ? isSize(1n, 1n) : owns.some(({ kind, factor }) => kind === "percent" && isSize(ONE, factor));
  if (owns.length === 0 || units.length === 0) return !owns.some(isShare) && !units.some(isShare) && isSize(1n, 1n);
  return owns.some((own) =>
    units.some((unit) => isComparable(own, unit) && (!isShare(own) || own.kind === unit.kind) && isSize(unit.factor, own.factor)),
  );
}

/** `step` is the size of one in the last digit of the amount. */
function isRounded({ digits, hedge }: Amount, step: bigint, actual: bigint, isQuoted: boolean): boolean {
  const claimed = digits * step;
  const gap = magnitude(claimed - actual);
  if (claimed === 0n || actual === 0n) return gap === 0n;
  const bound = boundOf({ hedge });
  if (bound !== null) return gap === 0n ? hedge === bound : (bound === "low") === actual > claimed && gap * BOUND <= actual;
  if (isQuoted && digits < 10n && hedge === "none" && gap * SINGLE_DIGIT > actual) return false;
  const zeros = /0*$/.exec(String(digits))?.[0].length ?? 0;
  return 2n * gap <= step || (hedge === "about" && gap * ABOUT <= actual && 2n * gap <= step * 10n ** BigInt(zeros));
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}
