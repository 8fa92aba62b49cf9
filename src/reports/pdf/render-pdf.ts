import { withTextFragment } from "../../util/text-fragment.ts";
import { FONTS } from "../fonts.ts";
import { quotedText } from "../text.ts";
import type { HeadingView } from "../view/block-view.ts";
import { inPairs } from "../view/receipt.ts";
import type { AppendixPart, Note, QuotedPassage, ReportView } from "../view/report-view.ts";
import type { SourceLine } from "../view/source-line.ts";
import { writeReport } from "../view/write-report.ts";
import { pdfBlocks } from "./blocks.ts";
import {
  ALARM,
  type Content,
  createFontSplitter,
  createPdfBuilder,
  type FollowingNodes,
  type LaidOut,
  LINE,
  LINE_HEIGHT,
  LINK,
  type Look,
  MARGIN,
  type PdfBuilder,
  pdfmake,
  REPLACEMENT,
  SOFT,
  TEXT_WIDTH,
  type Text,
} from "./typesetter.ts";

/** As a share of the page height. A heading further down moves to the next page, with the heading before it. */
const LAST_HEADING = 0.87;

/** Returns a PDF. The same view and `date` (ISO 8601) give the same bytes. Boxes replace missing glyphs; the last lines list them. */
export async function toPdf(view: ReportView, date: string): Promise<Uint8Array> {
  const splitter = createFontSplitter();
  const pdf = createPdfBuilder(splitter);
  const content = body(view, pdf);
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
  return {
    pageSize: "A4",
    pageMargins: [MARGIN, MARGIN, MARGIN, MARGIN + 8],
    version: "1.7",
    language: view.language === "zh" ? "zh-CN" : "en",
    displayTitle: true,
    info: {
      title: view.title,
      subject: view.standing[0] ?? view.noAnswer[0] ?? "",
      author: view.program,
      creator: view.program,
      producer: "pdfmake",
      creationDate: date,
      modDate: date,
    },
    defaultStyle: { font: "latin", fontSize: 10.5, lineHeight: LINE_HEIGHT, color: "#1c1e21" },
    footer: (page: number, pages: number) =>
      pdf.paragraph(view.labels.page(page, pages), { alignment: "center", fontSize: 8, color: SOFT, margin: [0, 16, 0, 0] }),
    pageBreakBefore: isTooLow,
    content,
  };
}

function isTooLow(node: LaidOut, nodes: FollowingNodes): boolean {
  const isLow = ({ headlineLevel, startPosition }: LaidOut): boolean =>
    headlineLevel !== undefined && startPosition.verticalRatio > LAST_HEADING;
  if (node.headlineLevel === undefined || isLow(node)) return isLow(node);
  const [next] = node.startPosition.verticalRatio > LAST_HEADING / 2 ? nodes.getFollowingNodesOnPage() : [];
  return next !== undefined && isLow(next);
}

function body(view: ReportView, pdf: PdfBuilder): Content[] {
  return writeReport<Content>(view, {
    blocks: pdfBlocks(view, pdf).map((block) => [block]),
    title: (text) => [pdf.paragraph(text, { fontSize: 20, bold: true, lineHeight: 1, margin: [0, 0, 0, 8], ...pdf.outlined(text) })],
    dated: (text) => [pdf.paragraph(text, { color: SOFT, fontSize: 8.5, margin: [0, 0, 0, 8] })],
    standing: (lines) => [...lines.map((line) => pdf.paragraph(line, { color: SOFT, fontSize: 9, margin: [0, 0, 0, 3] })), rule(6)],
    contents: (headings) => contents(headings, view, pdf),
    heading: (text) => [pdf.heading(text, 1)],
    paragraph: (line) => [pdf.paragraph(line, { margin: [0, 0, 0, 7] })],
    list: (lines) => [{ ul: lines.map((line) => pdf.paragraph(line)) }],
    closest: (passages) => passages.map((passage) => closest(passage, view, pdf)),
    notes: (notes) => [pdf.heading(view.labels.quotes, 1, { fontSize: 12 }), ...notes.map((note) => noteOf(note, view, pdf))],
    sources: (all) => [{ ul: all.map((source) => sourceItem(source, view, pdf)), fontSize: NOTE_SIZE, markerColor: SOFT }],
    appendix: (parts) => [pdf.heading(view.labels.appendix, 1), ...parts.flatMap((part) => appendixPart(part, pdf))],
  });
}

function rule(below: number): Content {
  return { canvas: [{ type: "line", x1: 0, y1: 0, x2: TEXT_WIDTH, y2: 0, lineWidth: 0.5, lineColor: LINE }], margin: [0, 4, 0, below] };
}

function contents(headings: readonly HeadingView[], { labels }: ReportView, pdf: PdfBuilder): Content[] {
  const lines = headings.map(({ depth, number, text }) => ({
    columns: [
      pdf.paragraph(text, { linkToDestination: `h${number}`, margin: [depth > 1 ? 14 : 0, 0, 0, 0] }),
      { text: " ", pageReference: `h${number}`, width: 30, alignment: "right" },
    ],
    ...{ fontSize: 9, columnGap: 8, margin: [0, 0, 0, 1], color: SOFT },
  }));
  return [pdf.paragraph(labels.contents, { bold: true, fontSize: 9, margin: [0, 2, 0, 3] }), ...lines, rule(10)];
}

function closest({ quote, source }: QuotedPassage, view: ReportView, pdf: PdfBuilder): Content {
  const text = [...pdf.text(`${quotedText(quote)}${view.labels.from}`), ...sourceText(source, view, pdf, quote)];
  return pdf.paragraph(text, { margin: [12, 0, 0, 5] });
}

const NUMBER_WIDTH = 22;
const NOTE_SIZE = 8.5;

function noteOf(note: Note, view: ReportView, pdf: PdfBuilder): Content {
  const { number, quote, isInText, calculations, source } = note;
  const text = [
    ...pdf.text(`${isInText ? view.labels.inText : quotedText(quote)}${view.labels.from}`),
    ...alarmed(source, view, pdf),
    ...pdf.text(source.title, linkOf(source, quote)),
    ...source.byline.flatMap((part) => [...pdf.text(view.labels.comma, { color: SOFT }), ...whole(part, { color: SOFT }, pdf)]),
    ...calculations.flatMap((line) => [{ text: "\n" }, ...pdf.text(line, { color: SOFT })]),
  ];
  // The Chinese font sets lines lower. A space in this font puts the number on the same line.
  const level = text.some(({ font }) => font === "chinese") ? [{ text: " ", font: "chinese" }] : [];
  return {
    columns: [pdf.paragraph([...pdf.text(`${number}.`), ...level], { width: NUMBER_WIDTH, id: `q${number}` }), pdf.paragraph(text)],
    ...{ fontSize: NOTE_SIZE, margin: [0, 0, 0, 2] },
  };
}

function sourceItem(source: SourceLine, view: ReportView, pdf: PdfBuilder): Content {
  const numbers = source.notes.length === 0 ? [] : [{ text: "\n" }, ...pdf.text(view.labels.citedIn(source.notes), { color: SOFT })];
  return pdf.paragraph([...sourceText(source, view, pdf), ...numbers], { margin: [0, 0, 0, 2] });
}

function appendixPart({ title, tables, lines }: AppendixPart, pdf: PdfBuilder): Content[] {
  return [
    pdf.heading(title, 2, { fontSize: 9.5, margin: [0, 8, 0, 3] }),
    ...tables.map((table) => pdf.table(inPairs(table), { fontSize: 8 })),
    ...lines.map((line) => pdf.paragraph(line, { fontSize: 8 })),
  ];
}

function alarmed({ retracted }: SourceLine, { labels }: ReportView, pdf: PdfBuilder): Text[] {
  return retracted ? pdf.text(`${labels.retracted} `, { bold: true, color: ALARM }) : [];
}

function linkOf({ href }: SourceLine, quote?: string) {
  return href === null ? {} : { color: LINK, link: quote === undefined ? href : withTextFragment(href, quote) };
}

/** In characters. A longer text would not fit a line. */
const MAX_WHOLE = 60;

/** Returns a text that moves to the next line as a whole, as an address or a date does. */
function whole(text: string, look: Look, pdf: PdfBuilder): Text[] {
  return pdf.text(text, { ...look, noWrap: text.length <= MAX_WHOLE });
}

/** @param quote if given, the link leads to this quote on the page */
function sourceText(source: SourceLine, view: ReportView, pdf: PdfBuilder, quote?: string): Text[] {
  const { title, details, address } = source;
  const { comma } = view.labels;
  const link = linkOf(source, quote);
  const place = address === "" ? [] : [...pdf.text(comma), ...whole(address, link, pdf)];
  return [...alarmed(source, view, pdf), ...pdf.text(title, link), ...pdf.text(["", ...details].join(comma)), ...place];
}
