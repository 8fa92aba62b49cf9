import type { ReportForm } from "../form/report-form.ts";
import { sourceText } from "./body.ts";
import type { Content } from "./pdfmake.ts";
import type { Setting } from "./setting.ts";

/** What stands in every file beside the report itself: the sources, where it looked, and the receipt. */
export function appendix(form: ReportForm, set: Setting): Content[] {
  const parts = [...sources(form, set), ...ledger(form, set), ...receipt(form, set)];
  return parts.length === 0 ? [] : [set.heading(form.labels.appendix, 1), ...parts];
}

function sources(form: ReportForm, set: Setting): Content[] {
  if (form.sources.length === 0) return [];
  const items = form.sources.map((source) => {
    const numbers = set.text(` ${source.notes.map((number) => `[${number}]`).join(" ")}`);
    return set.paragraph([...sourceText(source, form, set), ...numbers], { margin: [0, 0, 0, 3] });
  });
  return [set.heading(form.labels.sources, 2), { ul: items }];
}

function ledger({ labels, ledger: rows, ledgerLeftOut }: ReportForm, set: Setting): Content[] {
  if (rows.length === 0) return [];
  const cells = rows.map(({ what, place, outcome, ms }) => [what, place, outcome, ms]);
  const more = ledgerLeftOut > 0 ? [set.paragraph(labels.more(ledgerLeftOut))] : [];
  return [set.heading(labels.ledger, 2), set.table(labels.ledgerHead, cells, [52, 210, "*", 56], [3]), ...more];
}

function receipt({ labels, receipt: given }: ReportForm, set: Setting): Content[] {
  if (given === null) return [];
  const models = given.models.length === 0 ? [] : [set.table(labels.modelsHead, given.models, ["*", 44, 58, 58, 66, 66], [1, 2, 3, 4, 5])];
  return [set.heading(labels.receipt, 2), set.table(null, given.rows, [130, "*"], []), ...models];
}
