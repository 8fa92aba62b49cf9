import { escapeHtml } from "../../util/escape-html.ts";
import type { ReportView } from "../view/report-view.ts";
import { numberClass, tableRow } from "./blocks.ts";

/** Returns the folded parts at the end: where it looked, sentences left out, places of the quotes, receipt. */
export function htmlAppendix(view: ReportView): string[] {
  const parts = [...ledger(view), ...struck(view), ...places(view), ...receipt(view)];
  return parts.length === 0 ? [] : [`<footer>`, `<h2>${escapeHtml(view.labels.appendix)}</h2>`, ...parts, `</footer>`];
}

function folded(title: string, lines: readonly string[]): string[] {
  return [`<details>`, `<summary>${escapeHtml(title)}</summary>`, ...lines, `</details>`];
}

function ledger(view: ReportView): string[] {
  const { labels, ledger: rows, ledgerLeftOut } = view;
  if (rows.length === 0) return [];
  const cells = rows.map(({ what, place, outcome }) => [what, place, outcome]);
  const more = ledgerLeftOut > 0 ? [`<p class="left-out">${escapeHtml(labels.more(ledgerLeftOut))}</p>`] : [];
  return folded(labels.ledger, [...table(labels.ledgerHead, cells, [], labels.ledger, view), ...more]);
}

function struck(view: ReportView): string[] {
  const { support } = view.labels;
  return view.struck.length === 0 ? [] : folded(support.struck, table(support.struckHead, view.struck, [], support.struck, view));
}

function places({ labels, places: documents }: ReportView): string[] {
  if (documents.length === 0) return [];
  const items = documents.map(({ hash, spans }) => `<li><code>${escapeHtml(hash)}</code> ${escapeHtml(spans.join(", "))}</li>`);
  return folded(labels.places, [`<p>${escapeHtml(labels.placesNote)}</p>`, `<ul>`, ...items, `</ul>`]);
}

function receipt(view: ReportView): string[] {
  const { labels, receipt: given } = view;
  if (given === null) return [];
  const rows = given.rows.map(
    ([name, value]) => `<tr><th scope="row">${escapeHtml(name)}</th><td dir="auto">${escapeHtml(value)}</td></tr>`,
  );
  const models = given.models.length === 0 ? [] : table(labels.modelsHead, given.models, [1, 2, 3, 4, 5], labels.receipt, view);
  return folded(labels.receipt, [`<table class="receipt"><tbody>`, ...rows, `</tbody></table>`, ...models]);
}

type Rows = readonly (readonly string[])[];

function table(head: readonly string[], rows: Rows, numbers: readonly number[], label: string, view: ReportView): string[] {
  const cells = head.map((cell, index) => `<th scope="col"${numberClass(index, numbers)}>${escapeHtml(cell)}</th>`).join("");
  const region = `<div class="scroll" role="region" tabindex="0" aria-label="${escapeHtml(label)}">`;
  const lines = rows.map((row) => tableRow(row, numbers, view));
  return [region, `<table><thead><tr>${cells}</tr></thead><tbody>`, ...lines, `</tbody></table></div>`];
}
