import { FONTS } from "../fonts.ts";
import { withTextFragment } from "../text.ts";
import type { Note, QuotedPassage, ReportView, Sentence, SourceLine } from "../view/report-view.ts";
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
/** As a share of the page height. A heading further down moves to the next page. */
const LAST_HEADING = 0.87;

/** Returns a PDF. The same view and `date` (ISO 8601) give the same bytes. Boxes replace missing glyphs; the last lines list them. */
export async function toPdf(view: ReportView, date: string): Promise<Uint8Array> {
  const splitter = createFontSplitter();
  const pdf = createPdfBuilder(splitter);
  const content: Content[] = [...body(view, pdf), ...appendix(view, pdf)];
  const { count, characters } = splitter.replaced();
  if (count > 0)
    content.push(pdf.paragraph(view.labels.replaced(REPLACEMENT, count, characters), { margin: [0, 16, 0, 0], fontSize: 8.5 }));
  // pdfmake may read only the font files and may fetch nothing.
  pdfmake.setFonts({ latin: { ...FONTS.latin.files }, chinese: { ...FONTS.chinese.files } });
  pdfmake.setUrlAccessPolicy(() => false);
  pdfmake.setLocalAccessPolicy((path) => Object.values(FONTS).some(({ files }) => Object.values(files).includes(path)));
  return pdfmake.createPdf(definition(view, pdf, content, new Date(date))).getBuffer();
}

function definition(view: ReportView, pdf: PdfBuilder, content: Content[], date: Date): Readonly<Record<string, unknown>> {
  const program = view.receipt?.rows.at(-1)?.[1] ?? "";
  return {
    pageSize: "A4",
    pageMargins: [MARGIN, MARGIN, MARGIN, MARGIN + 8],
    version: "1.7",
    language: view.language === "zh" ? "zh-CN" : "en",
    displayTitle: true,
    info: {
      title: view.title,
      subject: view.verified ?? view.noAnswer[0] ?? "",
      author: program,
      creator: program,
      producer: "pdfmake",
      creationDate: date,
      modDate: date,
    },
    defaultStyle: { font: "latin", fontSize: 10, lineHeight: LINE_HEIGHT, color: "#1c1e21" },
    footer: (page: number, pages: number) =>
      pdf.paragraph(view.labels.page(page, pages), { alignment: "center", fontSize: 8, color: "#5b626b", margin: [0, 16, 0, 0] }),
    pageBreakBefore: ({ headlineLevel, startPosition }: LaidOut) =>
      headlineLevel !== undefined && startPosition.verticalRatio > LAST_HEADING,
    content,
  };
}

function appendix(view: ReportView, pdf: PdfBuilder): Content[] {
  const parts = [...sources(view, pdf), ...ledger(view, pdf), ...receipt(view, pdf)];
  return parts.length === 0 ? [] : [pdf.heading(view.labels.appendix, 1), ...parts];
}

function sources(view: ReportView, pdf: PdfBuilder): Content[] {
  if (view.sources.length === 0) return [];
  const items = view.sources.map((source) => {
    const numbers = pdf.text(` ${source.notes.map((number) => `[${number}]`).join(" ")}`);
    return pdf.paragraph([...sourceText(source, view, pdf), ...numbers], { margin: [0, 0, 0, 3] });
  });
  return [pdf.heading(view.labels.sources, 2), { ul: items }];
}

function ledger({ labels, ledger: rows, ledgerLeftOut }: ReportView, pdf: PdfBuilder): Content[] {
  if (rows.length === 0) return [];
  const cells = rows.map(({ what, place, outcome, ms }) => [what, place, outcome, ms]);
  const more = ledgerLeftOut > 0 ? [pdf.paragraph(labels.more(ledgerLeftOut))] : [];
  return [pdf.heading(labels.ledger, 2), pdf.table(labels.ledgerHead, cells, [52, 210, "*", 56], [3]), ...more];
}

function receipt({ labels, receipt: given }: ReportView, pdf: PdfBuilder): Content[] {
  if (given === null) return [];
  const models = given.models.length === 0 ? [] : [pdf.table(labels.modelsHead, given.models, ["*", 44, 58, 58, 66, 66], [1, 2, 3, 4, 5])];
  return [pdf.heading(labels.receipt, 2), pdf.table(null, given.rows, [130, "*"], []), ...models];
}

const NUMBER_WIDTH = 26;

function body(view: ReportView, pdf: PdfBuilder): Content[] {
  return [
    pdf.paragraph(view.title, { fontSize: 20, bold: true, lineHeight: 1.2, margin: [0, 0, 0, 10], outline: true, outlineText: view.title }),
    ...[view.cutOff, view.verified, ...view.rulesNotices]
      .filter((line) => line !== null)
      .map((line) => pdf.paragraph(line, { color: SOFT, margin: [0, 0, 0, 4] })),
    ...noAnswer(view, pdf),
    ...view.uncitedParagraphs.map((line) => pdf.paragraph(line, { margin: [0, 0, 0, 6] })),
    ...sections(view, pdf),
    ...unanswered(view, pdf),
    ...closest(view, pdf),
    ...notes(view, pdf),
  ];
}

function noAnswer({ noAnswer: lines, notReached, labels }: ReportView, pdf: PdfBuilder): Content[] {
  const items = notReached.map((line) => pdf.paragraph(line));
  const why = lines.map((line) => pdf.paragraph(line, { margin: [0, 0, 0, 6] }));
  return items.length === 0 ? why : [...why, pdf.paragraph(labels.notReached, { margin: [0, 0, 0, 4] }), { ul: items }];
}

function sections(view: ReportView, pdf: PdfBuilder): Content[] {
  const known = new Set(view.notes.map(({ number }) => number));
  return view.sections.flatMap(({ heading, sentences }): Content[] => [
    ...(heading === "" ? [] : [pdf.heading(heading, 1)]),
    { ul: sentences.map((sentence) => sentenceOf(sentence, known, view, pdf)), markerColor: SOFT },
  ]);
}

function unanswered({ unanswered: lines, labels }: ReportView, pdf: PdfBuilder): Content[] {
  return lines.length === 0 ? [] : [pdf.heading(labels.unanswered, 1), { ul: lines.map((line) => pdf.paragraph(line)) }];
}

function sentenceOf(
  { text, supported, marks, origins }: Sentence,
  known: ReadonlySet<number>,
  { labels }: ReportView,
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

function closest(view: ReportView, pdf: PdfBuilder): Content[] {
  if (view.closest.length === 0) return [];
  const passages = view.closest.map((passage) => {
    return pdf.paragraph([...quoteText(passage, pdf), ...placeText(passage, view, pdf)], { margin: [12, 0, 0, 5] });
  });
  return [pdf.heading(view.labels.closest, 1), ...passages];
}

function notes(view: ReportView, pdf: PdfBuilder): Content[] {
  if (view.notes.length === 0) return [];
  return [pdf.heading(view.labels.quotes, 1), ...view.notes.map((note) => noteOf(note, view, pdf))];
}

function noteOf(note: Note, view: ReportView, pdf: PdfBuilder): Content {
  const { number } = note;
  const words = quoteText(note, pdf);
  // The Chinese font sets lines lower. A space in this font puts the number on the same line.
  const level = words.some(({ font }) => font === "chinese") ? [{ text: " ", font: "chinese" }] : [];
  const text = [...words, ...placeText(note, view, pdf)];
  return {
    columns: [pdf.paragraph([...pdf.text(`${number}.`), ...level], { width: NUMBER_WIDTH, id: `q${number}` }), pdf.paragraph(text)],
    margin: [0, 0, 0, 5],
  };
}

function quoteText({ quote }: QuotedPassage, pdf: PdfBuilder): Text[] {
  return pdf.text(`“${quote}” — `);
}

function placeText({ quote, source, hash, offsets }: QuotedPassage, view: ReportView, pdf: PdfBuilder): Text[] {
  return [...sourceText(source, view, pdf, quote), ...pdf.text(` (${hash} ${offsets})`, { color: SOFT, fontSize: 8 })];
}

/** @param quote if given, the link leads to this quote on the page */
function sourceText(
  { title, retracted, details, address, href }: SourceLine,
  { labels }: ReportView,
  pdf: PdfBuilder,
  quote?: string,
): Text[] {
  const alarm = retracted ? pdf.text(`${labels.retracted} `, { bold: true, color: ALARM }) : [];
  const known = [title, ...details].join(", ");
  const link = href === null ? {} : { color: LINK, link: quote === undefined ? href : withTextFragment(href, quote) };
  return [...alarm, ...pdf.text(address === "" ? known : `${known}, `), ...(address === "" ? [] : pdf.text(address, link))];
}
