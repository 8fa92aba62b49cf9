import { type Amount, readAmounts, sideOf } from "./amounts.ts";
import { isSameAmount } from "./compare-amounts.ts";
import { plainText } from "./plain-text.ts";
import { product, type Quantity, quantityOf, quotient, sum } from "./quantities.ts";

type Evaluated =
  | { readonly value: Quantity; readonly operands: number; readonly fault: null }
  | { readonly value: null; readonly fault: "expression_not_understood" | "operand_not_in_quote"; readonly words: string };

/** `terms` is the number of terms of a sum, otherwise 1. `isWhole` is true for the 100 of "times 100", which only makes percent of a share. */
interface Term {
  readonly isWhole?: boolean;
  readonly value: Quantity;
  readonly terms: number;
}

/** The operators of sums and of products. */
const LEVELS = [/^\s*([-+])/, /^\s*([*/×÷·])/];
/** An operator stands before an operand, so the slash of "km/h" is none. */
const OPERAND = /^\s*(-?[^()\d]{0,8}\d[^()]*?)(?=\s*(?:[-+*/×÷·]\s*(?:\(|[^\s()+*/\d-]{0,8}\s?\d)|\)|$))/;
const MAX_LENGTH = 300;
const MAX_DEPTH = 20;

/**
 * Evaluates a calculation such as `($5.2 billion - $4.68 billion) / $4.68 billion` with exact fractions. Each operand must be an amount of
 * the quotes; of a range, both ends. Other operands: 1, 100, 100%, and the number of terms that a sum is divided by.
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
      const value = right && calculate(left, sign, right);
      left = value ? { value, terms: sign === "+" ? left.terms + 1 : 1 } : null;
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
    const found = findAmount(own, quoted);
    if (found !== undefined) used.push(found);
    else if (!isConstant(own, terms)) unknown ??= written.trim();
    const value = quantityOf(found ?? own);
    const isWhole = found === undefined && own.digits === 100n;
    return { value: written.startsWith("-") ? { ...value, num: -value.num } : value, terms: 1, isWhole };
  };

  const value = read(0, 0, 0)?.value ?? null;
  const isOtherEnd = (one: Amount, other: Amount): boolean => one.reach.start === other.reach.start && sideOf(one) !== sideOf(other);
  const end = used.find((one) => sideOf(one) !== null && !used.some((other) => isOtherEnd(one, other)));
  const words = unknown ?? end?.text;
  if (words !== undefined) return { value: null, fault: "operand_not_in_quote", words };
  if (value === null || operations === 0 || rest.trim() !== "")
    return { value: null, fault: "expression_not_understood", words: expression };
  return { value, operands: used.length, fault: null };
}

function calculate({ value: a, ...left }: Term, sign: string, { value: b, ...right }: Term): Quantity | null {
  if (sign === "+" || sign === "-") return sum(a, b, sign === "+" ? 1n : -1n);
  if ("/÷".includes(sign)) return quotient(a, b);
  return left.isWhole ? b : right.isWhole ? a : product(a, b);
}

/** Finds an amount of the quotes, best one that is a fact. An operand without unit takes the scale and the unit of the quote. */
function findAmount(own: Amount, quoted: readonly Amount[]): Amount | undefined {
  const isBare = own.units.length === 0 && own.scale === 0;
  const found = quoted.filter((quote) => isSameAmount(own, quote) || (isBare && own.numeral === quote.numeral));
  const facts = found.filter((quote) => sideOf(quote) === null);
  return (facts.length > 0 ? facts : found).find(({ scale }) => scale > 0) ?? facts[0] ?? found[0];
}

function isConstant({ digits, exponent, units: [unit] }: Amount, terms: number): boolean {
  if (exponent !== 0) return false;
  if (unit !== undefined) return unit.kind === "percent" && unit.factor * digits === 10_000n;
  return digits === 1n || digits === 100n || (terms > 1 && digits === BigInt(terms));
}
