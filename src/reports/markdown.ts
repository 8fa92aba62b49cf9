import type { ReportRenderer } from "../domain/report.ts";
import { escapeCell, markdownBlocks } from "./markdown-blocks.ts";
import { escapeMarkdown, quotedText } from "./text.ts";
import { buildView } from "./view/build-view.ts";
import { isInOrder, type Note, type ReportView, unreferencedNotes } from "./view/report-view.ts";
import type { SourceLine } from "./view/source-line.ts";

/** `list`: `[1]` and a numbered list, for every Markdown renderer. `footnotes`: `[^1]`, for GitHub, Pandoc and Obsidian. */
type NoteStyle = "list" | "footnotes";

/** Renders a report while its run is in progress, so without receipt, places and the list of sentences left out. */
export const renderMarkdown: ReportRenderer = (content) => toMarkdown(buildView(content, null), "list");

/** Returns the report as Markdown (CommonMark with GFM tables). */
export function toMarkdown(view: ReportView, style: NoteStyle): string {
  const { labels } = view;
  const footnoted = new Set(style === "footnotes" ? view.notes.map(({ number }) => number) : []);
  const blocks = markdownBlocks(view, footnoted);
  const parts = [
    `# ${escapeMarkdown(view.title)}`,
    ...blocks.slice(0, view.leadLength),
    ...view.uncitedParagraphs.map(escapeMarkdown),
    ...view.standing.map(escapeMarkdown),
    ...view.noAnswer.map(escapeMarkdown),
    ...view.notReached.flatMap(({ title, lines }) => [title, bullets(lines)]),
    ...blocks.slice(view.leadLength),
    ...(view.unanswered.length === 0 ? [] : [`## ${labels.unanswered}`, bullets(view.unanswered)]),
    ...closest(view),
    ...(style === "footnotes" ? footnotes(view) : notes(view)),
    ...sources(view),
    ...ledger(view),
    ...struck(view),
    ...places(view),
    ...receipt(view),
  ];
  return `${parts.join("\n\n")}\n`;
}

function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${escapeMarkdown(line)}`).join("\n");
}

function closest(view: ReportView): string[] {
  if (view.closest.length === 0) return [];
  // Quotations, because a numbered list would look like answers.
  const lines = view.closest.map(
    ({ quote, source }) => `> ${escapeMarkdown(quotedText(quote))}${view.labels.from}${describe(source, view)}`,
  );
  return [`## ${view.labels.closest}`, ...lines];
}

function notes(view: ReportView): string[] {
  if (view.notes.length === 0) return [];
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

function sources(view: ReportView): string[] {
  if (view.sources.length === 0) return [];
  const lines = view.sources.map((source) => `- ${describe(source, view)} ${source.notes.map((number) => `[${number}]`).join("")}`);
  return [`## ${view.labels.sources}`, lines.join("\n")];
}

function ledger({ labels, ledger: rows, ledgerLeftOut }: ReportView): string[] {
  if (rows.length === 0) return [];
  const cells = rows.map(({ what, place, outcome }) => [what, place, outcome]);
  return [`## ${labels.ledger}`, table(labels.ledgerHead, cells), ...(ledgerLeftOut > 0 ? [labels.more(ledgerLeftOut)] : [])];
}

function struck({ labels: { support }, struck: rows }: ReportView): string[] {
  return rows.length === 0 ? [] : [`## ${support.struck}`, table(support.struckHead, rows)];
}

function places({ labels, places: documents }: ReportView): string[] {
  if (documents.length === 0) return [];
  const lines = documents.map(({ hash, spans }) => `- \`${hash}\`: ${spans.join(", ")}`);
  return [`## ${labels.places}`, labels.placesNote, lines.join("\n")];
}

function receipt({ labels, receipt: given }: ReportView): string[] {
  if (given === null) return [];
  const [head = [], ...rest] = given.rows;
  const models = given.models.length === 0 ? [] : [table(labels.modelsHead, given.models, [1, 2, 3, 4, 5])];
  return [`## ${labels.receipt}`, table(head, rest), ...models];
}

function table(head: readonly string[], rows: readonly (readonly string[])[], numbers: readonly number[] = []): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(escapeCell).join(" | ")} |`;
  const rule = head.map((_, column) => (numbers.includes(column) ? "---:" : "---"));
  return [line(head), `| ${rule.join(" | ")} |`, ...rows.map(line)].join("\n");
}
