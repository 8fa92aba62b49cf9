import {
  AlignmentType,
  BorderStyle,
  Document,
  Footer,
  HeadingLevel,
  InternalHyperlink,
  type IParagraphOptions,
  Packer,
  PageNumber,
  Paragraph,
  type ParagraphChild,
  type Table,
  TextRun,
} from "docx";
import { unzipSync } from "fflate";
import { quotedText } from "../text.ts";
import type { HeadingView } from "../view/block-view.ts";
import { inPairs } from "../view/receipt.ts";
import type { AppendixPart, QuotedPassage, ReportView } from "../view/report-view.ts";
import type { SourceLine } from "../view/source-line.ts";
import { writeReport } from "../view/write-report.ts";
import { docxBlocks } from "./blocks.ts";
import { makeDeterministic } from "./make-deterministic.ts";
import { footnotes, SOFT, sourceRuns } from "./notes.ts";
import { listsOf, numberingOf, stylesOf } from "./styles.ts";
import { tableOf } from "./table.ts";

/** Returns a DOCX. In a new thread the same view and `date` (ISO 8601) give the same bytes. */
export async function toDocx(view: ReportView, date: string): Promise<Uint8Array> {
  const { blocks, unusedNotes } = docxBlocks(view);
  const body = writeReport<Paragraph | Table>(view, {
    blocks,
    title: (text) => [new Paragraph({ text, heading: HeadingLevel.TITLE })],
    dated: (text) => [soft(text)],
    standing: (lines) => lines.map((text, index) => soft(text, index === lines.length - 1 ? { border: { bottom: RULE } } : {})),
    contents: (headings) => contents(headings, view),
    heading: (text) => [new Paragraph({ text, heading: HeadingLevel.HEADING_1 })],
    paragraph: (text) => [new Paragraph(text)],
    list: (lines) => lines.map((text) => item([new TextRun(text)])),
    closest: (passages) => passages.map((passage) => closest(passage, view)),
    notes: () => unusedNotes,
    sources: (all) => all.map((source) => sourceItem(source, view)),
    appendix: (parts) => docxAppendix(parts, view),
  });
  const document = new Document({
    title: view.title,
    subject: view.standing[0] ?? view.noAnswer[0] ?? "",
    creator: view.program,
    lastModifiedBy: view.program,
    description: view.run,
    styles: stylesOf(),
    numbering: listsOf(view),
    footnotes: footnotes(view),
    sections: [{ footers: { default: pageNumbers() }, children: body }],
  });
  return makeDeterministic(unzipSync(await Packer.toBuffer(document)), date);
}

const RULE = { style: BorderStyle.SINGLE, size: 4, color: "D7DBE0", space: 6 };

function soft(text: string, look: IParagraphOptions = {}): Paragraph {
  return new Paragraph({ spacing: { after: 60 }, ...look, children: [new TextRun({ text, size: SMALL, color: SOFT })] });
}

/** In half-points. */
const SMALL = 18;
const APPENDIX_SIZE = 17;

const item = (children: readonly ParagraphChild[], after = 140): Paragraph =>
  new Paragraph({ numbering: numberingOf(null, 0, 0), spacing: { after }, children });

function contents(headings: readonly HeadingView[], { labels }: ReportView): Paragraph[] {
  const small = { size: 19, color: SOFT };
  const spacing = { after: 20 };
  const lines = headings.map(({ depth, number, text }) => {
    const link = new InternalHyperlink({ anchor: `h${number}`, children: [new TextRun({ text, ...small })] });
    return new Paragraph({ spacing, indent: { left: depth > 1 ? 300 : 0 }, children: [link] });
  });
  const title = new TextRun({ text: labels.contents, bold: true, ...small });
  return [new Paragraph({ spacing, children: [title] }), ...lines, new Paragraph({ border: { bottom: RULE }, spacing: { after: 120 } })];
}

function closest({ quote, source }: QuotedPassage, view: ReportView): Paragraph {
  const children = [new TextRun(`${quotedText(quote)}${view.labels.from}`), ...sourceRuns(source, view)];
  return new Paragraph({ indent: { left: 360 }, children });
}

function sourceItem(source: SourceLine, view: ReportView): Paragraph {
  const cited = new TextRun({ text: view.labels.citedIn(source.notes), color: SOFT, size: SMALL, break: 1 });
  return item([...sourceRuns(source, view, SMALL), ...(source.notes.length === 0 ? [] : [cited])], 60);
}

/** Returns the parts at the end: where it looked, sentences left out, places of the quotes, receipt. */
function docxAppendix(parts: readonly AppendixPart[], { labels }: ReportView): (Paragraph | Table)[] {
  const small = (text: string, size = APPENDIX_SIZE): TextRun => new TextRun({ text, size });
  const pieces = parts.flatMap(({ title, tables, lines }) => [
    new Paragraph({ heading: HeadingLevel.HEADING_2, spacing: { before: 160, after: 60 }, children: [small(title, 20)] }),
    // Word joins tables without a paragraph between them.
    ...tables.flatMap((table) => [tableOf(inPairs(table), { size: APPENDIX_SIZE }), new Paragraph({ spacing: { after: 40 } })]),
    ...lines.map((line) => new Paragraph({ spacing: { after: 40 }, children: [small(line)] })),
  ]);
  return [new Paragraph({ text: labels.appendix, heading: HeadingLevel.HEADING_1 }), ...pieces];
}

function pageNumbers(): Footer {
  const children = [new TextRun({ children: [PageNumber.CURRENT, " / ", PageNumber.TOTAL_PAGES], size: 16, color: SOFT })];
  return new Footer({ children: [new Paragraph({ alignment: AlignmentType.CENTER, children })] });
}
