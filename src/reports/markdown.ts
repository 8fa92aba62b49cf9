import type { ReportRenderer } from "../domain/report.ts";
import { buildForm } from "./form/build-form.ts";
import {
  isInOrder,
  type QuotedPassage,
  type ReportForm,
  type Section,
  type Sentence,
  type SourceLine,
  unreferred,
} from "./form/report-form.ts";
import { escapeMarkdown } from "./text.ts";

/** `[1]` with a list, the same in every reader, or footnotes as in GitHub, Pandoc and Obsidian. */
type NoteStyle = "list" | "footnotes";

/** Markdown during the run: sentences with numbers, quotes, ledger. */
export const renderMarkdown: ReportRenderer = (content) => toMarkdown(buildForm(content, null), "list");

export function toMarkdown(form: ReportForm, style: NoteStyle): string {
  const { labels, verified } = form;
  const known = new Set(style === "footnotes" ? form.notes.map(({ number }) => number) : []);
  const parts = [
    `# ${escapeMarkdown(form.title)}`,
    ...form.noAnswer.map(escapeMarkdown),
    ...(form.notReached.length === 0 ? [] : [labels.notReached, form.notReached.map((line) => `- ${escapeMarkdown(line)}`).join("\n")]),
    ...form.said.map(escapeMarkdown),
    ...form.sections.flatMap((section) => sectionOf(section, known, form)),
    ...(form.unanswered.length === 0
      ? []
      : [`## ${labels.unanswered}`, form.unanswered.map((line) => `- ${escapeMarkdown(line)}`).join("\n")]),
    ...closest(form),
    ...(form.cutOff === null ? [] : [form.cutOff]),
    ...(style === "footnotes" ? footnotes(form) : quotes(form)),
    ...(verified === null ? [] : [verified]),
    ...(form.byRules.length === 0 ? [] : [form.byRules.map(escapeMarkdown).join("\n")]),
    ...sources(form),
    ...ledger(form),
    ...receipt(form),
  ];
  return `${parts.join("\n\n")}\n`;
}

function sectionOf({ heading, sentences }: Section, known: ReadonlySet<number>, form: ReportForm): string[] {
  const lines = sentences.map((sentence) => sentenceLine(sentence, known, form));
  return [...(heading === "" ? [] : [`## ${escapeMarkdown(heading)}`]), lines.join("\n")];
}

function sentenceLine({ text, supported, marks, origins }: Sentence, known: ReadonlySet<number>, { labels }: ReportForm): string {
  const numbers = marks
    .map(({ number, retracted }) => {
      const mark = known.has(number) ? `[^${number}]` : `[${number}]`;
      return retracted ? `${mark} **${labels.retracted}** ` : mark;
    })
    .join("");
  return `- ${escapeMarkdown(text)} ${supported ? numbers : `**${labels.unsupported}**`}${origins === "" ? "" : ` ${origins}`}`.trimEnd();
}

/** Block quotes, because a numbered list would look like answers. */
function closest(form: ReportForm): string[] {
  if (form.closest.length === 0) return [];
  return [`## ${form.labels.closest}`, ...form.closest.map((passage) => `> ${quoteText(passage, form)}`)];
}

function quotes(form: ReportForm): string[] {
  if (form.notes.length === 0) return [];
  return [`## ${form.labels.quotes}`, form.notes.map((note) => `${note.number}. ${quoteText(note, form)}`).join("\n")];
}

/** Readers drop unreferenced footnotes and renumber: unused quotes get a reference, and other orders show each number. */
function footnotes(form: ReportForm): string[] {
  const explicit = !isInOrder(form);
  const stray = unreferred(form).map(({ number, source }) => `[^${number}]${source.retracted ? ` **${form.labels.retracted}** ` : ""}`);
  return [
    ...(stray.length === 0 ? [] : [`## ${form.labels.quotes}`, stray.join("").trimEnd()]),
    ...form.notes.map((note) => `[^${note.number}]: ${explicit ? `\\[${note.number}\\] ` : ""}${quoteText(note, form)}`),
  ];
}

function quoteText({ quote, source, hash, offsets }: QuotedPassage, form: ReportForm): string {
  return `“${escapeMarkdown(quote)}” — ${describe(source, form)} (\`${hash}\` ${offsets})`;
}

function describe(source: SourceLine, { labels }: ReportForm): string {
  const name = `${source.retracted ? `**${labels.retracted}** ` : ""}${escapeMarkdown(source.title)}`;
  const address = source.address === "" ? [] : [link(source)];
  return [name, ...source.details.map(escapeMarkdown), ...address].join(", ");
}

function link({ href, address }: SourceLine): string {
  if (href === null) return `\`${address.replaceAll("`", "%60")}\``;
  // Parsing has encoded spaces and angle brackets; parentheses would end the link in some readers.
  return `<${href.replaceAll("(", "%28").replaceAll(")", "%29")}>`;
}

function sources(form: ReportForm): string[] {
  if (form.receipt === null || form.sources.length === 0) return [];
  const lines = form.sources.map((source) => `- ${describe(source, form)} ${source.notes.map((number) => `[${number}]`).join("")}`);
  return [`## ${form.labels.sources}`, lines.join("\n")];
}

function ledger({ labels, ledger: rows, ledgerLeftOut }: ReportForm): string[] {
  if (rows.length === 0) return [];
  const lines = rows.map(({ what, place, outcome, ms }) => tableRow([what, place, outcome, ms]));
  const table = [`| ${labels.ledgerHead.join(" | ")} |`, "| --- | --- | --- | ---: |", ...lines].join("\n");
  return [`## ${labels.ledger}`, table, ...(ledgerLeftOut > 0 ? [labels.more(ledgerLeftOut)] : [])];
}

function receipt({ labels, receipt: given }: ReportForm): string[] {
  if (given === null) return [];
  const [head, ...rest] = given.rows.map(tableRow);
  const rows = [head, "| --- | --- |", ...rest].join("\n");
  const models = [tableRow(labels.modelsHead), "| --- | ---: | ---: | ---: | ---: | ---: |", ...given.models.map(tableRow)].join("\n");
  return [`## ${labels.receipt}`, rows, ...(given.models.length === 0 ? [] : [models])];
}

function tableRow(cells: readonly string[]): string {
  // Escapes as inside a line: a cell is never at its start.
  return `| ${cells.map((cell) => escapeMarkdown(`|${cell}`).slice(2)).join(" | ")} |`;
}
