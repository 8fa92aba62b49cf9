import { FONTS } from "../fonts.ts";
import type { ReportForm } from "../form/report-form.ts";
import { body, sourceText } from "./body.ts";
import { type Content, type Definition, pdfmake } from "./pdfmake.ts";
import { LINE_HEIGHT, type Setting, settingFor } from "./setting.ts";
import { createTypesetter, REPLACEMENT } from "./typesetter.ts";

const MARGIN = 56;
/** Below this share of a page there is no room for a heading and what follows it. */
const LAST_HEADING = 0.87;

/**
 * A PDF with its fonts, of which it holds the letters that it uses. `date` (ISO 8601) stands in its properties; the same form gives the same
 * bytes. What the fonts have no letter for is shown as a box, and the last lines say so.
 */
export async function formAsPdf(form: ReportForm, date: string): Promise<Uint8Array> {
  const typesetter = createTypesetter();
  const set = settingFor(typesetter);
  const content: Content[] = [...body(form, set), ...appendix(form, set)];
  // Known only when everything else is set.
  const { count, characters } = typesetter.replaced();
  if (count > 0)
    content.push(set.paragraph(form.labels.replaced(REPLACEMENT, count, characters), { margin: [0, 16, 0, 0], fontSize: 8.5 }));
  // It reads its two fonts, and reaches nothing else.
  pdfmake.setFonts({ latin: { ...FONTS.latin.files }, chinese: { ...FONTS.chinese.files } });
  pdfmake.setUrlAccessPolicy(() => false);
  pdfmake.setLocalAccessPolicy((path) => Object.values(FONTS).some(({ files }) => Object.values(files).includes(path)));
  return pdfmake.createPdf(definition(form, set, content, new Date(date))).getBuffer();
}

function definition(form: ReportForm, set: Setting, content: Content[], date: Date): Definition {
  const program = form.receipt?.rows.at(-1)?.[1] ?? "";
  return {
    pageSize: "A4",
    pageMargins: [MARGIN, MARGIN, MARGIN, MARGIN + 8],
    version: "1.7",
    language: form.language === "zh" ? "zh-CN" : "en",
    displayTitle: true,
    info: {
      title: form.title,
      subject: form.verified ?? form.noAnswer[0] ?? "",
      author: program,
      creator: program,
      producer: "pdfmake",
      creationDate: date,
      modDate: date,
    },
    defaultStyle: { font: "latin", fontSize: 10, lineHeight: LINE_HEIGHT, color: "#1c1e21" },
    footer: (page, pages) =>
      set.paragraph(form.labels.page(page, pages), { alignment: "center", fontSize: 8, color: "#5b626b", margin: [0, 16, 0, 0] }),
    // A heading does not stand alone at the foot of a page.
    pageBreakBefore: ({ headlineLevel, startPosition }) => headlineLevel !== undefined && startPosition.verticalRatio > LAST_HEADING,
    content,
  };
}

/** What stands in every file beside the report itself: the sources, where it looked, and the receipt. */
function appendix(form: ReportForm, set: Setting): Content[] {
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
