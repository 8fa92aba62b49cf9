import { FONTS } from "../fonts.ts";
import type { Note, QuotedPassage, ReportForm, Sentence, SourceLine } from "../form/report-form.ts";
import { withTextFragment } from "../text.ts";
import {
  ALARM,
  type Content,
  createFontSplitter,
  createPdfBuilder,
  type LaidOut,
  LINE_HEIGHT,
  LINK,
  type PdfBuilder,
  pdfmake,
  REPLACEMENT,
  SOFT,
  type Text,
} from "./typesetter.ts";

const MARGIN = 56;
/** Below, a page has no room for a heading and its text. */
const LAST_HEADING = 0.87;

/** `date` is ISO 8601; the same form gives the same bytes. Characters without a glyph become boxes, listed in the last lines. */
export async function toPdf(form: ReportForm, date: string): Promise<Uint8Array> {
  const splitter = createFontSplitter();
  const pdf = createPdfBuilder(splitter);
  const content: Content[] = [...body(form, pdf), ...appendix(form, pdf)];
  const { count, characters } = splitter.replaced();
  if (count > 0)
    content.push(pdf.paragraph(form.labels.replaced(REPLACEMENT, count, characters), { margin: [0, 16, 0, 0], fontSize: 8.5 }));
  // pdfmake may read the fonts and nothing else.
  pdfmake.setFonts({ latin: { ...FONTS.latin.files }, chinese: { ...FONTS.chinese.files } });
  pdfmake.setUrlAccessPolicy(() => false);
  pdfmake.setLocalAccessPolicy((path) => Object.values(FONTS).some(({ files }) => Object.values(files).includes(path)));
  return pdfmake.createPdf(definition(form, pdf, content, new Date(date))).getBuffer();
}

function definition(form: ReportForm, pdf: PdfBuilder, content: Content[], date: Date): Readonly<Record<string, unknown>> {
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
    footer: (page: number, pages: number) =>
      pdf.paragraph(form.labels.page(page, pages), { alignment: "center", fontSize: 8, color: "#5b626b", margin: [0, 16, 0, 0] }),
    pageBreakBefore: ({ headlineLevel, startPosition }: LaidOut) =>
      headlineLevel !== undefined && startPosition.verticalRatio > LAST_HEADING,
    content,
  };
}

function appendix(form: ReportForm, pdf: PdfBuilder): Content[] {
  const parts = [...sources(form, pdf), ...ledger(form, pdf), ...receipt(form, pdf)];
  return parts.length === 0 ? [] : [pdf.heading(form.labels.appendix, 1), ...parts];
}

function sources(form: ReportForm, pdf: PdfBuilder): Content[] {
  if (form.sources.length === 0) return [];
  const items = form.sources.map((source) => {
    const numbers = pdf.text(` ${source.notes.map((number) => `[${number}]`).join(" ")}`);
    return pdf.paragraph([...sourceText(source, form, pdf), ...numbers], { margin: [0, 0, 0, 3] });
  });
  return [pdf.heading(form.labels.sources, 2), { ul: items }];
}

function ledger({ labels, ledger: rows, ledgerLeftOut }: ReportForm, pdf: PdfBuilder): Content[] {
  if (rows.length === 0) return [];
  const cells = rows.map(({ what, place, outcome, ms }) => [what, place, outcome, ms]);
  const more = ledgerLeftOut > 0 ? [pdf.paragraph(labels.more(ledgerLeftOut))] : [];
  return [pdf.heading(labels.ledger, 2), pdf.table(labels.ledgerHead, cells, [52, 210, "*", 56], [3]), ...more];
}

function receipt({ labels, receipt: given }: ReportForm, pdf: PdfBuilder): Content[] {
  if (given === null) return [];
  const models = given.models.length === 0 ? [] : [pdf.table(labels.modelsHead, given.models, ["*", 44, 58, 58, 66, 66], [1, 2, 3, 4, 5])];
  return [pdf.heading(labels.receipt, 2), pdf.table(null, given.rows, [130, "*"], []), ...models];
}

const NUMBER_WIDTH = 26;

function body(form: ReportForm, pdf: PdfBuilder): Content[] {
  return [
    pdf.paragraph(form.title, { fontSize: 20, bold: true, lineHeight: 1.2, margin: [0, 0, 0, 10], outline: true, outlineText: form.title }),
    ...[form.cutOff, form.verified, ...form.byRules]
      .filter((line) => line !== null)
      .map((line) => pdf.paragraph(line, { color: SOFT, margin: [0, 0, 0, 4] })),
    ...noAnswer(form, pdf),
    ...form.said.map((line) => pdf.paragraph(line, { margin: [0, 0, 0, 6] })),
    ...sections(form, pdf),
    ...unanswered(form, pdf),
    ...closest(form, pdf),
    ...notes(form, pdf),
  ];
}

function noAnswer({ noAnswer: lines, notReached, labels }: ReportForm, pdf: PdfBuilder): Content[] {
  const items = notReached.map((line) => pdf.paragraph(line));
  const why = lines.map((line) => pdf.paragraph(line, { margin: [0, 0, 0, 6] }));
  return items.length === 0 ? why : [...why, pdf.paragraph(labels.notReached, { margin: [0, 0, 0, 4] }), { ul: items }];
}

function sections(form: ReportForm, pdf: PdfBuilder): Content[] {
  const known = new Set(form.notes.map(({ number }) => number));
  return form.sections.flatMap(({ heading, sentences }): Content[] => [
    ...(heading === "" ? [] : [pdf.heading(heading, 1)]),
    { ul: sentences.map((sentence) => sentenceOf(sentence, known, form, pdf)), markerColor: SOFT },
  ]);
}

function unanswered({ unanswered: lines, labels }: ReportForm, pdf: PdfBuilder): Content[] {
  return lines.length === 0 ? [] : [pdf.heading(labels.unanswered, 1), { ul: lines.map((line) => pdf.paragraph(line)) }];
}

function sentenceOf(
  { text, supported, marks, origins }: Sentence,
  known: ReadonlySet<number>,
  { labels }: ReportForm,
  pdf: PdfBuilder,
): Text {
  const alarm = supported ? [] : pdf.text(`${labels.unsupported} `, { bold: true, color: ALARM });
  const numbers = marks.flatMap(({ number, retracted }) => [
    ...pdf.text(`[${number}]`, known.has(number) ? { color: LINK, linkToDestination: `q${number}` } : {}),
    ...(retracted ? pdf.text(` ${labels.retracted} `, { bold: true, color: ALARM }) : []),
  ]);
  const witnesses = origins === "" ? [] : pdf.text(` ${origins}`);
  return pdf.paragraph([...alarm, ...pdf.text(`${text} `), ...numbers, ...witnesses], { margin: [0, 0, 0, 4] });
}

function closest(form: ReportForm, pdf: PdfBuilder): Content[] {
  if (form.closest.length === 0) return [];
  const passages = form.closest.map((passage) => {
    return pdf.paragraph([...quoteText(passage, pdf), ...placeText(passage, form, pdf)], { margin: [12, 0, 0, 5] });
  });
  return [pdf.heading(form.labels.closest, 1), ...passages];
}

function notes(form: ReportForm, pdf: PdfBuilder): Content[] {
  if (form.notes.length === 0) return [];
  return [pdf.heading(form.labels.quotes, 1), ...form.notes.map((note) => noteOf(note, form, pdf))];
}

function noteOf(note: Note, form: ReportForm, pdf: PdfBuilder): Content {
  const { number } = note;
  const words = quoteText(note, pdf);
  // Lines with Chinese letters sit lower: a space in their font aligns the number.
  const level = words.some(({ font }) => font === "chinese") ? [{ text: " ", font: "chinese" }] : [];
  const text = [...words, ...placeText(note, form, pdf)];
  return {
    columns: [pdf.paragraph([...pdf.text(`${number}.`), ...level], { width: NUMBER_WIDTH, id: `q${number}` }), pdf.paragraph(text)],
    margin: [0, 0, 0, 5],
  };
}

function quoteText({ quote }: QuotedPassage, pdf: PdfBuilder): Text[] {
  return pdf.text(`“${quote}” — `);
}

function placeText({ quote, source, hash, offsets }: QuotedPassage, form: ReportForm, pdf: PdfBuilder): Text[] {
  return [...sourceText(source, form, pdf, quote), ...pdf.text(` (${hash} ${offsets})`, { color: SOFT, fontSize: 8 })];
}

/** With `quote`, the link leads to the quote on the page. */
function sourceText(
  { title, retracted, details, address, href }: SourceLine,
  { labels }: ReportForm,
  pdf: PdfBuilder,
  quote?: string,
): Text[] {
  const alarm = retracted ? pdf.text(`${labels.retracted} `, { bold: true, color: ALARM }) : [];
  const known = [title, ...details].join(", ");
  const link = href === null ? {} : { color: LINK, link: quote === undefined ? href : withTextFragment(href, quote) };
  return [...alarm, ...pdf.text(address === "" ? known : `${known}, `), ...(address === "" ? [] : pdf.text(address, link))];
}
