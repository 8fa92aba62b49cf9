import { ONE, type Quantity } from "../figures/quantities.ts";
import { isComparable, isShare, type Unit } from "../figures/units.ts";

const POINTS: Unit = { kind: "points", factor: 100n, codes: [] };
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
