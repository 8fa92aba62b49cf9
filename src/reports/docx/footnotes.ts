import {
  Bookmark,
  ExternalHyperlink,
  FootnoteReferenceRun,
  HeadingLevel,
  InternalHyperlink,
  Paragraph,
  type ParagraphChild,
  TextRun,
} from "docx";
import { isInOrder, type Note, type QuotedPassage, type ReportForm, type Sentence, type SourceLine } from "../form/report-form.ts";

export function sourceRuns({ title, retracted, details, address, href }: SourceLine, { labels }: ReportForm): ParagraphChild[] {
  const alarm = retracted ? [new TextRun({ text: `${labels.retracted} `, bold: true, color: "A3180F" })] : [];
  const rest = new TextRun([title, ...details, ""].join(", "));
  if (href === null) return [...alarm, address === "" ? new TextRun([title, ...details].join(", ")) : rest, new TextRun(address)];
  return [...alarm, rest, new ExternalHyperlink({ link: href, children: [new TextRun({ text: address, style: "Hyperlink" })] })];
}

const ALARM = "A3180F";

interface Marks {
  of(sentence: Pick<Sentence, "marks">): ParagraphChild[];
  unused(): readonly Note[];
}

/**
 * Word numbers footnotes by first reference and allows one reference each: later ones link to it. If the report's numbers differ from that
 * order, they are shown in brackets.
 */
export function createFootnoteMarks(form: ReportForm): Marks {
  const unused = new Map(form.notes.map((note) => [note.number, note]));
  const known = new Set(unused.keys());
  const explicit = !isInOrder(form);

  function markOf(number: number): ParagraphChild {
    if (!known.has(number)) return new TextRun({ text: `[${number}]`, superScript: true });
    if (unused.delete(number)) return new Bookmark({ id: `note${number}`, children: [new FootnoteReferenceRun(number)] });
    return new InternalHyperlink({ anchor: `note${number}`, children: [new TextRun({ text: `${number}`, style: "FootnoteReference" })] });
  }

  return {
    of: ({ marks }) =>
      marks.flatMap(({ number, retracted }, index) => [
        ...(index === 0 ? [] : [new TextRun({ text: ", ", superScript: true })]),
        markOf(number),
        ...(explicit ? [new TextRun({ text: `[${number}]`, superScript: true })] : []),
        ...(retracted ? [new TextRun({ text: ` ${form.labels.retracted}`, bold: true, color: ALARM })] : []),
      ]),
    unused: () => [...unused.values()],
  };
}

export function footnotes(form: ReportForm): Record<string, { children: Paragraph[] }> {
  const explicit = !isInOrder(form);
  return Object.fromEntries(
    form.notes.map((note) => {
      const children = quoteRuns(note, form, ` ${explicit ? `[${note.number}] ` : ""}`);
      return [note.number, { children: [new Paragraph({ style: "FootnoteText", children })] }];
    }),
  );
}

export function quoteRuns({ quote, source, hash, offsets }: QuotedPassage, form: ReportForm, before = ""): ParagraphChild[] {
  const place = new TextRun({ text: ` (${hash} ${offsets})`, color: "5B626B" });
  return [new TextRun(`${before}“${quote}” — `), ...sourceRuns(source, form), place];
}

/** Word drops footnotes without a reference, so unused quotes are referenced under their heading. */
export function unusedNotes(form: ReportForm, marks: Marks): Paragraph[] {
  const stray = marks.unused();
  if (stray.length === 0) return [];
  const children = marks.of({ marks: stray.map(({ number, source }) => ({ number, retracted: source.retracted })) });
  return [new Paragraph({ text: form.labels.quotes, heading: HeadingLevel.HEADING_1 }), new Paragraph({ children })];
}
