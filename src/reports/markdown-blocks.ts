import { fenced } from "../domain/report.ts";
import { gapAfter } from "../util/row-text.ts";
import { escapeMarkdown } from "./text.ts";
import type { BlockView, HeadingView, ListView, Sentence, TableView } from "./view/block-view.ts";
import type { ReportView } from "./view/report-view.ts";

/** Returns the Markdown of each block. @param footnotes numbers to write as `[^1]`; others are written as `[1]` */
export function markdownBlocks({ blocks, labels }: ReportView, footnotes: ReadonlySet<number>): string[] {
  const write = (sentence: Sentence): string => `${escapeMarkdown(sentence.text)}${marksOf(sentence, footnotes, labels.retracted)}`;
  let isAlternate = false;
  return blocks.map((block, index) => {
    if (block.kind === "heading") return headingLine(block);
    if (block.kind === "code") return `${fenced(block.lines.join("\n"), block.language)}\n\n${escapeMarkdown(block.remark)}`;
    if (block.kind === "paragraph") return block.sentences.map(write).join(" ");
    if (block.kind === "table") return tableLines(block, footnotes, labels.retracted);
    // Markdown joins two lists that follow each other and have the same markers.
    isAlternate = followsList(block, blocks[index - 1]) && !isAlternate;
    return listLines(block, isAlternate, write);
  });
}

function followsList(list: ListView, before: BlockView | undefined): boolean {
  return before?.kind === "list" && (before.start === null) === (list.start === null);
}

function headingLine({ depth, text, mark }: HeadingView): string {
  const escaped = escapeCell(text).replace(/#+$/, "\\$&");
  return `${"#".repeat(depth + 1)} ${escaped}${alarmOf(mark)}`;
}

function marksOf({ text, citations, mark, remarks }: Sentence, footnotes: ReadonlySet<number>, retracted: string): string {
  const numbers = citations.map(({ number, retracted: isRetracted }) => {
    const reference = footnotes.has(number) ? `[^${number}]` : `[${number}]`;
    return isRetracted ? `${reference} **${retracted}** ` : reference;
  });
  const signs = numbers.join("").trimEnd();
  return `${signs === "" ? "" : `${gapAfter(text)}${signs}`}${alarmOf(mark)}${remarks === "" ? "" : ` ${remarks}`}`;
}

/** Has a space before it, as Markdown needs one between a letter and stars that precede a bracket. */
function alarmOf(mark: string | null): string {
  return mark === null ? "" : ` **${escapeMarkdown(mark)}**`;
}

const MAX_NUMBER = 999_999_999;

function listLines({ start, items }: ListView, isAlternate: boolean, write: (sentence: Sentence) => string): string {
  const bullet = isAlternate ? "*" : "-";
  const widths: number[] = [];
  let first = Math.min(start ?? 0, MAX_NUMBER - items.length);
  const lines = items.map(({ level, number, sentences }) => {
    const counted = start !== null && level === 0 ? first++ : number;
    const marker = counted === null ? bullet : `${Math.min(counted, MAX_NUMBER)}${isAlternate ? ")" : "."}`;
    const indent = widths.slice(0, level).reduce((sum, width) => sum + width, 0);
    widths[level] = marker.length + 1;
    return `${" ".repeat(indent)}${marker} ${sentences.map(write).join(" ")}`.trimEnd();
  });
  return lines.join("\n");
}

function tableLines({ caption, head, mark, rows, numbers }: TableView, footnotes: ReadonlySet<number>, retracted: string): string {
  const line = (cells: readonly string[], after: string): string =>
    `| ${cells.map((cell, index) => `${escapeCell(cell)}${index === 0 ? after : ""}`).join(" | ")} |`;
  const rule = head.map((_, column) => (numbers.includes(column) ? "---:" : "---"));
  const body = rows.map(({ cells, sentence }) => line(cells, marksOf({ ...sentence, text: cells[0] ?? "" }, footnotes, retracted)));
  const title = caption === "" ? [] : [escapeMarkdown(caption), ""];
  return [...title, line(head, alarmOf(mark)), `| ${rule.join(" | ")} |`, ...body].join("\n");
}

/** Returns text of a cell or heading, without escapes that are needed only at the start of a line. */
export function escapeCell(cell: string): string {
  return escapeMarkdown(`|${cell}`).slice(2);
}
