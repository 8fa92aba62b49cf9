import { type Amount, isEnd, readAmounts } from "./amounts.ts";
import { isSameAmount } from "./compare-amounts.ts";
import { plainText } from "./plain-text.ts";
import { product, type Quantity, quantityOf, quotient, sum } from "./quantities.ts";
import { isPlain } from "./units.ts";

type Evaluated =
  | { readonly value: Quantity; readonly operands: number; readonly fault: null }
  | { readonly value: null; readonly fault: "expression_not_understood" | "operand_not_in_quote"; readonly words: string };

/** `terms` is the number of terms of a sum, otherwise 1. */
interface Term {
  readonly value: Quantity;
  readonly terms: number;
}

/** The operators of sums and of products. */
const LEVELS = [/^\s*([-+])/, /^\s*([*/×÷·])/];
/** An operator stands before an operand, so the slash of "km/h" is none. */
const NEXT = String.raw`\s*(?:[-+*/×÷·]\s*(?:\(|[^\s()+*/\d-]{0,8}\s?\d)|\)|$)`;
const OPERAND = new RegExp(String.raw`^\s*(-?[^()\d]{0,8}\d[^()]*?)(?=${NEXT})`);
const MAX_LENGTH = 300;
const MAX_DEPTH = 20;

/**
 * Evaluates a calculation such as `($5.2 billion - $4.68 billion) / $4.68 billion` with exact fractions. Each operand must be an amount of
 * the quotes. Other operands: 1, 100, 100%, and the number of terms that a sum is divided by.
 */
export function evaluate(expression: string, quoted: readonly Amount[]): Evaluated {
  const [text = ""] = plainText(expression.slice(0, MAX_LENGTH), true).split("=", 1);
  const parser = new Parser(text, quoted);
  const value = parser.read(0, 0, 0)?.value ?? null;
  if (parser.unknown !== null) return { value: null, fault: "operand_not_in_quote", words: parser.unknown };
  if (value === null || !parser.isDone) return { value: null, fault: "expression_not_understood", words: expression };
  return { value, operands: parser.operands, fault: null };
}

class Parser {
  /** An operand that is in no quote. */
  unknown: string | null = null;
  operands = 0;
  #hasOperation = false;
  #rest: string;
  readonly #quoted: readonly Amount[];

  constructor(text: string, quoted: readonly Amount[]) {
    this.#rest = text;
    this.#quoted = quoted;
  }

  get isDone(): boolean {
    return this.#hasOperation && this.#rest.trim() === "";
  }

  /** Reads a sum at level 0, a product at level 1 and an operand at level 2. An operand may be the number of `terms` before it. */
  read(level: number, terms: number, depth: number): Term | null {
    const signs = LEVELS[level];
    if (signs === undefined) return this.#take(/^\s*(\()/) === null ? this.#operand(terms) : this.#brackets(depth);
    let left = this.read(level + 1, 0, depth);
    for (let sign = this.#take(signs); left !== null && sign !== null; sign = this.#take(signs)) {
      const right = this.read(level + 1, "/÷".includes(sign) ? left.terms : 0, depth);
      const value = right && calculate(left.value, sign, right.value);
      left = value ? { value, terms: sign === "+" ? left.terms + 1 : 1 } : null;
      this.#hasOperation = true;
    }
    return left;
  }

  #brackets(depth: number): Term | null {
    const inside = depth < MAX_DEPTH ? this.read(0, 0, depth + 1) : null;
    return this.#take(/^\s*(\))/) === null ? null : inside;
  }

  #operand(terms: number): Term | null {
    const written = this.#take(OPERAND);
    if (written === null) return null;
    const [own] = readAmounts(written.replace(/^-/, ""), false);
    const quoted = own && findAmount(own, this.#quoted);
    if (quoted !== undefined) this.operands++;
    const amount = quoted ?? (own !== undefined && isConstant(own, terms) ? own : null);
    if (amount === null) this.unknown ??= written.trim();
    const value = amount && quantityOf(amount);
    return value && { value: written.startsWith("-") ? { ...value, num: -value.num } : value, terms: 1 };
  }

  #take(pattern: RegExp): string | null {
    const match = pattern.exec(this.#rest);
    this.#rest = this.#rest.slice(match?.[0].length ?? 0);
    return match?.[1] ?? null;
  }
}

function calculate(a: Quantity, sign: string, b: Quantity): Quantity | null {
  if (sign === "+" || sign === "-") return sum(a, b, sign === "+" ? 1n : -1n);
  return "/÷".includes(sign) ? quotient(a, b) : product(a, b);
}

/** Finds an amount of the quotes. An operand without unit takes the unit of the quote. */
function findAmount(own: Amount, quoted: readonly Amount[]): Amount | undefined {
  const isBare = isPlain(own) && own.scale === 0;
  const found = quoted.filter((quote) => !isEnd(quote.joined) && (isSameAmount(own, quote) || (isBare && own.numeral === quote.numeral)));
  // A note such as "in millions" scales the number.
  return found.find(({ scale }) => scale > 0) ?? found[0];
}

function isConstant({ digits, exponent, unit, currencies }: Amount, terms: number): boolean {
  if (exponent !== 0 || currencies !== null) return false;
  if (unit !== null) return unit.kind === "percent" && unit.factor * digits === 10_000n;
  return digits === 1n || digits === 100n || (terms > 1 && digits === BigInt(terms));
}
