import type { ReportForm, SourceLine } from "../form/report-form.ts";
import { escapeHtml } from "./escape-html.ts";

/** What stands in every file beside the report itself: the sources, where it looked, and the receipt. */
export function appendix(form: ReportForm, describe: (source: SourceLine, form: ReportForm) => string): string[] {
  const parts = [...sources(form, describe), ...ledger(form), ...receipt(form)];
  return parts.length === 0 ? [] : [`<footer>`, ...parts, `</footer>`];
}

function sources(form: ReportForm, describe: (source: SourceLine, form: ReportForm) => string): string[] {
  if (form.sources.length === 0) return [];
  const items = form.sources.map((source) => {
    const numbers = source.notes.map((number) => `<a href="#q${number}">[${number}]</a>`).join(" ");
    return `<li>${describe(source, form)} <span class="mark">${numbers}</span></li>`;
  });
  return [`<h2>${escapeHtml(form.labels.sources)}</h2>`, `<ul>`, ...items, `</ul>`];
}

function ledger({ labels, ledger: rows, ledgerLeftOut }: ReportForm): string[] {
  if (rows.length === 0) return [];
  const lines = rows.map(({ what, place, outcome, ms }) => row([what, place, outcome, ms], [3]));
  const more = ledgerLeftOut > 0 ? [`<p class="left-out">${escapeHtml(labels.more(ledgerLeftOut))}</p>`] : [];
  return [`<h2>${escapeHtml(labels.ledger)}</h2>`, ...table(labels.ledgerHead, [3], lines, labels.ledger), ...more];
}

function receipt({ labels, receipt: given }: ReportForm): string[] {
  if (given === null) return [];
  const rows = given.rows.map(
    ([name, value]) => `<tr><th scope="row">${escapeHtml(name)}</th><td dir="auto">${escapeHtml(value)}</td></tr>`,
  );
  const numbers = [1, 2, 3, 4, 5];
  const models = given.models.map((cells) => row(cells, numbers));
  return [
    `<h2>${escapeHtml(labels.receipt)}</h2>`,
    `<table class="receipt"><tbody>`,
    ...rows,
    `</tbody></table>`,
    ...(models.length === 0 ? [] : table(labels.modelsHead, numbers, models, labels.receipt)),
  ];
}

/** A wide table is scrolled by itself, also with the keyboard. */
function table(head: readonly string[], numbers: readonly number[], rows: readonly string[], label: string): string[] {
  const cells = head.map((cell, index) => `<th scope="col"${numberClass(index, numbers)}>${escapeHtml(cell)}</th>`).join("");
  const region = `<div class="scroll" role="region" tabindex="0" aria-label="${escapeHtml(label)}">`;
  return [region, `<table><thead><tr>${cells}</tr></thead><tbody>`, ...rows, `</tbody></table></div>`];
}

function row(cells: readonly string[], numbers: readonly number[]): string {
  return `<tr>${cells.map((cell, index) => `<td dir="auto"${numberClass(index, numbers)}>${escapeHtml(cell)}</td>`).join("")}</tr>`;
}

function numberClass(index: number, numbers: readonly number[]): string {
  return numbers.includes(index) ? ` class="number"` : "";
}
