import type { ReportRenderer } from "../domain/report.ts";
import { escapeCell, markdownBlocks } from "./markdown-blocks.ts";
import { escapeMarkdown, quotedText } from "./text.ts";
import { buildView } from "./view/build-view.ts";
import { type AppendixTable, isInOrder, type Note, type ReportView, unreferencedNotes } from "./view/report-view.ts";
import type { SourceLine } from "./view/source-line.ts";
import { writeReport } from "./view/write-report.ts";

/** `list`: `[1]` and a numbered list, for every Markdown renderer. `footnotes`: `[^1]`, for GitHub, Pandoc and Obsidian. */
type NoteStyle = "list" | "footnotes";

/** Renders a report while its run is in progress, so without receipt, places and the list of sentences left out. */
export const renderMarkdown: ReportRenderer = (content) => toMarkdown(buildView(content, null), "list");

/** Returns the report as Markdown (CommonMark with GFM tables). */
export function toMarkdown(view: ReportView, style: NoteStyle): string {
  const { labels } = view;
  const footnoted = new Set(style === "footnotes" ? view.notes.map(({ number }) => number) : []);
  const heading = (text: string): string[] => [`## ${text}`];
  const list = (lines: readonly string[]): string[] => [lines.map((line) => `- ${escapeMarkdown(line)}`).join("\n")];
  const parts = writeReport<string>(view, {
    blocks: markdownBlocks(view, footnoted).map((block) => [block]),
    title: (text) => [`# ${escapeMarkdown(text)}`],
    dated: () => [],
    standing: (lines) => lines.map(escapeMarkdown),
    contents: () => [],
    heading,
    paragraph: (line) => [escapeMarkdown(line)],
    list,
    // Quotations, because a numbered list would look like answers.
    closest: (passages) =>
      passages.map(({ quote, source }) => `> ${escapeMarkdown(quotedText(quote))}${labels.from}${describe(source, view)}`),
    notes: () => (style === "footnotes" ? footnotes(view) : notes(view)),
    sources: (sources) => [sources.map((source) => `- ${describe(source, view)} ${numbersOf(source)}`).join("\n")],
    appendix: (all) =>
      all.flatMap(({ title, tables, lines }) => [...heading(title), ...tables.map(table), ...lines.map((line) => escapeMarkdown(line))]),
  });
  return `${parts.join("\n\n")}\n`;
}

function notes(view: ReportView): string[] {
  return [`## ${view.labels.quotes}`, view.notes.map((note) => `${note.number}. ${noteText(note, view)}`).join("\n")];
}

/** Renderers drop footnotes without a reference, so uncited quotes get one. They renumber footnotes, so brackets show other numbers. */
function footnotes(view: ReportView): string[] {
  const explicit = !isInOrder(view);
  const stray = unreferencedNotes(view).map(
    ({ number, source }) => `[^${number}]${source.retracted ? ` **${view.labels.retracted}** ` : ""}`,
  );
  return [
    ...(stray.length === 0 ? [] : [`## ${view.labels.quotes}`, stray.join("").trimEnd()]),
    ...view.notes.map((note) => `[^${note.number}]: ${explicit ? `\\[${note.number}\\] ` : ""}${noteText(note, view)}`),
  ];
}

function noteText({ quote, isInText, calculations, source }: Note, view: ReportView): string {
  const from = [alarmed(source, view), ...source.byline.map(escapeMarkdown)].join(view.labels.comma);
  const said = isInText ? view.labels.inText : escapeMarkdown(quotedText(quote));
  return [`${said}${view.labels.from}${from}`, ...calculations.map(escapeMarkdown)].join(view.labels.stop);
}

function alarmed({ title, retracted }: SourceLine, { labels }: ReportView): string {
  return `${retracted ? `**${labels.retracted}** ` : ""}${escapeMarkdown(title)}`;
}

function describe(source: SourceLine, view: ReportView): string {
  const address = source.address === "" ? [] : [link(source)];
  return [alarmed(source, view), ...source.details.map(escapeMarkdown), ...address].join(view.labels.comma);
}

function link({ href, address }: SourceLine): string {
  if (href === null) return `\`${address.replaceAll("`", "%60")}\``;
  // `href` has no spaces or angle brackets. Some renderers end the link at a parenthesis.
  return `<${href.replaceAll("(", "%28").replaceAll(")", "%29")}>`;
}

function numbersOf({ notes: numbers }: SourceLine): string {
  return numbers.map((number) => `[${number}]`).join("");
}

/** Markdown has no table without a head. */
function table({ head: given, rows: body, numbers }: AppendixTable): string {
  const [head = [], ...rows] = given.length === 0 ? body : [given, ...body];
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeCell).join(" | ")} |`;
  const rule = head.map((_, column) => (numbers.includes(column) ? "---:" : "---"));
  return [line(head), `| ${rule.join(" | ")} |`, ...rows.map(line)].join("\n");
}
