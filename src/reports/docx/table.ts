import { AlignmentType, BorderStyle, Paragraph, type ParagraphChild, Table, TableCell, TableRow, TextRun, WidthType } from "docx";
import { unbroken } from "../view/unbroken.ts";

/** The text width in twentieths of a point: A4 with margins of an inch. */
const WIDTH = 9026;

/** A table with so many rows or fewer stands on one page. */
const MAX_WHOLE_ROWS = 12;

/** The text of a cell, and what follows it. */
type Cell = string | { readonly text: string; readonly after: readonly ParagraphChild[] };

interface TableContent {
  readonly head: readonly Cell[];
  readonly rows: readonly (readonly Cell[])[];
  /** Column widths as shares of the text width. */
  readonly shares: readonly number[];
  /** Indices of columns that are aligned right. */
  readonly numbers: readonly number[];
}

interface TableLook {
  /** The size of letters in half-points. */
  readonly size?: number;
  /** Whether strong lines frame the table and its head. */
  readonly isFramed?: boolean;
}

const LINE = { style: BorderStyle.SINGLE, size: 4, color: "D7DBE0" };
const STRONG = { style: BorderStyle.SINGLE, size: 8, color: "8D949E" };
const NONE = { style: BorderStyle.NONE, size: 0, color: "auto" };

/** Returns a table with horizontal lines, whose head, if it has one, is repeated on each page. */
export function tableOf({ head, rows, shares, numbers }: TableContent, { size = 18, isFramed = false }: TableLook): Table {
  const widths = shares.map((share) => Math.round(share * WIDTH));
  const space = isFramed ? 70 : 20;
  const isWhole = rows.length <= MAX_WHOLE_ROWS;
  const cellOf = (cell: Cell, column: number, isHead: boolean, keepNext: boolean): TableCell => {
    const { text, after } = typeof cell === "string" ? { text: cell, after: [] } : cell;
    return new TableCell({
      width: { size: widths[column] ?? 0, type: WidthType.DXA },
      margins: { top: space, bottom: space, left: 80, right: 80 },
      ...(isHead && isFramed && { borders: { bottom: STRONG } }),
      children: [
        new Paragraph({
          alignment: numbers.includes(column) ? AlignmentType.END : AlignmentType.START,
          keepNext,
          spacing: { after: 0, ...(!isFramed && { line: 250 }) },
          children: [new TextRun({ text: unbroken(text), bold: isHead, size }), ...after],
        }),
      ],
    });
  };
  const line = (cells: readonly Cell[], isHead: boolean, keepNext: boolean): TableRow => {
    const children = cells.map((cell, column) => cellOf(cell, column, isHead, keepNext));
    return new TableRow({ tableHeader: isHead, cantSplit: true, children });
  };
  const frame = isFramed ? STRONG : LINE;
  return new Table({
    width: { size: WIDTH, type: WidthType.DXA },
    columnWidths: widths,
    borders: { top: frame, bottom: frame, insideHorizontal: LINE, left: NONE, right: NONE, insideVertical: NONE },
    rows: [
      ...(head.length === 0 ? [] : [line(head, true, isWhole)]),
      ...rows.map((cells, index) => line(cells, false, isWhole && index < rows.length - 1)),
    ],
  });
}
