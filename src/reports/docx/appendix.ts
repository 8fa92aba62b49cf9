import { HeadingLevel, Paragraph, type Table, TextRun } from "docx";
import { RECEIPT_SHARES, receiptLines } from "../view/receipt.ts";
import type { ReportView } from "../view/report-view.ts";
import { SOFT } from "./notes.ts";
import { tableOf } from "./table.ts";

const SMALL = 17;

/** Returns the parts at the end: where it looked, sentences left out, places of the quotes, receipt. */
export function docxAppendix(view: ReportView): (Paragraph | Table)[] {
  const parts = [...ledger(view), ...struck(view), ...places(view), ...receipt(view)];
  if (parts.length === 0) return [];
  return [new Paragraph({ text: view.labels.appendix, heading: HeadingLevel.HEADING_1 }), ...parts];
}

const headingOf = (text: string): Paragraph =>
  new Paragraph({ heading: HeadingLevel.HEADING_2, spacing: { before: 160, after: 60 }, children: [new TextRun({ text, size: 20 })] });

const small = (text: string, color?: string): Paragraph =>
  new Paragraph({ spacing: { after: 40 }, children: [new TextRun({ text, size: SMALL, ...(color !== undefined && { color }) })] });

function ledger({ labels, ledger: rows, ledgerLeftOut }: ReportView): (Paragraph | Table)[] {
  if (rows.length === 0) return [];
  const cells = rows.map(({ what, place, outcome }) => [what, place, outcome]);
  const more = ledgerLeftOut > 0 ? [small(labels.more(ledgerLeftOut))] : [];
  return [headingOf(labels.ledger), tableOf(labels.ledgerHead, cells, [0.12, 0.53, 0.35], { size: SMALL }), ...more];
}

function struck({ labels: { support }, struck: rows }: ReportView): (Paragraph | Table)[] {
  return rows.length === 0 ? [] : [headingOf(support.struck), tableOf(support.struckHead, rows, [0.6, 0.4], { size: SMALL })];
}

function places({ labels, places: documents }: ReportView): Paragraph[] {
  if (documents.length === 0) return [];
  const lines = documents.map(({ hash, spans }) => small(`${hash}: ${spans.join(", ")}`));
  return [headingOf(labels.places), small(labels.placesNote, SOFT), ...lines];
}

function receipt({ labels, receipt: given }: ReportView): (Paragraph | Table)[] {
  if (given === null) return [];
  const shares = [0.3, 0.1, 0.15, 0.15, 0.15, 0.15];
  const look = { size: SMALL, numbers: [1, 2, 3, 4, 5] };
  const models = given.models.length === 0 ? [] : [tableOf(labels.modelsHead, given.models, shares, look)];
  const rows = tableOf([], receiptLines(given), RECEIPT_SHARES, { size: SMALL });
  return [headingOf(labels.receipt), rows, ...(models.length === 0 ? [] : [small(""), ...models])];
}
