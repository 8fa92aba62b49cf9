import { AlignmentType, BorderStyle, HeadingLevel, Paragraph, Table, TableCell, TableRow, TextRun, WidthType } from "docx";
import type { ReportForm } from "../form/report-form.ts";
import { ITEM } from "./list.ts";
import { sourceRuns } from "./source-runs.ts";

/** The width of the text of an A4 page with the usual margins, in twentieths of a point. */
const WIDTH = 9026;
const LEDGER_SHARES = [0.12, 0.44, 0.32, 0.12];
const RECEIPT_SHARES = [0.3, 0.7];
const MODEL_SHARES = [0.3, 0.1, 0.15, 0.15, 0.15, 0.15];

/** What stands in every file beside the report itself: the sources, where it looked, and the receipt. */
export function appendix(form: ReportForm): (Paragraph | Table)[] {
  const parts = [...sources(form), ...ledger(form), ...receipt(form)];
  if (parts.length === 0) return [];
  return [new Paragraph({ text: form.labels.appendix, heading: HeadingLevel.HEADING_1 }), ...parts];
}

function sources(form: ReportForm): Paragraph[] {
  if (form.sources.length === 0) return [];
  const items = form.sources.map((source) => {
    const numbers = new TextRun(` ${source.notes.map((number) => `[${number}]`).join("")}`);
    return new Paragraph({ numbering: ITEM, children: [...sourceRuns(source, form), numbers] });
  });
  return [headingOf(form.labels.sources), ...items];
}

function ledger({ labels, ledger: rows, ledgerLeftOut }: ReportForm): (Paragraph | Table)[] {
  if (rows.length === 0) return [];
  const cells = rows.map(({ what, place, outcome, ms }) => [what, place, outcome, ms]);
  const more = ledgerLeftOut > 0 ? [new Paragraph(labels.more(ledgerLeftOut))] : [];
  return [headingOf(labels.ledger), table(labels.ledgerHead, cells, LEDGER_SHARES, [3]), ...more];
}

function receipt({ labels, receipt: given }: ReportForm): (Paragraph | Table)[] {
  if (given === null) return [];
  const models =
    given.models.length === 0 ? [] : [new Paragraph(""), table(labels.modelsHead, given.models, MODEL_SHARES, [1, 2, 3, 4, 5])];
  return [headingOf(labels.receipt), table(null, given.rows, RECEIPT_SHARES, []), ...models];
}

const headingOf = (text: string) => new Paragraph({ text, heading: HeadingLevel.HEADING_2 });

function table(
  head: readonly string[] | null,
  rows: readonly (readonly string[])[],
  shares: readonly number[],
  numbers: readonly number[],
): Table {
  const widths = shares.map((share) => Math.round(share * WIDTH));
  const cell = (text: string, column: number, bold: boolean) =>
    new TableCell({
      width: { size: widths[column] ?? 0, type: WidthType.DXA },
      margins: { top: 40, bottom: 40, left: 80, right: 80 },
      children: [
        new Paragraph({
          alignment: numbers.includes(column) ? AlignmentType.END : AlignmentType.START,
          spacing: { after: 0 },
          children: [new TextRun({ text, bold, size: 18 })],
        }),
      ],
    });
  const line = (cells: readonly string[], isHead: boolean) =>
    new TableRow({ tableHeader: isHead, cantSplit: true, children: cells.map((text, column) => cell(text, column, isHead)) });
  const border = { style: BorderStyle.SINGLE, size: 4, color: "D7DBE0" };
  const none = { style: BorderStyle.NONE, size: 0, color: "auto" };
  return new Table({
    width: { size: WIDTH, type: WidthType.DXA },
    columnWidths: widths,
    borders: { top: border, bottom: border, insideHorizontal: border, left: none, right: none, insideVertical: none },
    rows: [...(head === null ? [] : [line(head, true)]), ...rows.map((cells) => line(cells, false))],
  });
}
