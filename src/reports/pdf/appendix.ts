import { RECEIPT_SHARES, receiptLines } from "../view/receipt.ts";
import type { ReportView } from "../view/report-view.ts";
import { type Content, type PdfBuilder, SOFT } from "./typesetter.ts";

const SMALL = 8;

/** Returns the parts at the end: where it looked, sentences left out, places of the quotes, receipt. */
export function pdfAppendix(view: ReportView, pdf: PdfBuilder): Content[] {
  const parts = [...ledger(view, pdf), ...struck(view, pdf), ...places(view, pdf), ...receipt(view, pdf)];
  return parts.length === 0 ? [] : [pdf.heading(view.labels.appendix, 1), ...parts];
}

function headed(title: string, parts: readonly Content[], pdf: PdfBuilder): Content[] {
  return [pdf.heading(title, 2, { fontSize: 9.5, margin: [0, 8, 0, 3] }), ...parts];
}

function ledger({ labels, ledger: rows, ledgerLeftOut }: ReportView, pdf: PdfBuilder): Content[] {
  if (rows.length === 0) return [];
  const cells = rows.map(({ what, place, outcome }) => [what, place, outcome]);
  const more = ledgerLeftOut > 0 ? [pdf.paragraph(labels.more(ledgerLeftOut), { fontSize: SMALL })] : [];
  return headed(labels.ledger, [pdf.table(labels.ledgerHead, cells, [0.12, 0.53, 0.35]), ...more], pdf);
}

function struck({ labels: { support }, struck: rows }: ReportView, pdf: PdfBuilder): Content[] {
  return rows.length === 0 ? [] : headed(support.struck, [pdf.table(support.struckHead, rows, [0.6, 0.4])], pdf);
}

function places({ labels, places: documents }: ReportView, pdf: PdfBuilder): Content[] {
  if (documents.length === 0) return [];
  const lines = documents.map(({ hash, spans }) => pdf.paragraph(`${hash}: ${spans.join(", ")}`, { fontSize: SMALL }));
  return headed(labels.places, [pdf.paragraph(labels.placesNote, { fontSize: SMALL, color: SOFT }), ...lines], pdf);
}

function receipt({ labels, receipt: given }: ReportView, pdf: PdfBuilder): Content[] {
  if (given === null) return [];
  const rows = pdf.table([], receiptLines(given), RECEIPT_SHARES);
  const shares = [0.3, 0.1, 0.15, 0.15, 0.15, 0.15];
  const models = given.models.length === 0 ? [] : [pdf.table(labels.modelsHead, given.models, shares, { numbers: [1, 2, 3, 4, 5] })];
  return headed(labels.receipt, [rows, ...models], pdf);
}
