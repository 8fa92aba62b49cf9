import { type Amount, readAmounts, sideOf } from "../figures/amounts.ts";
import { isSameAmount } from "../figures/compare-amounts.ts";
import { plainText } from "../figures/plain-text.ts";
import { type Quantity, quantityOf } from "../figures/quantities.ts";
import { isShare, type Unit } from "../figures/units.ts";
import { product, quotient, sum } from "./arithmetic.ts";

/** Either `value` or `fault` is null. `words` is what the fault is about. */
interface Evaluated {
  readonly value: Quantity | null;
  readonly fault: "expression_not_understood" | "operand_not_in_quote" | null;
  readonly words: string;
}

interface Term {
  readonly value: Quantity;
  /** The number of terms of a sum, otherwise 1. */
  readonly terms: number;
  /** A number that no quote has: 1 stands beside a share or a ratio, 12 in a product, and 100 in "times 100", which makes percent of a ratio. */
  readonly constant?: "1" | "12" | "100" | undefined;
  readonly isYear?: boolean;
}

/** The operators of sums and of products. */
const LEVELS = [/^\s*([-+])/, /^\s*([*/×÷·])/];
/** An operator stands before an operand, so the slash of "km/h" is none. */
const OPERAND = /^\s*(-?[^()\d]{0,8}\d[^()]*?)(?=\s*(?:[-+*/×÷·]\s*(?:\(|[^\s()+*/\d-]{0,8}\s?\d)|\)|$))/;
const MAX_LENGTH = 300;
const MAX_DEPTH = 20;
const YEAR = /^(?:19|20)\d\d$/;
const YEARS: Unit = { kind: "months", factor: 12n, codes: [] };

/**
 * Evaluates a calculation such as `($5.2 billion - $4.68 billion) / $4.68 billion` with exact fractions. Each operand must be an amount of
 * the quotes; of a range, both ends. Other operands: 1 beside a share or ratio, "times 100", 100%, 12 in a product,
 * and the number of terms that a sum is divided by.
 */
export function evaluate(expression: string, quoted: readonly Amount[]): Evaluated {
  let [rest = ""] = plainText(expression.slice(0, MAX_LENGTH), true).split("=", 1);
  let operations = 0;
  let unknown: string | undefined;
  const used: Amount[] = [];
  const take = (pattern: RegExp): string | null => {
    const match = pattern.exec(rest);
    rest = rest.slice(match?.[0].length ?? 0);
    return match?.[1] ?? null;
  };

  /** Reads a sum at level 0, a product at level 1 and an operand at level 2. An operand may be the number of `terms` before it. */
  const read = (level: number, terms: number, depth: number): Term | null => {
    const signs = LEVELS[level];
    if (signs === undefined) return take(/^\s*(\()/) === null ? readOperand(terms) : readBrackets(depth);
    let left = read(level + 1, 0, depth);
    for (let sign = take(signs); left !== null && sign !== null; sign = take(signs)) {
      const right = read(level + 1, "/÷".includes(sign) ? left.terms : 0, depth);
      if (right !== null) unknown ??= loneConstant(left, sign, right);
      left = right && calculate(left, sign, right);
      operations++;
    }
    return left;
  };
  const readBrackets = (depth: number): Term | null => {
    const inside = depth < MAX_DEPTH ? read(0, 0, depth + 1) : null;
    return take(/^\s*(\))/) === null ? null : inside;
  };
  const readOperand = (terms: number): Term | null => {
    const written = take(OPERAND);
    const [own] = readAmounts(written?.replace(/^-/, "") ?? "", false);
    if (written === null || own === undefined) return null;
    const mayBeConstant = isConstant(own, terms);
    const isDivisor = mayBeConstant && terms > 1 && own.digits === BigInt(terms);
    const found = isDivisor ? undefined : findAmount(own, quoted);
    if (found !== undefined) used.push(found);
    else if (!mayBeConstant) unknown ??= written.trim();
    const value = quantityOf(found ?? own);
    return {
      value: written.startsWith("-") ? { ...value, num: -value.num } : value,
      terms: 1,
      constant: found === undefined && !isDivisor ? (own.digits === 1n ? "1" : own.digits === 12n ? "12" : "100") : undefined,
      isYear: YEAR.test(own.text),
    };
  };

  const value = read(0, 0, 0)?.value ?? null;
  const isOtherEnd = (one: Amount, other: Amount): boolean => one.reach.start === other.reach.start && sideOf(one) !== sideOf(other);
  const end = used.find((one) => sideOf(one) !== null && !used.some((other) => isOtherEnd(one, other)));
  const words = unknown ?? end?.text;
  if (words !== undefined) return { value: null, fault: "operand_not_in_quote", words };
  if (value === null || operations === 0 || used.length === 0 || rest.trim() !== "")
    return { value: null, fault: "expression_not_understood", words: expression };
  return { value, fault: null, words: "" };
}

/** A constant in a place where it says nothing. */
function loneConstant(left: Term, sign: string, right: Term): string | undefined {
  if ("+-".includes(sign)) {
    const isLone = (one: Term, { value }: Term): boolean => one.constant !== undefined && !value.isRatio && !value.units.some(isShare);
    return isLone(left, right) ? left.constant : isLone(right, left) ? right.constant : undefined;
  }
  return [left, right].find(({ constant }) => constant === "1" || (constant === "100" && "/÷".includes(sign)))?.constant;
}

function calculate(left: Term, sign: string, right: Term): Term | null {
  const [a, b] = [left.value, right.value];
  if (sign === "+" || sign === "-") {
    const value = sum(a, b, sign === "+" ? 1n : -1n);
    const units = sign === "-" && left.isYear && right.isYear ? [YEARS] : value?.units;
    if (value === null || units === undefined) return null;
    return { value: { ...value, units }, terms: sign === "+" ? left.terms + 1 : 1 };
  }
  const value = "/÷".includes(sign) ? quotient(a, b) : (timesConstant(a, right) ?? timesConstant(b, left) ?? product(a, b));
  return value && { value, terms: 1 };
}

/** A share times 12 is a share. */
function timesConstant(value: Quantity, { constant }: Term): Quantity | undefined {
  if (constant === "100") return value;
  return constant === "12" ? { ...value, num: value.num * 12n } : undefined;
}

/** Finds an amount of the quotes, best one that is a fact. An operand without unit takes the scale and the unit of the quote. */
function findAmount(own: Amount, quoted: readonly Amount[]): Amount | undefined {
  const isBare = own.units.length === 0 && own.scale === 0;
  const found = quoted.filter((quote) => isSameAmount(own, quote) || (isBare && own.numeral === quote.numeral));
  const facts = found.filter((quote) => sideOf(quote) === null);
  const known = facts.length > 0 ? facts : found;
  return known.find(({ scale }) => scale > 0) ?? known[0];
}

function isConstant({ digits, exponent, units: [unit] }: Amount, terms: number): boolean {
  if (exponent !== 0) return false;
  if (unit !== undefined) return unit.kind === "percent" && unit.factor * digits === 10_000n;
  return digits === 1n || digits === 12n || digits === 100n || (terms > 1 && digits === BigInt(terms));
}
