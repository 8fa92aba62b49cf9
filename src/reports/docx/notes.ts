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
import { quotedText } from "../text.ts";
import { isInOrder, type Note, type ReportView } from "../view/report-view.ts";
import type { SourceLine } from "../view/source-line.ts";
import { MARK } from "./styles.ts";

export const ALARM = "A3180F";
export const SOFT = "5B626B";
/** A narrow space at which no line breaks keeps marks on the line of their sentence. */
export const JOINED = "\u202f";

export const raised = (text: string): TextRun => new TextRun({ text, ...MARK });

export type FootnoteMarks = ReturnType<typeof createFootnoteMarks>;

type Citation = { readonly number: number; readonly retracted: boolean };

/** Word numbers footnotes by their first reference. Later references link there; if our numbers differ, brackets show them. */
export function createFootnoteMarks(view: ReportView) {
  const unused = new Map(view.notes.map((note) => [note.number, note]));
  const known = new Set(unused.keys());
  const explicit = !isInOrder(view);

  function markOf(number: number): ParagraphChild {
    if (!known.has(number)) return raised(`${number}`);
    if (unused.delete(number)) return new Bookmark({ id: `note${number}`, children: [new FootnoteReferenceRun(number)] });
    return new InternalHyperlink({ anchor: `note${number}`, children: [raised(`${number}`)] });
  }

  return {
    of: (citations: readonly Citation[]): ParagraphChild[] =>
      citations.flatMap(({ number, retracted }) => [
        raised(`${JOINED}[`),
        markOf(number),
        raised(explicit && known.has(number) ? `=${number}]` : "]"),
        ...(retracted ? [new TextRun({ text: ` ${view.labels.retracted}`, bold: true, color: ALARM })] : []),
      ]),
    unused: () => [...unused.values()],
  };
}

/** Returns the footnotes by their numbers: quote, title, publisher, date and calculations. */
export function footnotes(view: ReportView): Record<string, { children: Paragraph[] }> {
  const explicit = !isInOrder(view);
  return Object.fromEntries(
    view.notes.map((note) => {
      const children = noteRuns(note, view, ` ${explicit ? `[${note.number}] ` : ""}`);
      return [note.number, { children: [new Paragraph({ style: "FootnoteText", children })] }];
    }),
  );
}

function noteRuns({ quote, isInText, calculations, source }: Note, view: ReportView, before: string): ParagraphChild[] {
  const byline = ["", ...source.byline.map(wholeDate)].join(view.labels.comma);
  return [
    new TextRun(`${before}${isInText ? view.labels.inText : quotedText(quote)}${view.labels.from}`),
    ...alarmed(source, view),
    ...(source.href === null ? [new TextRun(source.title)] : [linked(source.title, source.href)]),
    ...(byline === "" ? [] : [new TextRun({ text: byline, color: SOFT })]),
    ...calculations.map((line) => new TextRun({ text: line, color: SOFT, break: 1 })),
  ];
}

/** Writes a date with hyphens at which no line breaks (U+2011). */
function wholeDate(text: string): string {
  return /^\d{4}(?:-\d\d){1,2}$/.test(text) ? text.replaceAll("-", "\u2011") : text;
}

/** References the quotes that no sentence cites under a heading of their own. Word drops footnotes without a reference. */
export function unusedNotes(view: ReportView, marks: FootnoteMarks): Paragraph[] {
  const stray = marks.unused();
  if (stray.length === 0) return [];
  const children = marks.of(stray.map(({ number, source }) => ({ number, retracted: source.retracted })));
  return [new Paragraph({ text: view.labels.quotes, heading: HeadingLevel.HEADING_1 }), new Paragraph({ children })];
}

/** Returns title, details and address of a source. @param size of the letters in half-points */
export function sourceRuns(source: SourceLine, view: ReportView, size?: number): ParagraphChild[] {
  const { title, details, address, href } = source;
  const { comma } = view.labels;
  const look = size === undefined ? {} : { size };
  const plain = (text: string): TextRun => new TextRun({ text, ...look });
  const shown = (text: string): ParagraphChild => (href === null ? plain(text) : linked(text, href, look));
  const known = ["", ...details].join(comma);
  const place = address === "" ? [plain(known)] : [plain(`${known}${comma}`), shown(address)];
  return [...alarmed(source, view), shown(title), ...place];
}

function alarmed({ retracted }: SourceLine, { labels }: ReportView): TextRun[] {
  return retracted ? [new TextRun({ text: `${labels.retracted} `, bold: true, color: ALARM })] : [];
}

function linked(text: string, link: string, look: { readonly size?: number } = {}): ParagraphChild {
  return new ExternalHyperlink({ link, children: [new TextRun({ text, style: "Hyperlink", ...look })] });
}
