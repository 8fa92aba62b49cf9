import {
  AlignmentType,
  BorderStyle,
  Document,
  Footer,
  HeadingLevel,
  InternalHyperlink,
  Packer,
  PageNumber,
  Paragraph,
  type ParagraphChild,
  TextRun,
} from "docx";
import { unzipSync } from "fflate";
import { quotedText } from "../text.ts";
import type { ReportView } from "../view/report-view.ts";
import { docxAppendix } from "./appendix.ts";
import { docxBlocks } from "./blocks.ts";
import { footnotes, SOFT, sourceRuns } from "./notes.ts";
import { embedFonts, makeDeterministic } from "./package.ts";
import { listsOf, numberingOf, stylesOf } from "./styles.ts";

/** Returns a DOCX. In a new thread the same view and `date` (ISO 8601) give the same bytes. */
export async function toDocx(view: ReportView, date: string): Promise<Uint8Array> {
  const blocks = docxBlocks(view);
  const body = [
    new Paragraph({ text: view.title, heading: HeadingLevel.TITLE }),
    ...(view.dated === null ? [] : [new Paragraph({ children: [new TextRun({ text: view.dated, size: 18, color: SOFT })] })]),
    ...blocks.slice(0, view.leadLength).flat(),
    ...view.uncitedParagraphs.map((line) => new Paragraph(line)),
    ...standing(view),
    ...noAnswer(view),
    ...contents(view),
    ...blocks.slice(view.leadLength).flat(),
    ...unanswered(view),
    ...closest(view),
    ...sources(view),
    ...docxAppendix(view),
  ];
  const document = new Document({
    title: view.title,
    subject: view.standing[0] ?? view.noAnswer[0] ?? "",
    creator: view.program,
    lastModifiedBy: view.program,
    description: view.receipt?.rows[0]?.[1] ?? "",
    styles: stylesOf(),
    numbering: listsOf(view),
    footnotes: footnotes(view),
    sections: [{ footers: { default: pageNumbers() }, children: body }],
  });
  return makeDeterministic(await embedFonts(unzipSync(await Packer.toBuffer(document))), date);
}

const RULE = { style: BorderStyle.SINGLE, size: 4, color: "D7DBE0", space: 6 };

function standing({ standing: lines }: ReportView): Paragraph[] {
  return lines.map((text, index) => {
    const last = index === lines.length - 1 ? { border: { bottom: RULE } } : { spacing: { after: 60 } };
    return new Paragraph({ ...last, children: [new TextRun({ text, size: 18, color: SOFT })] });
  });
}

/** In half-points. */
const SMALL = 18;

const item = (children: readonly ParagraphChild[], after = 140): Paragraph =>
  new Paragraph({ numbering: numberingOf(null, 0, 0), spacing: { after }, children });

function noAnswer({ noAnswer: lines, notReached }: ReportView): Paragraph[] {
  const items = (missed: readonly string[]) => missed.map((line) => item([new TextRun(line)]));
  const missing = notReached.flatMap(({ title, lines: missed }) => [new Paragraph(title), ...items(missed)]);
  return [...lines.map((line) => new Paragraph(line)), ...missing];
}

function contents({ contents: headings, labels }: ReportView): Paragraph[] {
  if (headings.length === 0) return [];
  const small = { size: 19, color: SOFT };
  const spacing = { after: 20 };
  const lines = headings.map(({ depth, number, text }) => {
    const link = new InternalHyperlink({ anchor: `h${number}`, children: [new TextRun({ text, ...small })] });
    return new Paragraph({ spacing, indent: { left: depth > 1 ? 300 : 0 }, children: [link] });
  });
  const title = new TextRun({ text: labels.contents, bold: true, ...small });
  return [new Paragraph({ spacing, children: [title] }), ...lines, new Paragraph({ border: { bottom: RULE }, spacing: { after: 120 } })];
}

function unanswered({ unanswered: lines, labels }: ReportView): Paragraph[] {
  if (lines.length === 0) return [];
  const heading = new Paragraph({ text: labels.unanswered, heading: HeadingLevel.HEADING_1 });
  return [heading, ...lines.map((line) => item([new TextRun(line)]))];
}

function closest(view: ReportView): Paragraph[] {
  if (view.closest.length === 0) return [];
  const heading = new Paragraph({ text: view.labels.closest, heading: HeadingLevel.HEADING_1 });
  const passages = view.closest.map(({ quote, source }) => {
    return new Paragraph({
      indent: { left: 360 },
      children: [new TextRun(`${quotedText(quote)}${view.labels.from}`), ...sourceRuns(source, view)],
    });
  });
  return [heading, ...passages];
}

function sources(view: ReportView): Paragraph[] {
  if (view.sources.length === 0) return [];
  const items = view.sources.map((source) => {
    const numbers =
      source.notes.length === 0 ? [] : [new TextRun({ text: view.labels.citedIn(source.notes), color: SOFT, size: SMALL, break: 1 })];
    return item([...sourceRuns(source, view, SMALL), ...numbers], 60);
  });
  return [new Paragraph({ text: view.labels.sources, heading: HeadingLevel.HEADING_1 }), ...items];
}

function pageNumbers(): Footer {
  const children = [new TextRun({ children: [PageNumber.CURRENT, " / ", PageNumber.TOTAL_PAGES], size: 16, color: SOFT })];
  return new Footer({ children: [new Paragraph({ alignment: AlignmentType.CENTER, children })] });
}
