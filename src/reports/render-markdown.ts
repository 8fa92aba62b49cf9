import type { ReportRenderer } from "../domain/ports/report-renderer.ts";
import { escapeMarkdown } from "./escape-markdown.ts";
import { buildForm } from "./form/build-form.ts";
import type { Note, ReportForm, Section, Sentence, SourceLine } from "./form/report-form.ts";

/** The report as Markdown while the run is under way: sentences by subtopic with their numbers, the quotes, and the ledger. */
export const renderMarkdown: ReportRenderer = (content) => formAsMarkdown(buildForm(content, null));

/** Everything of a form as Markdown (CommonMark with GitHub's tables). Numbers in brackets lead to the quotes of the same number. */
export function formAsMarkdown(form: ReportForm): string {
  const { labels, verified } = form;
  const parts = [
    `# ${escapeMarkdown(form.title)}`,
    ...form.noAnswer.map(escapeMarkdown),
    ...(form.notReached.length === 0 ? [] : [labels.notReached, form.notReached.map((line) => `- ${escapeMarkdown(line)}`).join("\n")]),
    ...form.said.map(escapeMarkdown),
    ...form.sections.flatMap((section) => sectionOf(section, form)),
    ...(form.unanswered.length === 0
      ? []
      : [`## ${labels.unanswered}`, form.unanswered.map((line) => `- ${escapeMarkdown(line)}`).join("\n")]),
    ...(form.cutOff === null ? [] : [form.cutOff]),
    ...(form.notes.length === 0 ? [] : [`## ${labels.quotes}`, form.notes.map((note) => noteLine(note, form)).join("\n")]),
    ...(verified === null ? [] : [verified]),
    ...(form.byRules.length === 0 ? [] : [form.byRules.map(escapeMarkdown).join("\n")]),
    ...sources(form),
    ...ledger(form),
    ...receipt(form),
  ];
  return `${parts.join("\n\n")}\n`;
}

function sectionOf({ heading, sentences }: Section, form: ReportForm): string[] {
  const lines = sentences.map((sentence) => sentenceLine(sentence, form));
  return [...(heading === "" ? [] : [`## ${escapeMarkdown(heading)}`]), lines.join("\n")];
}

function sentenceLine({ text, supported, marks, origins }: Sentence, { labels }: ReportForm): string {
  const numbers = marks.map(({ number, retracted }) => (retracted ? `[${number}] **${labels.retracted}** ` : `[${number}]`)).join("");
  return `- ${escapeMarkdown(text)} ${supported ? numbers : `**${labels.unsupported}**`}${origins === "" ? "" : ` ${origins}`}`.trimEnd();
}

function noteLine({ number, quote, source, hash, offsets }: Note, form: ReportForm): string {
  return `${number}. “${escapeMarkdown(quote)}” — ${describe(source, form)} (\`${hash}\` ${offsets})`;
}

function describe(source: SourceLine, { labels }: ReportForm): string {
  const name = `${source.retracted ? `**${labels.retracted}** ` : ""}${escapeMarkdown(source.title)}`;
  const address = source.address === "" ? [] : [link(source)];
  return [name, ...source.details.map(escapeMarkdown), ...address].join(", ");
}

/** Addresses of the web become links; all others are paths, shown as people write them. */
function link({ href, address }: SourceLine): string {
  if (href === null) return `\`${address.replaceAll("`", "%60")}\``;
  // Parsing has encoded blanks and angle brackets; round ones would be read as the end of a link.
  return `<${href.replaceAll("(", "%28").replaceAll(")", "%29")}>`;
}

/** While the run is under way the quotes say it all. */
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
  // A cell is never at the start of a line, where numbers and signs would have to be escaped as well.
  return `| ${cells.map((cell) => escapeMarkdown(`|${cell}`).slice(2)).join(" | ")} |`;
}
