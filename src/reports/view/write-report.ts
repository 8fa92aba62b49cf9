import type { HeadingView } from "./block-view.ts";
import type { AppendixPart, Note, QuotedPassage, ReportView } from "./report-view.ts";
import type { SourceLine } from "./source-line.ts";

/** Writes the parts of a report in one format. No list that it gets is empty. */
export interface ReportWriter<Piece> {
  /** The pieces of each block of the view. */
  readonly blocks: readonly (readonly Piece[])[];
  title(text: string): Piece[];
  dated(line: string): Piece[];
  /** The lines that say who judged the report and what its sentences stand on. */
  standing(lines: readonly string[]): Piece[];
  contents(headings: readonly HeadingView[]): Piece[];
  heading(text: string): Piece[];
  paragraph(line: string): Piece[];
  list(lines: readonly string[]): Piece[];
  closest(passages: readonly QuotedPassage[]): Piece[];
  /** Writes their heading too, as some formats have footnotes. */
  notes(notes: readonly Note[]): Piece[];
  sources(sources: readonly SourceLine[]): Piece[];
  appendix(parts: readonly AppendixPart[]): Piece[];
}

/** Returns the pieces of a report in the order that all formats have. */
export function writeReport<Piece>(view: ReportView, writer: ReportWriter<Piece>): Piece[] {
  const { labels, leadLength } = view;
  const ifAny = <Item>(items: readonly Item[], write: (items: readonly Item[]) => Piece[]): Piece[] =>
    items.length === 0 ? [] : write(items);
  return [
    ...writer.title(view.title),
    ...(view.dated === null ? [] : writer.dated(view.dated)),
    ...writer.blocks.slice(0, leadLength).flat(),
    ...view.uncitedParagraphs.flatMap((line) => writer.paragraph(line)),
    ...ifAny(view.standing, (lines) => writer.standing(lines)),
    ...view.noAnswer.flatMap((line) => writer.paragraph(line)),
    ...view.notReached.flatMap(({ title, lines }) => [...writer.paragraph(title), ...writer.list(lines)]),
    ...ifAny(view.contents, (headings) => writer.contents(headings)),
    ...writer.blocks.slice(leadLength).flat(),
    ...ifAny(view.closest, (passages) => [...writer.heading(labels.closest), ...writer.closest(passages)]),
    ...ifAny(view.notes, (notes) => writer.notes(notes)),
    ...ifAny(view.sources, (sources) => [...writer.heading(labels.sources), ...writer.sources(sources)]),
    ...ifAny(view.appendix, (parts) => writer.appendix(parts)),
  ];
}
