import {
  AlignmentType,
  Bookmark,
  BorderStyle,
  Document,
  ExternalHyperlink,
  Footer,
  FootnoteReferenceRun,
  HeadingLevel,
  type INumberingOptions,
  InternalHyperlink,
  LevelFormat,
  Packer,
  PageNumber,
  Paragraph,
  type ParagraphChild,
  Table,
  TableCell,
  TableRow,
  TextRun,
  WidthType,
} from "docx";
import { unzipSync } from "fflate";
import { FONTS } from "../fonts.ts";
import { isInOrder, type QuotedPassage, type ReportView, type Sentence, type SourceLine } from "../view/report-view.ts";
import { BULLET, embedFonts, makeDeterministic } from "./package.ts";

const ALARM = "A3180F";

function sourceRuns({ title, retracted, details, address, href }: SourceLine, { labels }: ReportView): ParagraphChild[] {
  const alarm = retracted ? [new TextRun({ text: `${labels.retracted} `, bold: true, color: ALARM })] : [];
  const rest = new TextRun([title, ...details, ""].join(", "));
  if (href === null) return [...alarm, address === "" ? new TextRun([title, ...details].join(", ")) : rest, new TextRun(address)];
  return [...alarm, rest, new ExternalHyperlink({ link: href, children: [new TextRun({ text: address, style: "Hyperlink" })] })];
}

/** Word numbers footnotes by their first reference. Later references link there; if our numbers differ, brackets show them. */
function createFootnoteMarks(view: ReportView) {
  const unused = new Map(view.notes.map((note) => [note.number, note]));
  const known = new Set(unused.keys());
  const explicit = !isInOrder(view);

  function markOf(number: number): ParagraphChild {
    if (!known.has(number)) return new TextRun({ text: `[${number}]`, superScript: true });
    if (unused.delete(number)) return new Bookmark({ id: `note${number}`, children: [new FootnoteReferenceRun(number)] });
    return new InternalHyperlink({ anchor: `note${number}`, children: [new TextRun({ text: `${number}`, style: "FootnoteReference" })] });
  }

  return {
    of: ({ marks }: Pick<Sentence, "marks">): ParagraphChild[] =>
      marks.flatMap(({ number, retracted }, index) => [
        ...(index === 0 ? [] : [new TextRun({ text: ", ", superScript: true })]),
        markOf(number),
        ...(explicit ? [new TextRun({ text: `[${number}]`, superScript: true })] : []),
        ...(retracted ? [new TextRun({ text: ` ${view.labels.retracted}`, bold: true, color: ALARM })] : []),
      ]),
    unused: () => [...unused.values()],
  };
}

function footnotes(view: ReportView): Record<string, { children: Paragraph[] }> {
  const explicit = !isInOrder(view);
  return Object.fromEntries(
    view.notes.map((note) => {
      const children = quoteRuns(note, view, ` ${explicit ? `[${note.number}] ` : ""}`);
      return [note.number, { children: [new Paragraph({ style: "FootnoteText", children })] }];
    }),
  );
}

function quoteRuns({ quote, source, hash, offsets }: QuotedPassage, view: ReportView, before = ""): ParagraphChild[] {
  const place = new TextRun({ text: ` (${hash} ${offsets})`, color: "5B626B" });
  return [new TextRun(`${before}“${quote}” — `), ...sourceRuns(source, view), place];
}

/** References the quotes that no sentence cites under a heading of their own. Word drops footnotes without a reference. */
function unusedNotes(view: ReportView, marks: ReturnType<typeof createFootnoteMarks>): Paragraph[] {
  const stray = marks.unused();
  if (stray.length === 0) return [];
  const children = marks.of({ marks: stray.map(({ number, source }) => ({ number, retracted: source.retracted })) });
  return [new Paragraph({ text: view.labels.quotes, heading: HeadingLevel.HEADING_1 }), new Paragraph({ children })];
}

const FONT = { ascii: FONTS.latin.family, hAnsi: FONTS.latin.family, cs: FONTS.latin.family, eastAsia: FONTS.chinese.family };
const ITEM = { reference: "points", level: 0 } as const;

const ITEM_STYLE = { paragraph: { indent: { left: 720, hanging: 360 } } };
const ITEM_LEVEL = { level: ITEM.level, format: LevelFormat.BULLET, text: BULLET, alignment: AlignmentType.LEFT, style: ITEM_STYLE };
const LISTS: INumberingOptions = { config: [{ reference: ITEM.reference, levels: [ITEM_LEVEL] }] };

const INK = "1C1E21";

/** Returns a DOCX. In a new thread the same view and `date` (ISO 8601) give the same bytes. */
export async function toDocx(view: ReportView, date: string): Promise<Uint8Array> {
  const body = [
    new Paragraph({ text: view.title, heading: HeadingLevel.TITLE }),
    ...[view.cutOff, view.verified, ...view.rulesNotices]
      .filter((line) => line !== null)
      .map((text) => new Paragraph({ children: [new TextRun({ text, italics: true })] })),
    ...noAnswer(view),
    ...view.uncitedParagraphs.map((line) => new Paragraph(line)),
    ...sections(view),
    ...unanswered(view),
    ...closest(view),
    ...appendix(view),
  ];
  const document = new Document({
    title: view.title,
    subject: view.verified ?? view.noAnswer[0] ?? "",
    creator: programOf(view),
    lastModifiedBy: programOf(view),
    description: view.receipt?.rows[0]?.[1] ?? "",
    styles: stylesOf(view),
    numbering: LISTS,
    footnotes: footnotes(view),
    sections: [{ footers: { default: pageNumbers() }, children: body }],
  });
  return makeDeterministic(await embedFonts(unzipSync(await Packer.toBuffer(document))), date);
}

function noAnswer({ noAnswer: lines, notReached, labels }: ReportView): Paragraph[] {
  const items = notReached.map((line) => new Paragraph({ text: line, numbering: ITEM }));
  return [...lines.map((line) => new Paragraph(line)), ...(items.length === 0 ? [] : [new Paragraph(labels.notReached), ...items])];
}

function sections(view: ReportView): Paragraph[] {
  const marks = createFootnoteMarks(view);
  const paragraphs = view.sections.flatMap(({ heading, sentences }) => [
    ...(heading === "" ? [] : [new Paragraph({ text: heading, heading: HeadingLevel.HEADING_1 })]),
    ...sentences.map((sentence) => {
      const origins = sentence.origins === "" ? [] : [new TextRun(` ${sentence.origins}`)];
      const alarm = sentence.supported ? [] : [new TextRun({ text: `${view.labels.unsupported} `, bold: true, color: ALARM })];
      return new Paragraph({ numbering: ITEM, children: [...alarm, new TextRun(sentence.text), ...marks.of(sentence), ...origins] });
    }),
  ]);
  return [...paragraphs, ...unusedNotes(view, marks)];
}

function unanswered({ unanswered: lines, labels }: ReportView): Paragraph[] {
  if (lines.length === 0) return [];
  const heading = new Paragraph({ text: labels.unanswered, heading: HeadingLevel.HEADING_1 });
  return [heading, ...lines.map((text) => new Paragraph({ text, numbering: ITEM }))];
}

function closest(view: ReportView): Paragraph[] {
  if (view.closest.length === 0) return [];
  const heading = new Paragraph({ text: view.labels.closest, heading: HeadingLevel.HEADING_1 });
  return [heading, ...view.closest.map((passage) => new Paragraph({ indent: { left: 360 }, children: quoteRuns(passage, view) }))];
}

function pageNumbers(): Footer {
  const children = [new TextRun({ children: [PageNumber.CURRENT, " / ", PageNumber.TOTAL_PAGES] })];
  return new Footer({ children: [new Paragraph({ alignment: AlignmentType.CENTER, children })] });
}

function stylesOf({ language }: ReportView) {
  const heading = (size: number, before: number) => ({
    run: { size, bold: true, color: INK, font: FONT },
    paragraph: { spacing: { before, after: 120 }, keepNext: true },
  });
  return {
    default: {
      document: {
        run: { font: FONT, size: 22, language: { value: language === "zh" ? "zh-CN" : "en-US", eastAsia: "zh-CN" } },
        paragraph: { spacing: { after: 120, line: 288 } },
      },
      title: heading(36, 0),
      heading1: heading(28, 320),
      heading2: heading(24, 280),
      footnoteText: { run: { size: 18, font: FONT }, paragraph: { spacing: { after: 60 } } },
    },
  };
}

function programOf({ receipt }: ReportView): string {
  return receipt?.rows.at(-1)?.[1] ?? "";
}

/** The text width in twentieths of a point: A4 with default margins. */
const WIDTH = 9026;
const LEDGER_SHARES = [0.12, 0.44, 0.32, 0.12];
const RECEIPT_SHARES = [0.3, 0.7];
const MODEL_SHARES = [0.3, 0.1, 0.15, 0.15, 0.15, 0.15];

function appendix(view: ReportView): (Paragraph | Table)[] {
  const parts = [...sources(view), ...ledger(view), ...receipt(view)];
  if (parts.length === 0) return [];
  return [new Paragraph({ text: view.labels.appendix, heading: HeadingLevel.HEADING_1 }), ...parts];
}

function sources(view: ReportView): Paragraph[] {
  if (view.sources.length === 0) return [];
  const items = view.sources.map((source) => {
    const numbers = new TextRun(` ${source.notes.map((number) => `[${number}]`).join("")}`);
    return new Paragraph({ numbering: ITEM, children: [...sourceRuns(source, view), numbers] });
  });
  return [headingOf(view.labels.sources), ...items];
}

function ledger({ labels, ledger: rows, ledgerLeftOut }: ReportView): (Paragraph | Table)[] {
  if (rows.length === 0) return [];
  const cells = rows.map(({ what, place, outcome, ms }) => [what, place, outcome, ms]);
  const more = ledgerLeftOut > 0 ? [new Paragraph(labels.more(ledgerLeftOut))] : [];
  return [headingOf(labels.ledger), table(labels.ledgerHead, cells, LEDGER_SHARES, [3]), ...more];
}

function receipt({ labels, receipt: given }: ReportView): (Paragraph | Table)[] {
  if (given === null) return [];
  const models =
    given.models.length === 0 ? [] : [new Paragraph(""), table(labels.modelsHead, given.models, MODEL_SHARES, [1, 2, 3, 4, 5])];
  return [headingOf(labels.receipt), table(null, given.rows, RECEIPT_SHARES, []), ...models];
}

const headingOf = (text: string) => new Paragraph({ text, heading: HeadingLevel.HEADING_2 });

function table(
  head: readonly string[] | null,
  rows: readonly (readonly string[])[],
  shares: readonly number[],
  numbers: readonly number[],
): Table {
  const widths = shares.map((share) => Math.round(share * WIDTH));
  const cell = (text: string, column: number, bold: boolean) =>
    new TableCell({
      width: { size: widths[column] ?? 0, type: WidthType.DXA },
      margins: { top: 40, bottom: 40, left: 80, right: 80 },
      children: [
        new Paragraph({
          alignment: numbers.includes(column) ? AlignmentType.END : AlignmentType.START,
          spacing: { after: 0 },
          children: [new TextRun({ text, bold, size: 18 })],
        }),
      ],
    });
  const line = (cells: readonly string[], isHead: boolean) =>
    new TableRow({ tableHeader: isHead, cantSplit: true, children: cells.map((text, column) => cell(text, column, isHead)) });
  const border = { style: BorderStyle.SINGLE, size: 4, color: "D7DBE0" };
  const none = { style: BorderStyle.NONE, size: 0, color: "auto" };
  return new Table({
    width: { size: WIDTH, type: WidthType.DXA },
    columnWidths: widths,
    borders: { top: border, bottom: border, insideHorizontal: border, left: none, right: none, insideVertical: none },
    rows: [...(head === null ? [] : [line(head, true)]), ...rows.map((cells) => line(cells, false))],
  });
}
