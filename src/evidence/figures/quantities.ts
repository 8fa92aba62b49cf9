import { type Amount, boundOf } from "./amounts.ts";
import { isComparable, isShare, type Unit } from "./units.ts";

/** An exact fraction. `units` are what it may be measured in, none for a plain number. A ratio may be told as a plain number or in percent. */
export interface Quantity {
  readonly num: bigint;
  readonly den: bigint;
  readonly units: readonly Unit[];
  readonly isRatio: boolean;
}

/** A share of one is 10,000 basis points, the unit of percent and points. */
export const ONE = 10_000n;
/** "About" may differ by a twentieth, "more than" by a quarter, and a figure of one digit by a 33rd. */
const [ABOUT, BOUND, SINGLE_DIGIT] = [20n, 4n, 33n];

export function quantityOf({ digits, exponent, units }: Amount): Quantity {
  return { num: digits * 10n ** BigInt(Math.max(0, exponent)), den: 10n ** BigInt(Math.max(0, -exponent)), units, isRatio: false };
}

/** Whether an amount states a quantity, maybe rounded, in another unit or, unless it is a share, without. Only a quoted one may lack the unit. */
export function statesQuantity(amount: Amount, { num, den, units, isRatio }: Quantity, isQuoted = false): boolean {
  const owns = amount.units.filter(({ kind }) => kind !== "times");
  const isSize = (factor: bigint, own: bigint): boolean => {
    const step = 10n ** BigInt(Math.max(0, amount.exponent)) * own * magnitude(den);
    return isRounded(amount, step, 10n ** BigInt(Math.max(0, -amount.exponent)) * factor * magnitude(num), isQuoted);
  };
  if (isRatio) return owns.length === 0 ? isSize(1n, 1n) : owns.some(({ kind, factor }) => kind === "percent" && isSize(ONE, factor));
  if (owns.length === 0 || units.length === 0)
    return (isQuoted || owns.length === 0) && !owns.some(isShare) && !units.some(isShare) && isSize(1n, 1n);
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

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);
