import type { ReportRenderer } from "../domain/report.ts";
import { escapeMarkdown } from "./text.ts";
import { buildView } from "./view/build-view.ts";
import {
  isInOrder,
  type QuotedPassage,
  type ReportView,
  type Section,
  type Sentence,
  type SourceLine,
  unreferencedNotes,
} from "./view/report-view.ts";

/** `list`: `[1]` and a numbered list, for every Markdown renderer. `footnotes`: `[^1]`, for GitHub, Pandoc and Obsidian. */
type NoteStyle = "list" | "footnotes";

/** Renders a report while its run is in progress, so without a receipt. */
export const renderMarkdown: ReportRenderer = (content) => toMarkdown(buildView(content, null), "list");

export function toMarkdown(view: ReportView, style: NoteStyle): string {
  const { labels, verified } = view;
  const known = new Set(style === "footnotes" ? view.notes.map(({ number }) => number) : []);
  const parts = [
    `# ${escapeMarkdown(view.title)}`,
    ...view.noAnswer.map(escapeMarkdown),
    ...(view.notReached.length === 0 ? [] : [labels.notReached, view.notReached.map((line) => `- ${escapeMarkdown(line)}`).join("\n")]),
    ...view.uncitedParagraphs.map(escapeMarkdown),
    ...view.sections.flatMap((section) => sectionOf(section, known, view)),
    ...(view.unanswered.length === 0
      ? []
      : [`## ${labels.unanswered}`, view.unanswered.map((line) => `- ${escapeMarkdown(line)}`).join("\n")]),
    ...closest(view),
    ...(view.cutOff === null ? [] : [view.cutOff]),
    ...(style === "footnotes" ? footnotes(view) : quotes(view)),
    ...(verified === null ? [] : [verified]),
    ...(view.rulesNotices.length === 0 ? [] : [view.rulesNotices.map(escapeMarkdown).join("\n")]),
    ...sources(view),
    ...ledger(view),
    ...receipt(view),
  ];
  return `${parts.join("\n\n")}\n`;
}

function sectionOf({ heading, sentences }: Section, known: ReadonlySet<number>, view: ReportView): string[] {
  const lines = sentences.map((sentence) => sentenceLine(sentence, known, view));
  return [...(heading === "" ? [] : [`## ${escapeMarkdown(heading)}`]), lines.join("\n")];
}

function sentenceLine({ text, supported, marks, origins }: Sentence, known: ReadonlySet<number>, { labels }: ReportView): string {
  const numbers = marks
    .map(({ number, retracted }) => {
      const mark = known.has(number) ? `[^${number}]` : `[${number}]`;
      return retracted ? `${mark} **${labels.retracted}** ` : mark;
    })
    .join("");
  return `- ${escapeMarkdown(text)} ${supported ? numbers : `**${labels.unsupported}**`}${origins === "" ? "" : ` ${origins}`}`.trimEnd();
}

function closest(view: ReportView): string[] {
  if (view.closest.length === 0) return [];
  // Quotations, because a numbered list would look like answers.
  return [`## ${view.labels.closest}`, ...view.closest.map((passage) => `> ${quoteText(passage, view)}`)];
}

function quotes(view: ReportView): string[] {
  if (view.notes.length === 0) return [];
  return [`## ${view.labels.quotes}`, view.notes.map((note) => `${note.number}. ${quoteText(note, view)}`).join("\n")];
}

/** Renderers drop footnotes without a reference, so uncited quotes get one. They renumber footnotes, so brackets show other numbers. */
function footnotes(view: ReportView): string[] {
  const explicit = !isInOrder(view);
  const stray = unreferencedNotes(view).map(
    ({ number, source }) => `[^${number}]${source.retracted ? ` **${view.labels.retracted}** ` : ""}`,
  );
  return [
    ...(stray.length === 0 ? [] : [`## ${view.labels.quotes}`, stray.join("").trimEnd()]),
    ...view.notes.map((note) => `[^${note.number}]: ${explicit ? `\\[${note.number}\\] ` : ""}${quoteText(note, view)}`),
  ];
}

function quoteText({ quote, source, hash, offsets }: QuotedPassage, view: ReportView): string {
  return `“${escapeMarkdown(quote)}” — ${describe(source, view)} (\`${hash}\` ${offsets})`;
}

function describe(source: SourceLine, { labels }: ReportView): string {
  const name = `${source.retracted ? `**${labels.retracted}** ` : ""}${escapeMarkdown(source.title)}`;
  const address = source.address === "" ? [] : [link(source)];
  return [name, ...source.details.map(escapeMarkdown), ...address].join(", ");
}

function link({ href, address }: SourceLine): string {
  if (href === null) return `\`${address.replaceAll("`", "%60")}\``;
  // `href` has no spaces or angle brackets. Some renderers end the link at a parenthesis.
  return `<${href.replaceAll("(", "%28").replaceAll(")", "%29")}>`;
}

function sources(view: ReportView): string[] {
  if (view.receipt === null || view.sources.length === 0) return [];
  const lines = view.sources.map((source) => `- ${describe(source, view)} ${source.notes.map((number) => `[${number}]`).join("")}`);
  return [`## ${view.labels.sources}`, lines.join("\n")];
}

function ledger({ labels, ledger: rows, ledgerLeftOut }: ReportView): string[] {
  if (rows.length === 0) return [];
  const lines = rows.map(({ what, place, outcome, ms }) => tableRow([what, place, outcome, ms]));
  const table = [`| ${labels.ledgerHead.join(" | ")} |`, "| --- | --- | --- | ---: |", ...lines].join("\n");
  return [`## ${labels.ledger}`, table, ...(ledgerLeftOut > 0 ? [labels.more(ledgerLeftOut)] : [])];
}

function receipt({ labels, receipt: given }: ReportView): string[] {
  if (given === null) return [];
  const [head, ...rest] = given.rows.map(tableRow);
  const rows = [head, "| --- | --- |", ...rest].join("\n");
  const models = [tableRow(labels.modelsHead), "| --- | ---: | ---: | ---: | ---: | ---: |", ...given.models.map(tableRow)].join("\n");
  return [`## ${labels.receipt}`, rows, ...(given.models.length === 0 ? [] : [models])];
}

function tableRow(cells: readonly string[]): string {
  // The `|` is cut off again. It avoids escapes that are needed only at the start of a line.
  return `| ${cells.map((cell) => escapeMarkdown(`|${cell}`).slice(2)).join(" | ")} |`;
}
