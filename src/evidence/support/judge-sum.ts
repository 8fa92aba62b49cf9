import { readAmounts } from "../figures/amounts.ts";
import { hasFigures, type MissingFigure, missingIn, readSources, type Sources } from "../figures/check-figures.ts";
import { unknownAddresses } from "../unknown-references.ts";
import { failed, type Judgement, judged, type Known, type Statement, textWithUnits } from "./judge.ts";
import { missingNames } from "./names.ts";

/** What uncited sentences and headings may sum up: checked sentences, their quotes with titles, and the documents that they cite. */
export interface Summed {
  readonly texts: readonly string[];
  readonly quotes: readonly string[];
  /** By their content hashes. */
  readonly documents: ReadonlyMap<string, string>;
}

export type ReadSummed = ReturnType<typeof readSummed>;

/** Reads once what many sentences and labels may sum up. Quotes are read when the first label needs them. */
export function readSummed({ texts, quotes, documents }: Summed, { names }: Known) {
  const said = [texts.join("\n"), quotes.join("\n"), ...names];
  let quoted: Sources | undefined;
  let named: Sources | undefined;
  return {
    isEmpty: texts.length === 0,
    said,
    mayName: [...said, ...documents.values()],
    sources: readSources(texts, names),
    quoted: (): Sources => (quoted ??= readSources([...texts, ...quotes], names)),
    named: (): Sources => (named ??= readSources(names, names)),
  };
}

/** Judges a sentence without citation. */
export function judgeSummary(statement: Statement, summed: ReadSummed, known: Known): Judgement {
  const { text, written = text } = statement;
  const address = unknownAddresses(written, summed.said, known.addresses);
  if (address[0] !== undefined) return failed("unknown_address", address.join(", "));
  const judgement = judgeSummedFigures(statement, summed);
  if (judgement.why !== null) return judgement;
  const unknown = missingNames(text, summed.mayName, known.isName);
  if (unknown.length > 0) return failed("name_not_in_source", unknown.join(", "));
  return statement.followsStruck ? failed("sentence_before_struck", "") : judgement;
}

/** Judges only the figures of a sentence without citation, as `verify` does. Years, dates and names may also stand in the question. */
export function judgeSummedFigures({ text, head }: Statement, summed: ReadSummed): Judgement {
  if (summed.isEmpty) return failed("no_citation", "");
  const stated = textWithUnits(text, head);
  const missing = firstUnstated(missingIn(stated, summed.sources), stated, summed);
  if (missing === undefined) return judged("summary");
  return failed(missing.reason === "too_long" ? "too_long" : "amount_not_in_sentences", missing.text);
}

/**
 * Judges a heading or the head of a table. Returns null if it has no figures. Its figures stand in checked sentences or in their quotes; years,
 * dates and names may also stand in the question.
 */
export function judgeLabel(label: string, summed: ReadSummed): Judgement | null {
  const text = withoutNumbering(label);
  if (!hasFigures(text)) return null;
  if (missingIn(text, summed.sources).length === 0) return judged("summary");
  const left = firstUnstated(missingIn(text, summed.quoted()), text, summed);
  return left === undefined ? judged("summary") : failed("amount_not_in_sentences", left.text);
}

/** Returns the first figure that the question does not state either. */
function firstUnstated(missing: readonly MissingFigure[], text: string, summed: ReadSummed): MissingFigure | undefined {
  const measured = missing.filter((figure) => !isCountInWords(figure, text));
  if (measured.length === 0) return undefined;
  const unnamed = new Set(missingIn(text, summed.named()).map((figure) => figure.text));
  return measured.find((figure) => !isDateOrName(figure) || unnamed.has(figure.text));
}

const COUNT = /^(\d|10)(?:st|nd|rd|th)?(?: half| quarter)?$/;

/** Whether a figure is a number up to ten in words and without a unit, such as "two sides" and "the first half": it counts what the text itself names. */
function isCountInWords({ text: figure }: MissingFigure, text: string): boolean {
  const count = COUNT.exec(figure)?.[1];
  return count !== undefined && !new RegExp(String.raw`(?<!\d)${count}(?!\d)`).test(text);
}

function isDateOrName({ kind, text, reason }: MissingFigure): boolean {
  return kind !== "number" || (reason === "date_not_in_quote" && /^\d{4}$/.test(text));
}

export function labelHasFigures(label: string): boolean {
  return hasFigures(withoutNumbering(label));
}

const CHINESE_NUMBERING = /^\s*(?:[(（][〇零一二三四五六七八九十百]{1,4}[)）]|[〇零一二三四五六七八九十百]{1,4}[、.．])\s*/;
const DECIMAL_NUMBERING = /^\s*[1-9]\d?(?:\.[1-9]\d?){1,4}\.?\s+(?=[\p{Lu}\p{Lo}])/u;

/** Removes the number of a section from the beginning of a heading: "2.1 Debt", "Chapter Two", "（三）". "2.1 million users" stays as it is. */
function withoutNumbering(label: string): string {
  const text = label.replace(CHINESE_NUMBERING, "");
  // Headings may write units with capitals.
  const isAmount = [text, text.toLowerCase()].some((spelling) => /\s/.test(readAmounts(spelling, true)[0]?.text ?? ""));
  return isAmount ? text : text.replace(DECIMAL_NUMBERING, "");
}
