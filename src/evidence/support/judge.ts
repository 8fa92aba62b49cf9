import { CELL_SEPARATOR } from "../../domain/blocks.ts";
import { STRUCK_REASONS, type Support, type SupportReason } from "../../domain/report.ts";
import { evaluate } from "../calculation/evaluate.ts";
import { stripBracketedNumbers } from "../citation-markers.ts";
import type { Amount } from "../figures/amounts.ts";
import { type MissingFigure, missingFigures, missingIn, possibleAmounts, readSources } from "../figures/check-figures.ts";
import { type Quantity, statesQuantity } from "../figures/quantities.ts";
import { unknownAddresses } from "../unknown-references.ts";
import { withUnits } from "./column-units.ts";
import { readMultiples } from "./multiples.ts";
import { couldHave, missingNames, type Name } from "./names.ts";
import { findMisplaced, isOfOtherYear } from "./other-places.ts";
import { missingQuotation, readQuotable } from "./quotations.ts";
import { bareNumerals, nearbyText, type QuotedPlace, quoteText } from "./quote-texts.ts";
import { addsNoWord, standsInQuotes } from "./same-words.ts";

/** A sentence as it is shown. `head` is the head of the table if the sentence is a row. */
export interface Statement {
  readonly text: string;
  readonly head?: readonly string[] | undefined;
  readonly expressions?: readonly string[];
  /** The destinations of its links, which are not in `text`. */
  readonly links?: readonly string[];
  /** Whether a sentence before it, which it may be about, is taken out. */
  readonly followsStruck?: boolean;
}

/** `names` may be used without being quoted: the question and titles. `addresses` are the web addresses that may be used. */
export interface Known {
  readonly names: readonly string[];
  readonly addresses: readonly string[];
  /** Whether a text writes a word in lower case, so that it is no name at the beginning of a sentence. */
  readonly isOrdinary?: (word: string) => boolean;
  /** Whether a text has a word as it is written. The first word of a sentence that stands nowhere may be a name or not. */
  readonly isWritten?: (word: string) => boolean;
}

/** `isDoubtful`: the reason may only seem to hold, since the wording may make it right. */
interface Why {
  readonly reason: SupportReason;
  readonly words: string;
  readonly isDoubtful?: boolean;
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
export const failed = (reason: SupportReason, words: string, isDoubtful = false): Judgement => ({
  support: "unverified",
  why: { reason, words, isDoubtful },
  expression: null,
});

/** Whether the reason says that something in the sentence is false, and not only that it cannot be checked. */
export function isFalse({ reason, isDoubtful = false }: Pick<Why, "reason" | "isDoubtful">): boolean {
  return !isDoubtful && reason !== "no_quote" && (STRUCK_REASONS as readonly string[]).includes(reason);
}

/** Judges a sentence by the places that it quotes. Returns `unverified` with a reason if they do not support it. */
export function judgeClaim(statement: Statement, places: readonly QuotedPlace[], known: Known): Judgement {
  const { text, links = [] } = statement;
  const titles = [...new Set(places.flatMap(({ title }) => title ?? []))];
  const names = [...known.names, ...titles];
  const quotes = [...new Set(places.map(quoteText))];
  const address = unknownAddresses([text, ...links].join(" "), [...quotes, ...names], known.addresses);
  if (address[0] !== undefined) return failed("unknown_address", address.join(", "));
  const figures = figuresOf(statement, places, names);
  if (figures.missing.length > 0) return withoutFigures(figures, places);
  const unknown = namesMissingIn(text, [...quotes, ...titles], places, known);
  const isComparable = (name: Name): boolean =>
    figures.computedBy !== null ||
    ((name.isSure || (known.isWritten?.(name.word) ?? true)) && places.some((place) => couldHave(nearbyText(place), name)));
  const compared = unknown.filter(isComparable);
  if (compared.length > 0) return failed("name_not_in_source", wordsOf(compared));
  const quotation = missingQuotation(
    text,
    readQuotable(() => [...new Set(places.map(nearbyText))], [...quotes, ...names]),
  );
  if (quotation !== null) return failed("quotation_not_in_source", quotation);
  const wrong = figureOfOther(statement, figures, places);
  if (wrong !== null) return wrong;
  if (figures.computedBy !== null) return judged("computed", figures.computedBy);
  if (unknown.length > 0) return { ...judged("paraphrased"), uncompared: unknown.map(({ word }) => word) };
  return judged(standsInQuotes(text, places) ? "quoted" : "paraphrased");
}

/** Finds a figure that the quotes have only of another column, row, part of a change or year than the sentence. */
function figureOfOther({ text, head }: Statement, figures: ClaimFigures, places: readonly QuotedPlace[]): Judgement | null {
  const { stated, calculations, computedBy } = figures;
  const other = findMisplaced(stated, head, places);
  if (other !== null) return failed(other.reason, other.words, !other.isFalse);
  const operands = calculations.flatMap((result) => (result.fault === null ? result.operands : []));
  return computedBy !== null && isOfOtherYear(text, operands, places) ? failed("date_contradicted", "", true) : null;
}

export interface ClaimFigures {
  /** The text with the units of its columns. */
  readonly stated: string;
  readonly missing: readonly MissingFigure[];
  readonly calculations: readonly Calculation[];
  /** The calculations whose values the sentence states, joined by `EXPRESSION_SEPARATOR`; null if there are none. */
  readonly computedBy: string | null;
}

export const EXPRESSION_SEPARATOR = "; ";

/** Compares the figures of a sentence with its quotes and with what is calculated from them. */
export function figuresOf(
  { text, head, expressions = [] }: Statement,
  places: readonly QuotedPlace[],
  names: readonly string[],
): ClaimFigures {
  const plain = places.map(quoteText);
  // Sentences have no bracketed numbers such as [1], so a sentence may repeat a quote without them.
  const quotes = [...new Set([...plain, ...plain.map(stripBracketedNumbers)])];
  const stated = textWithUnits(text, head);
  const calculations = calculate(expressions, [...new Set(plain.map(stripBracketedNumbers))], stated);
  const bare = bareNumerals(places);
  const isMultiple = readMultiples(text, stated);
  const used = new Set<number>();
  const holds = (amount: Amount): boolean => {
    if (isBare(amount, bare) || isMultiple(amount)) return true;
    const at = calculations.findIndex(
      (result) => result.fault === null && (statesResult(amount, result) || isCount(amount, result.operands.length)),
    );
    if (at >= 0) used.add(at);
    return at >= 0;
  };
  const missing = missingIn(stated, readSources(quotes, names), holds);
  const isComputed = calculations.map((result) => isStated(stated, result));
  const computedBy = expressions.filter((_, i) => isComputed[i] || used.has(i)).join(EXPRESSION_SEPARATOR);
  return { stated, missing, calculations, computedBy: isComputed.includes(true) ? computedBy : null };
}

/** A name of the question need not stand in the quotes, unless another document has it: the cited one may then be about somebody else. */
function namesMissingIn(
  text: string,
  said: readonly string[],
  places: readonly QuotedPlace[],
  { names, isOrdinary, isWritten }: Known,
): Name[] {
  const own = missingNames(text, said, isOrdinary);
  const unasked = new Set(missingNames(text, [...said, ...names], isOrdinary).map(({ start }) => start));
  const missing = own.filter(
    ({ word, start }) => unasked.has(start) || (isWritten?.(word) === true && names.some((name) => name.includes(word))),
  );
  if (missing.length === 0) return [];
  const documents = new Map(places.map((place) => [place.contentHash, place]));
  const unknown = new Set(missingNames(text, Array.from(documents.values(), nearbyText), isOrdinary).map(({ start }) => start));
  return missing.filter(({ start }) => unknown.has(start));
}

export function wordsOf(names: readonly Name[]): string {
  return names.map(({ word }) => word).join(", ");
}

/** The text of a row with the units of its columns. */
export function textWithUnits(text: string, head: readonly string[] | undefined): string {
  if (head === undefined) return text;
  const cells = text.split(CELL_SEPARATOR);
  return withUnits(cells, head, { label: cells[0] ?? "", at: 0, head: head[0] ?? "" }).join(CELL_SEPARATOR);
}

type Calculation = ReturnType<typeof evaluate>[0];

/** Returns the result of each expression. Of several readings the one whose value the sentence states is the right one. */
function calculate(expressions: readonly string[], quotes: readonly string[], stated: string): Calculation[] {
  // A place that two quotes have is quoted once.
  const own = quotes.filter((quote) => !quotes.some((other) => other !== quote && other.includes(quote)));
  const amounts = expressions.length === 0 ? [] : possibleAmounts(own.join("\n"));
  return expressions.map((expression) => {
    const readings = evaluate(expression, amounts);
    return readings.find((result) => isStated(stated, result)) ?? readings[0];
  });
}

/** Whether an amount is the number of operands: "the average of the three margins". */
function isCount({ units, exponent, digits }: Amount, operands: number): boolean {
  return units.length === 0 && exponent === 0 && digits > 1n && Number(digits) === operands;
}

function isBare({ units, scale, numeral }: Amount, numerals: ReadonlySet<string>): boolean {
  return units.length === 0 && scale === 0 && numerals.has(numeral);
}

function isStated(text: string, result: Calculation): boolean {
  return possibleAmounts(text).some((amount) => statesResult(amount, result));
}

function isValueStated(text: string, value: Quantity): boolean {
  return possibleAmounts(text).some((amount) => statesQuantity(amount, value));
}

/** What is calculated from "about 18,000" is no exact number either. */
function statesResult(amount: Amount, { value, ...result }: Calculation): boolean {
  const isAbout = result.fault === null && result.operands.some(({ hedge }) => hedge === "about");
  return value !== null && (!isAbout || amount.hedge !== "none") && statesQuantity(amount, value);
}

function withoutFigures({ stated, missing, calculations }: ClaimFigures, places: readonly QuotedPlace[]): Judgement {
  const contradictions = missing.filter(isFalse);
  const contradicted =
    contradictions.find(({ reason }) => reason !== "end_of_range") ?? contradictions[0] ?? cutFigure(stated, missing, places);
  if (contradicted !== undefined) {
    // "Capped at $5 billion" tells the limit in other words.
    const isDoubtful = contradicted.reason === "end_of_range" && !addsNoWord(stated, places);
    return failed(contradicted.reason, contradicted.text, isDoubtful);
  }
  const [first] = missing;
  const fault = calculations.find((result) => result.fault !== null);
  const results = calculations.filter(({ value }) => value !== null);
  const numbers = missing.filter(({ kind }) => kind === "number");
  if (fault?.fault != null && numbers.length > 0) return failed(fault.fault, fault.words);
  if (
    numbers.length > 0 &&
    results.length > 0 &&
    !results.some(({ value }) => value !== null && ((value.units.length === 0 && !value.isRatio) || isValueStated(stated, value)))
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
  const found = missing.find((figure) => figure.kind === "number" && !stillMissing.has(figure.text));
  return found === undefined ? undefined : { ...found, reason: "amount_contradicted" };
}
