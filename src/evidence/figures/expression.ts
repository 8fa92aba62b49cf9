import { type Amount, isEnd, readAmounts } from "./amounts.ts";
import { isSameAmount } from "./compare-amounts.ts";
import { plainText } from "./plain-text.ts";
import { product, type Quantity, quantityOf, quotient, sum } from "./quantities.ts";
import { isPlain } from "./units.ts";

type Evaluated =
  | { readonly value: Quantity; readonly operands: number; readonly fault: null }
  | { readonly value: null; readonly fault: "expression_not_understood" | "operand_not_in_quote"; readonly words: string };

/** An operator stands before an operand, so the slash of "km/h" is none. */
const NEXT = String.raw`\s*(?:[-+*/×÷·]\s*(?:\(|[^\s()+*/\d-]{0,8}\s?\d)|\)|$)`;
const OPERAND = new RegExp(String.raw`\s*(-?[^()\d]{0,8}\d[^()]*?)(?=${NEXT})`, "y");
const SIGN = /\s*([-+*/×÷·()])/y;
const SIGNS: Readonly<Record<string, string>> = { "×": "*", "·": "*", "÷": "/" };
const MAX_LENGTH = 300;
const MAX_DEPTH = 20;

/**
 * Evaluates a calculation such as `($5.2 billion - $4.68 billion) / $4.68 billion` with exact fractions. Each operand must be an amount of
 * the quotes. Other operands: 1, 100, 100%, and the number of terms that a sum is divided by.
 */
export function evaluate(expression: string, quoted: readonly Amount[]): Evaluated {
  const [text = ""] = plainText(expression.slice(0, MAX_LENGTH), true).split("=", 1);
  const parser = new Parser(text, quoted);
  const value = parser.sum(0)?.value ?? null;
  if (parser.unknown !== null) return { value: null, fault: "operand_not_in_quote", words: parser.unknown };
  if (value === null || !parser.isDone) return { value: null, fault: "expression_not_understood", words: expression };
  return { value, operands: parser.operands, fault: null };
}

/** `terms` is the number of terms of a sum, otherwise 1. */
interface Term {
  readonly value: Quantity;
  readonly terms: number;
}

class Parser {
  /** An operand that is in no quote. */
  unknown: string | null = null;
  operands = 0;
  readonly #text: string;
  readonly #quoted: readonly Amount[];
  #at = 0;
  #hasOperation = false;

  constructor(text: string, quoted: readonly Amount[]) {
    this.#text = text;
    this.#quoted = quoted;
  }

  get isDone(): boolean {
    return this.#hasOperation && this.#text.slice(this.#at).trim() === "";
  }

  sum(depth: number): Term | null {
    let left = this.#product(depth);
    for (let sign = this.#sign("+-"); left !== null && sign !== null; sign = this.#sign("+-")) {
      const right = this.#product(depth);
      const value = right && sum(left.value, right.value, sign === "+" ? 1n : -1n);
      left = value && { value, terms: sign === "+" ? left.terms + 1 : 1 };
      this.#hasOperation = true;
    }
    return left;
  }

  #product(depth: number): Term | null {
    let left = this.#factor(0, depth);
    for (let sign = this.#sign("*/"); left !== null && sign !== null; sign = this.#sign("*/")) {
      const right = this.#factor(sign === "/" ? left.terms : 0, depth);
      const value = right && (sign === "*" ? product(left.value, right.value) : quotient(left.value, right.value));
      left = value && { value, terms: 1 };
      this.#hasOperation = true;
    }
    return left;
  }

  #factor(terms: number, depth: number): Term | null {
    if (this.#sign("(") === null) return this.#operand(terms);
    const inside = depth < MAX_DEPTH ? this.sum(depth + 1) : null;
    return this.#sign(")") === null ? null : inside;
  }

  #sign(allowed: string): string | null {
    SIGN.lastIndex = this.#at;
    const written = SIGN.exec(this.#text)?.[1] ?? "";
    const sign = SIGNS[written] ?? written;
    if (sign === "" || !allowed.includes(sign)) return null;
    this.#at = SIGN.lastIndex;
    return sign;
  }

  #operand(terms: number): Term | null {
    OPERAND.lastIndex = this.#at;
    const written = OPERAND.exec(this.#text)?.[1];
    if (written === undefined) return null;
    this.#at = OPERAND.lastIndex;
    const [own] = readAmounts(written.replace(/^-/, ""), false);
    const quoted = own && this.#find(own);
    if (quoted !== undefined) this.operands++;
    const amount = quoted ?? (own !== undefined && isConstant(own, terms) ? own : null);
    if (amount === null) this.unknown ??= written.trim();
    const value = amount && quantityOf(amount);
    return value && { value: written.startsWith("-") ? { ...value, num: -value.num } : value, terms: 1 };
  }

  /** Finds an amount of the quotes. An operand without unit takes the unit of the quote. */
  #find(own: Amount): Amount | undefined {
    const isBare = isPlain(own) && own.scale === 0;
    const found = this.#quoted.filter(
      (quote) => !isEnd(quote.joined) && (isSameAmount(own, quote) || (isBare && own.numeral === quote.numeral)),
    );
    // A note such as "in millions" scales the number.
    return found.find(({ scale }) => scale > 0) ?? found[0];
  }
}

function isConstant({ digits, exponent, unit, currencies }: Amount, terms: number): boolean {
  if (exponent !== 0 || currencies !== null) return false;
  if (unit !== null) return unit.kind === "percent" && unit.factor * digits === 10_000n;
  return digits === 1n || digits === 100n || (terms > 1 && digits === BigInt(terms));
}
