import { Bookmark, HeadingLevel, Paragraph, type ParagraphChild, type Table, TextRun, UnderlineType } from "docx";
import {
  type BlockView,
  type CodeView,
  gapBefore,
  gapBehind,
  type HeadingView,
  isDoubtful,
  type ListView,
  type Sentence,
  splitStop,
  type TableView,
} from "../view/block-view.ts";
import type { ReportView } from "../view/report-view.ts";
import { unbroken } from "../view/unbroken.ts";
import { ALARM, createFootnoteMarks, SOFT, unusedNotes } from "./notes.ts";
import { HALF_WIDTH, indentOf, numberingOf } from "./styles.ts";
import { tableOf } from "./table.ts";

/** Returns the blocks of the report, and the notes that no sentence of them cites. */
export function docxBlocks(view: ReportView): { blocks: (Paragraph | Table)[][]; unusedNotes: Paragraph[] } {
  const numbers = createFootnoteMarks(view);
  const marks = (sentence: Sentence): ParagraphChild[] => [...numbers.of(sentence.citations), ...remarksOf(sentence)];
  const blocks = view.blocks.map((block, index) => blockOf(block, index, marks));
  return { blocks, unusedNotes: unusedNotes(view, numbers) };
}

type Marks = (sentence: Sentence) => ParagraphChild[];

function blockOf(block: BlockView, index: number, marks: Marks): (Paragraph | Table)[] {
  if (block.kind === "heading") return [headingOf(block)];
  if (block.kind === "code") return codeOf(block);
  if (block.kind === "paragraph") return [new Paragraph({ children: joined(block.sentences, marks) })];
  if (block.kind === "list") return listOf(block, index, marks);
  const caption =
    block.caption === ""
      ? []
      : [new Paragraph({ keepNext: true, spacing: { after: 60 }, children: [new TextRun(unbroken(block.caption))] })];
  return [...caption, reportTable(block, marks), new Paragraph({ spacing: { after: 60 } })];
}

const LEVELS = [
  HeadingLevel.HEADING_1,
  HeadingLevel.HEADING_2,
  HeadingLevel.HEADING_3,
  HeadingLevel.HEADING_4,
  HeadingLevel.HEADING_5,
] as const;

function headingOf({ depth, number, text, mark }: HeadingView): Paragraph {
  const title = new Bookmark({ id: `h${number}`, children: [new TextRun(unbroken(text))] });
  return new Paragraph({ heading: LEVELS[depth - 1] ?? HeadingLevel.HEADING_5, children: [title, ...alarmOf(mark)] });
}

function codeOf({ lines, remark }: CodeView): Paragraph[] {
  const runs = lines.map((line, index) => new TextRun({ text: line, size: 18, ...(index > 0 && { break: 1 }) }));
  const soft = new TextRun({ text: remark, color: SOFT, size: 17 });
  return [
    new Paragraph({ indent: { left: 240 }, spacing: { after: 40 }, children: runs }),
    new Paragraph({ indent: { left: 240 }, children: [soft] }),
  ];
}

function joined(sentences: readonly Sentence[], marks: Marks): ParagraphChild[] {
  return sentences.flatMap((sentence, index) => {
    const look = isDoubtful(sentence) ? { underline: { type: UnderlineType.DOTTED, color: ALARM } } : {};
    const [text, stop] = splitStop(sentence);
    const halved = stop === "" ? [] : [new TextRun({ text: stop, characterSpacing: HALF_WIDTH, ...look })];
    return [new TextRun(gapBehind(sentences[index - 1])), new TextRun({ text: unbroken(text), ...look }), ...halved, ...marks(sentence)];
  });
}

function remarksOf({ mark, remarks }: Sentence): TextRun[] {
  return [...alarmOf(mark), ...(remarks === "" ? [] : [new TextRun({ text: `${gapBefore(remarks)}${remarks}`, color: SOFT, size: 18 })])];
}

function alarmOf(mark: string | null): TextRun[] {
  return mark === null ? [] : [new TextRun({ text: `${gapBefore(mark)}${mark}`, bold: true, color: ALARM, size: 18 })];
}

function listOf({ start, items }: ListView, index: number, marks: Marks): Paragraph[] {
  return items.map(({ level, number, sentences }) => {
    const children = joined(sentences, marks);
    const spacing = { after: 60 };
    // Word would count these on from the item before, so their numbers are text.
    if (number !== null) return new Paragraph({ indent: indentOf(level), spacing, children: [new TextRun(`${number}.\t`), ...children] });
    return new Paragraph({ numbering: numberingOf(start, level, index), spacing, children });
  });
}

function reportTable({ head, mark, rows, numbers, shares }: TableView, marks: Marks): Table {
  const withAfter = (cells: readonly string[], after: readonly ParagraphChild[]) =>
    cells.map((text, index) => (index === 0 ? { text, after } : text));
  const body = rows.map(({ cells, sentence }) => withAfter(cells, marks(sentence)));
  return tableOf({ head: withAfter(head, alarmOf(mark)), rows: body, shares, numbers }, { size: 20, isFramed: true });
}
