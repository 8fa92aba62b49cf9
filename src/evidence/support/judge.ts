import { CELL_SEPARATOR } from "../../domain/blocks.ts";
import { STRUCK_REASONS, type Support, type SupportReason } from "../../domain/report.ts";
import { evaluate } from "../calculation/evaluate.ts";
import { stripBracketedNumbers } from "../citation-markers.ts";
import type { Amount } from "../figures/amounts.ts";
import { type MissingFigure, missingFigures, missingIn, possibleAmounts, readSources } from "../figures/check-figures.ts";
import { type Quantity, statesQuantity } from "../figures/quantities.ts";
import { unknownAddresses } from "../unknown-references.ts";
import { withUnits } from "./column-units.ts";
import { hasSameWords, standsInQuotes } from "./contiguous-words.ts";
import { hasLatinNames, missingNames } from "./names.ts";
import { bareNumerals, nearbyText, type QuotedPlace, quoteText, tableHead } from "./quote-texts.ts";

/** A sentence as it is shown. `head` is the head of the table if the sentence is a row. */
export interface Statement {
  readonly text: string;
  readonly head?: readonly string[] | undefined;
  readonly expressions?: readonly string[];
  /** The sentence in Markdown, with the targets of its links, which are not in `text`. */
  readonly written?: string;
  /** Whether a sentence before it, which it may be about, is taken out. */
  readonly followsStruck?: boolean;
}

/** `names` may be used without being quoted: the question and titles. `addresses` are the web addresses that may be used. */
export interface Known {
  readonly names: readonly string[];
  readonly addresses: readonly string[];
  /** Whether the first word of a sentence, which has a capital in any case, is a name. */
  readonly isName?: (word: string) => boolean;
}

interface Why {
  readonly reason: SupportReason;
  readonly words: string;
}

export interface Judgement {
  readonly support: Support;
  readonly why: Why | null;
  /** The calculation of a `computed` sentence. */
  readonly expression: string | null;
  /** Names of a `paraphrased` sentence that its documents cannot hold, because they are in another script. */
  readonly uncompared?: readonly string[];
}

export const judged = (support: Support, expression: string | null = null): Judgement => ({ support, why: null, expression });
export const failed = (reason: SupportReason, words: string): Judgement => ({
  support: "unverified",
  why: { reason, words },
  expression: null,
});

/** Whether the reason says that something in the sentence is false, and not only that it cannot be checked. */
export function isFalse({ reason }: Pick<Why, "reason">): boolean {
  return reason !== "no_quote" && (STRUCK_REASONS as readonly string[]).includes(reason);
}

/** Judges a sentence by the places that it quotes. Returns `unverified` with a reason if they do not support it. */
export function judgeClaim(statement: Statement, places: readonly QuotedPlace[], known: Known): Judgement {
  const { text, written = text } = statement;
  const names = [...known.names, ...new Set(places.flatMap(({ title }) => title ?? []))];
  const quotes = [...new Set(places.map(quoteText))];
  const address = unknownAddresses(written, [...quotes, ...names], known.addresses);
  if (address[0] !== undefined) return failed("unknown_address", address.join(", "));
  const figures = figuresOf(statement, places, names);
  if (figures.missing.length > 0) return withoutFigures(figures, places);
  const documents = [...new Set(places.map(nearbyText))];
  const unknown = missingNames(text, [...quotes, ...names, ...documents], known.isName);
  if (unknown.length > 0 && (figures.computedBy !== null || documents.some(hasLatinNames)))
    return failed("name_not_in_source", unknown.join(", "));
  if (figures.computedBy !== null) return judged("computed", figures.computedBy);
  if (unknown.length > 0) return { ...judged("paraphrased"), uncompared: unknown };
  return judged(isQuoted(statement, places) ? "quoted" : "paraphrased");
}

/** A row says what it says under the head of its table. */
function isQuoted({ text, head }: Statement, places: readonly QuotedPlace[]): boolean {
  const isUnderHead = (place: QuotedPlace): boolean => hasSameWords(head?.join(CELL_SEPARATOR) ?? "", tableHead(place) ?? "");
  return standsInQuotes(text, head === undefined ? places : places.filter(isUnderHead));
}

export type ClaimFigures = ReturnType<typeof figuresOf>;

export const EXPRESSION_SEPARATOR = "; ";

/**
 * Compares the figures of a sentence with its quotes and with what is calculated from them. `computedBy` has the calculations whose values the sentence
 * states, joined by `EXPRESSION_SEPARATOR`; null if there are none.
 */
export function figuresOf({ text, head, expressions = [] }: Statement, places: readonly QuotedPlace[], names: readonly string[]) {
  const quotes = [...new Set(places.map(quoteText))];
  const stated = textWithUnits(text, head);
  const calculations = calculate(expressions, quotes.map(stripBracketedNumbers));
  const bare = bareNumerals(places);
  const used = new Set<number>();
  const holds = (amount: Amount): boolean => {
    if (amount.units.length === 0 && amount.scale === 0 && bare.has(amount.numeral)) return true;
    const at = calculations.findIndex(({ value }) => value !== null && statesQuantity(amount, value));
    if (at >= 0) used.add(at);
    return at >= 0;
  };
  const missing = missingIn(stated, readSources(quotes, names), holds);
  const isComputed = calculations.map(({ value }) => value !== null && isStated(stated, value));
  const computedBy = expressions.filter((_, i) => isComputed[i] || used.has(i)).join(EXPRESSION_SEPARATOR);
  return { stated, missing, calculations, computedBy: isComputed.includes(true) ? computedBy : null };
}

/** The text of a row with the units of its columns. */
export function textWithUnits(text: string, head: readonly string[] | undefined): string {
  if (head === undefined) return text;
  const cells = text.split(CELL_SEPARATOR);
  return withUnits(cells, head, { label: cells[0] ?? "", at: 0, labelHead: head[0] ?? "" }).join(CELL_SEPARATOR);
}

type Calculation = ReturnType<typeof evaluate>;

function calculate(expressions: readonly string[], quotes: readonly string[]): Calculation[] {
  // A place that two quotes have is quoted once.
  const own = quotes.filter((quote) => !quotes.some((other) => other !== quote && other.includes(quote)));
  const amounts = expressions.length === 0 ? [] : possibleAmounts(own.join("\n"));
  return expressions.map((expression) => evaluate(expression, amounts));
}

function isStated(text: string, value: Quantity): boolean {
  return possibleAmounts(text).some((amount) => statesQuantity(amount, value));
}

function withoutFigures({ stated, missing, calculations }: ClaimFigures, places: readonly QuotedPlace[]): Judgement {
  const contradicted = missing.find(isFalse) ?? cutFigure(stated, missing, places);
  if (contradicted !== undefined) return failed(contradicted.reason, contradicted.text);
  const [first] = missing;
  const fault = calculations.find((result) => result.fault !== null);
  const results = calculations.filter(({ value }) => value !== null);
  const numbers = missing.filter(({ kind }) => kind === "number");
  if (fault?.fault != null && numbers.length > 0) return failed(fault.fault, fault.words);
  if (
    numbers.length > 0 &&
    results.length > 0 &&
    !results.some(({ value }) => value !== null && ((value.units.length === 0 && !value.isRatio) || isStated(stated, value)))
  )
    return failed("wrong_result", numbers[0]?.text ?? "");
  return failed(first?.reason ?? "amount_not_in_quote", first?.text ?? "");
}

/** Finds a figure that the sentence took from a quote which ended inside an amount. */
function cutFigure(text: string, missing: readonly MissingFigure[], places: readonly QuotedPlace[]): MissingFigure | undefined {
  const cut = places.filter(({ start, end, written }) => written !== undefined && (written.start > start || written.end < end));
  if (cut.length === 0) return undefined;
  const written = cut.map((place) => place.text.slice(place.written?.start, place.written?.end));
  const stillMissing = new Set(missingFigures(text, written, []).map((figure) => figure.text));
  const found = missing.find(({ reason, text: figure }) => reason === "amount_not_in_quote" && !stillMissing.has(figure));
  return found === undefined ? undefined : { ...found, reason: "amount_contradicted" };
}
