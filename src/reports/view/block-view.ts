import { type Block, isStruck, type ListItem } from "../../domain/blocks.ts";
import { type Claim, NAMES_NOT_COMPARED, splitReason } from "../../domain/report.ts";
import { gapAfter, isNumeric, rowCells } from "../../util/row-text.ts";
import { isContradiction, supportKind } from "../../util/support-kinds.ts";
import type { Labels } from "../labels.ts";
import { explainReason, reasonInWords, type SupportLabels, withSigns } from "../support-labels.ts";
import { cleanLine, cleanText } from "../text.ts";

/** A part of a report as all formats show it. */
export type BlockView =
  | HeadingView
  | CodeView
  | { readonly kind: "paragraph"; readonly sentences: readonly Sentence[] }
  | ListView
  | TableView;

export interface HeadingView {
  readonly kind: "heading";
  /** 1 for the highest level in the report, at most 5. */
  readonly depth: number;
  /** Counts the headings from 1, as the target of links. */
  readonly number: number;
  readonly text: string;
  readonly mark: string | null;
}

export interface CodeView {
  readonly kind: "code";
  readonly lines: readonly string[];
  readonly language?: string | undefined;
  /** Says that nothing in it was checked. */
  readonly remark: string;
}

export interface ListView {
  readonly kind: "list";
  /** The first number of the first level; null for a list without numbers. */
  readonly start: number | null;
  /** Levels begin at 0 and grow by at most 1 from item to item. */
  readonly items: readonly ItemView[];
}

export interface ItemView {
  readonly level: number;
  /** The number of an item below another one; null for a point. Items of the first level count from `start`. */
  readonly number: number | null;
  readonly sentences: readonly Sentence[];
}

export interface TableView {
  readonly kind: "table";
  /** Empty for most. */
  readonly caption: string;
  readonly head: readonly string[];
  readonly mark: string | null;
  /** Each row has as many cells as `head`. */
  readonly rows: readonly { readonly cells: readonly string[]; readonly sentence: Sentence }[];
  /** Indices of columns of numbers. */
  readonly numbers: readonly number[];
  /** The width of each column as a share of 1. */
  readonly shares: readonly number[];
}

export interface Sentence {
  readonly text: string;
  readonly citations: readonly { readonly number: number; readonly retracted: boolean }[];
  /** That the sentence is not verified or contradicted, and why, in brackets. */
  readonly mark: string | null;
  /** The expression of a computed sentence, in the signs that people read. */
  readonly calculation: string | null;
  /** What stands in brackets behind the marks, or `""`. */
  readonly remarks: string;
}

export interface BlockOptions {
  readonly labels: Labels;
  readonly retracted: ReadonlySet<number>;
  /** Shows the text alone, without marks. */
  readonly isPlain: boolean;
  /** Whether a line says for all sentences that their figures have one origin. */
  readonly isOfOneOrigin: boolean;
}

/** Returns the blocks for display. Indices without a claim are skipped. */
export function blockViews(blocks: readonly Block[], claims: readonly Claim[], options: BlockOptions): BlockView[] {
  const levels = blocks.flatMap((block) => (block.kind === "heading" ? [block.level] : []));
  const highest = Math.min(...levels);
  let headings = 0;
  const sentences = (indices: readonly number[]): Sentence[] =>
    indices.flatMap((index) => (claims[index] === undefined ? [] : sentenceView(claims[index], options)));
  return blocks.map((block): BlockView => {
    if (block.kind === "heading") {
      headings += 1;
      const depth = Math.min(block.level - highest + 1, 5);
      return { kind: "heading", depth, number: headings, text: cleanText(block.text), mark: labelMark(block, options) };
    }
    if (block.kind === "code") return { ...block, lines: block.text.split("\n").map(cleanLine), remark: options.labels.support.code };
    if (isStruck(block)) return { kind: "paragraph", sentences: [struckView(block.struck, options.labels.support)] };
    if (block.kind === "paragraph") return { kind: "paragraph", sentences: sentences(block.sentences) };
    if (block.kind === "table") {
      const rows = block.rows.flatMap((index) => claims[index] ?? []);
      return tableView(block, rows, options);
    }
    return {
      kind: "list",
      start: block.kind === "list" ? null : block.start,
      items: withoutJumps(block.items).map(({ level, number, sentences: own }) => ({
        level,
        number: level === 0 ? null : (number ?? null),
        sentences: sentences(own),
      })),
    };
  });
}

/** One plain line in place of what was taken out. */
function struckView(reasons: readonly string[], labels: SupportLabels): Sentence {
  const why = reasons.map((reason) => cleanText(reasonInWords(reason, labels)));
  return { text: labels.struckHere(why), citations: [], mark: null, calculation: null, remarks: "" };
}

function withoutJumps(items: readonly ListItem[]): ListItem[] {
  let before = -1;
  return items.map((item) => {
    before = Math.min(item.level, before + 1);
    return { ...item, level: before };
  });
}

function sentenceView(claim: Claim, options: BlockOptions): Sentence {
  const { labels, retracted, isPlain } = options;
  const citations = claim.citations.toSorted((a, b) => a - b).map((number) => ({ number, retracted: retracted.has(number) }));
  return {
    text: cleanText(claim.text),
    citations: isPlain ? [] : citations,
    mark: isPlain || supportKind(claim) !== "unverified" ? null : unverifiedMark(claim.reason, labels.support),
    calculation: claim.expression === null ? null : withSigns(cleanText(claim.expression), labels.support),
    remarks: remarksOf(claim, options),
  };
}

function remarksOf({ figureOrigins, support, reason }: Claim, { labels, isOfOneOrigin }: BlockOptions): string {
  const counted = figureOrigins === 1 && !isOfOneOrigin ? labels.oneOrigin : "";
  const { code, words } = splitReason(reason ?? "");
  const names = support === "paraphrased" && code === NAMES_NOT_COMPARED ? labels.support.namesNotCompared(cleanText(words)) : "";
  return `${counted}${counted === "" || names === "" ? "" : gapBefore(names)}${names}`;
}

function unverifiedMark(reason: string | null, labels: SupportLabels): string {
  const why = reason === null ? "" : cleanText(explainReason(reason, labels));
  return isContradiction(reason) ? labels.contradicted(why) : labels.unverified(why);
}

type Label = Pick<Extract<Block, { kind: "heading" }>, "support" | "reason">;

function labelMark({ support, reason }: Label, { labels, isPlain }: BlockOptions): string | null {
  return support === "unverified" && !isPlain ? unverifiedMark(reason, labels.support) : null;
}

function tableView(block: Extract<Block, { kind: "table" }>, claims: readonly Claim[], options: BlockOptions): TableView {
  const head = block.head.map(cleanText);
  const rows = claims.map((claim) => ({ cells: rowCells(claim.text, block.head).map(cleanText), sentence: sentenceView(claim, options) }));
  const columns = Math.max(1, head.length, ...rows.map(({ cells }) => cells.length));
  const filled = (cells: readonly string[]): string[] => Array.from({ length: columns }, (_, index) => cells[index] ?? "");
  const all = rows.map(({ cells, sentence }) => ({ cells: filled(cells).map((cell) => cell || options.labels.emptyCell), sentence }));
  const body = all.map(({ cells }) => cells);
  return {
    kind: "table",
    caption: cleanText(block.caption ?? ""),
    head: filled(head),
    mark: labelMark(block, options),
    rows: all,
    numbers: Array.from({ length: columns }, (_, column) => column).filter(
      (column) => column > 0 && isNumeric(body.map((cells) => cells[column] ?? "")),
    ),
    shares: sharesOf([filled(head), ...body], columns),
  };
}

const MIN_LETTERS = 8;
const MAX_LETTERS = 40;

/** Columns get widths by their longest cells, within limits. A Chinese character is as wide as two letters. */
function sharesOf(rows: readonly (readonly string[])[], columns: number): number[] {
  const widthOf = (cell: string): number => cell.length + (cell.match(/[\p{sc=Han}\u3000-\u303f\uff00-\uffef]/gu)?.length ?? 0);
  const widths = Array.from({ length: columns }, (_, column) => {
    const longest = rows.reduce((most, cells) => Math.max(most, widthOf(cells[column] ?? "")), 0);
    return Math.min(Math.max(longest, MIN_LETTERS), MAX_LETTERS);
  });
  const sum = widths.reduce((total, width) => total + width, 0);
  return widths.map((width) => width / sum);
}

/** Whether the words of a mark stand in the text, so that the sentence itself shows that something is wrong. */
export function isDoubtful({ mark }: Sentence): boolean {
  return mark !== null;
}

/** Returns what stands before words in brackets: full-width brackets bring their own space. */
export function gapBefore(words: string): "" | " " {
  return words.startsWith("（") ? "" : " ";
}

/** A full-width stop at the end, whose blank half would keep marks away from the sentence. */
const STOP = /[。，、；：]$/u;

/** Splits off a full-width stop that marks follow, so that a format can halve its width. */
export function splitStop(sentence: Sentence): readonly [text: string, stop: string] {
  const { text } = sentence;
  return isMarked(sentence) && STOP.test(text) ? [text.slice(0, -1), text.slice(-1)] : [text, ""];
}

function isMarked({ citations }: Sentence): boolean {
  return citations.length > 0;
}

/** Returns what stands between a sentence and the next one: a space; after Chinese nothing, or a thin space behind marks. */
export function gapBehind(sentence: Sentence | undefined): string {
  if (sentence === undefined) return "";
  const gap = gapAfter(sentence.text);
  return gap === "" && isMarked(sentence) ? "\u2009" : gap;
}
