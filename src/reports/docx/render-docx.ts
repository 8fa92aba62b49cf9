import { AlignmentType, Document, Footer, HeadingLevel, Packer, PageNumber, Paragraph, TextRun } from "docx";
import { unzipSync } from "fflate";
import { FONTS } from "../fonts.ts";
import type { ReportForm } from "../form/report-form.ts";
import { appendix } from "./appendix.ts";
import { embedFonts } from "./embed-fonts.ts";
import { footnotes, openMarks, quoteRuns, strayNotes } from "./footnotes.ts";
import { ITEM, LISTS } from "./list.ts";
import { settle } from "./settle.ts";

/** Word sets each letter in the font of its script, and in one of its own what none has. */
const FONT = { ascii: FONTS.latin.family, hAnsi: FONTS.latin.family, cs: FONTS.latin.family, eastAsia: FONTS.chinese.family };
const INK = "1C1E21";
const ALARM = "A3180F";

/**
 * A document for Word: headings, one paragraph for each sentence, real footnotes with quote and source, tables for ledger and
 * receipt, and its fonts, of which it holds the letters that it uses. `date` (ISO 8601) stands in its properties; the same form gives
 * the same bytes in a fresh process or thread.
 */
export async function formAsDocx(form: ReportForm, date: string): Promise<Uint8Array> {
  const body = [
    new Paragraph({ text: form.title, heading: HeadingLevel.TITLE }),
    ...[form.cutOff, form.verified, ...form.byRules]
      .filter((line) => line !== null)
      .map((text) => new Paragraph({ children: [new TextRun({ text, italics: true })] })),
    ...noAnswer(form),
    ...form.said.map((line) => new Paragraph(line)),
    ...sections(form),
    ...unanswered(form),
    ...closest(form),
    ...appendix(form),
  ];
  const document = new Document({
    title: form.title,
    subject: form.verified ?? form.noAnswer[0] ?? "",
    creator: programOf(form),
    lastModifiedBy: programOf(form),
    description: form.receipt?.rows[0]?.[1] ?? "",
    styles: stylesOf(form),
    numbering: LISTS,
    footnotes: footnotes(form),
    sections: [{ footers: { default: pageNumbers() }, children: body }],
  });
  return settle(await embedFonts(unzipSync(await Packer.toBuffer(document))), date);
}

function noAnswer({ noAnswer: lines, notReached, labels }: ReportForm): Paragraph[] {
  const items = notReached.map((line) => new Paragraph({ text: line, numbering: ITEM }));
  return [...lines.map((line) => new Paragraph(line)), ...(items.length === 0 ? [] : [new Paragraph(labels.notReached), ...items])];
}

function sections(form: ReportForm): Paragraph[] {
  const marks = openMarks(form);
  const paragraphs = form.sections.flatMap(({ heading, sentences }) => [
    ...(heading === "" ? [] : [new Paragraph({ text: heading, heading: HeadingLevel.HEADING_1 })]),
    ...sentences.map((sentence) => {
      const origins = sentence.origins === "" ? [] : [new TextRun(` ${sentence.origins}`)];
      const alarm = sentence.supported ? [] : [new TextRun({ text: `${form.labels.unsupported} `, bold: true, color: ALARM })];
      return new Paragraph({ numbering: ITEM, children: [...alarm, new TextRun(sentence.text), ...marks.of(sentence), ...origins] });
    }),
  ]);
  return [...paragraphs, ...strayNotes(form, marks)];
}

function unanswered({ unanswered: lines, labels }: ReportForm): Paragraph[] {
  if (lines.length === 0) return [];
  const heading = new Paragraph({ text: labels.unanswered, heading: HeadingLevel.HEADING_1 });
  return [heading, ...lines.map((text) => new Paragraph({ text, bullet: { level: 0 } }))];
}

function closest(form: ReportForm): Paragraph[] {
  if (form.closest.length === 0) return [];
  const heading = new Paragraph({ text: form.labels.closest, heading: HeadingLevel.HEADING_1 });
  return [heading, ...form.closest.map((passage) => new Paragraph({ indent: { left: 360 }, children: quoteRuns(passage, form) }))];
}

function pageNumbers(): Footer {
  const children = [new TextRun({ children: [PageNumber.CURRENT, " / ", PageNumber.TOTAL_PAGES] })];
  return new Footer({ children: [new Paragraph({ alignment: AlignmentType.CENTER, children })] });
}

function stylesOf({ language }: ReportForm) {
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

function programOf({ receipt }: ReportForm): string {
  return receipt?.rows.at(-1)?.[1] ?? "";
}
