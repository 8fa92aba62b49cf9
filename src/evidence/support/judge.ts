import { CELL_SEPARATOR } from "../../domain/blocks.ts";
import { STRUCK_REASONS, type Support, type SupportReason } from "../../domain/report.ts";
import type { Amount } from "../figures/amounts.ts";
import { hasFigures, type MissingFigure, missingFigures, missingIn, possibleAmounts, readSources } from "../figures/check-figures.ts";
import { evaluate } from "../figures/expression.ts";
import { isUnitless, type Quantity, statesQuantity } from "../figures/quantities.ts";
import { unknownAddresses } from "../unknown-references.ts";
import { missingNames } from "./names.ts";
import { bareNumerals, nearbyText, type QuotedPlace, quoteText, withUnits } from "./quote-texts.ts";
import { standsInQuotes } from "./same-words.ts";

/** A sentence as it is shown. `head` is the head of the table if the sentence is a row. */
export interface Statement {
  readonly text: string;
  readonly head?: readonly string[] | undefined;
  readonly expressions?: readonly string[];
}

/** `names` may be used without being quoted: the question and titles. `addresses` are the web addresses that may be used. */
export interface Known {
  readonly names: readonly string[];
  readonly addresses: readonly string[];
}

export interface Judgement {
  readonly support: Support;
  readonly why: { readonly reason: SupportReason; readonly words: string } | null;
  /** The calculation of a `computed` sentence. */
  readonly expression: string | null;
}

const judged = (support: Support, expression: string | null = null): Judgement => ({ support, why: null, expression });
const failed = (reason: SupportReason, words: string): Judgement => ({ support: "unverified", why: { reason, words }, expression: null });

/** Whether the reason says that something in the sentence is false, and not only that it cannot be checked. */
export function isFalse(reason: SupportReason): boolean {
  return reason !== "no_quote" && (STRUCK_REASONS as readonly string[]).includes(reason);
}

/** Judges a sentence by the places that it quotes. Returns `unverified` with a reason if they do not support it. */
export function judgeClaim({ text, head, expressions = [] }: Statement, places: readonly QuotedPlace[], known: Known): Judgement {
  const names = [...known.names, ...new Set(places.flatMap(({ title }) => title ?? []))];
  const quotes = [...new Set(places.map(quoteText))];
  const address = unknownAddresses(text, [...quotes, ...names], known.addresses);
  if (address[0] !== undefined) return failed("unknown_address", address.join(", "));
  const calculations = calculate(expressions, quotes);
  const stated = textWithUnits(text, head);
  const bare = bareNumerals(places);
  const holds = (amount: Amount): boolean =>
    isBare(amount, bare) ||
    calculations.values.some((value, i) => statesQuantity(amount, value) || isCount(amount, calculations.operands[i]));
  const missing = missingIn(stated, readSources(quotes, names), holds);
  if (missing.length > 0) return withoutFigures(stated, missing, calculations, places);
  const unknown = namesMissingIn(text, [...quotes, ...names], places);
  if (unknown.length > 0) return failed("name_not_in_source", unknown.join(", "));
  const computed = expressions.find((_, i) => isStated(stated, calculations.results[i]?.value ?? null));
  if (computed !== undefined) return judged("computed", computed);
  return judged(standsInQuotes(text, places) ? "quoted" : "paraphrased");
}

function namesMissingIn(text: string, said: readonly string[], places: readonly QuotedPlace[]): string[] {
  const missing = missingNames(text, said);
  if (missing.length === 0) return [];
  const documents = new Map(places.map((place) => [place.contentHash, place]));
  const unknown = new Set(missingNames(text, Array.from(documents.values(), nearbyText)));
  return missing.filter((name) => unknown.has(name));
}

/** The text of a row with the units of its columns. */
export function textWithUnits(text: string, head: readonly string[] | undefined): string {
  return head === undefined || head.length === 0 ? text : withUnits(text.split(CELL_SEPARATOR), head).join(CELL_SEPARATOR);
}

function calculate(expressions: readonly string[], quotes: readonly string[]) {
  const amounts = expressions.length === 0 ? [] : possibleAmounts(quotes.join("\n"));
  const results = expressions.map((expression) => evaluate(expression, amounts));
  const evaluated = results.filter((result) => result.fault === null);
  return { results, values: evaluated.map(({ value }) => value), operands: evaluated.map(({ operands }) => operands) };
}

/** Whether an amount is the number of operands: "the average of the three margins". */
function isCount({ unit, currencies, exponent, digits }: Amount, operands: number | undefined): boolean {
  return unit === null && currencies === null && exponent === 0 && digits > 1n && Number(digits) === operands;
}

function isBare({ unit, currencies, scale, numeral }: Amount, numerals: ReadonlySet<string>): boolean {
  return unit === null && currencies === null && scale === 0 && numerals.has(numeral);
}

function isStated(text: string, value: Quantity | null): boolean {
  return value !== null && possibleAmounts(text).some((amount) => statesQuantity(amount, value));
}

function withoutFigures(
  text: string,
  missing: readonly MissingFigure[],
  { results, values }: ReturnType<typeof calculate>,
  places: readonly QuotedPlace[],
): Judgement {
  const contradicted = missing.find(({ reason }) => isFalse(reason)) ?? cutFigure(text, missing, places);
  if (contradicted !== undefined) return failed(contradicted.reason, contradicted.text);
  const [first] = missing;
  const fault = results.find((result) => result.fault !== null);
  const numbers = missing.filter(({ kind }) => kind === "number");
  if (fault?.fault != null && numbers.length > 0) return failed(fault.fault, fault.words);
  if (numbers.length > 0 && values.length > 0 && !values.some((value) => isUnitless(value) || isStated(text, value)))
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

/** What uncited sentences and headings may sum up: checked sentences, their quotes with titles, and the documents that they cite. */
export interface Summed {
  readonly texts: readonly string[];
  readonly quotes: readonly string[];
  readonly documents: readonly string[];
}

export type ReadSummed = ReturnType<typeof readSummed>;
export function readSummed({ texts, quotes, documents }: Summed, { names }: Known) {
  const said = [texts.join("\n"), quotes.join("\n"), ...names];
  return { isEmpty: texts.length === 0, said, mayName: [...said, ...documents], sources: readSources(texts, names) };
}

/** Judges a sentence without citation. */
export function judgeSummary({ text, head }: Statement, { isEmpty, said, mayName, sources }: ReadSummed, known: Known): Judgement {
  const address = unknownAddresses(text, said, known.addresses);
  if (address[0] !== undefined) return failed("unknown_address", address.join(", "));
  if (isEmpty) return failed("no_citation", "");
  const [missing] = missingIn(textWithUnits(text, head), sources);
  if (missing !== undefined) return failed(missing.reason === "too_long" ? "too_long" : "amount_not_in_sentences", missing.text);
  const unknown = missingNames(text, mayName);
  return unknown.length > 0 ? failed("name_not_in_source", unknown.join(", ")) : judged("summary");
}

/** Judges a heading or the head of a table. Returns null if it has no figures. */
export function judgeLabel(text: string, { sources }: ReadSummed, quotes: readonly string[], known: Known): Judgement | null {
  if (!hasFigures(text)) return null;
  const [missing] = missingIn(text, sources);
  const isQuoted = missing === undefined || missingFigures(text, [...quotes, ...known.names], known.names).length === 0;
  return isQuoted ? judged("summary") : failed("amount_not_in_sentences", missing?.text ?? "");
}
