import type { ReportContent, ReportRenderer } from "../domain/ports/report-renderer.ts";
import type { Citation, Claim, LedgerEntry, Source } from "../domain/report.ts";
import { detectLanguage } from "../ranking/language.ts";
import { describeSource, readable } from "./describe-source.ts";
import { escapeMarkdown } from "./escape-markdown.ts";
import { type Labels, labelsFor } from "./labels.ts";
import { isIncomplete, notReached } from "./not-reached.ts";

/** The most lines of the ledger that a report shows; the run has all of them. */
const MAX_LEDGER_LINES = 50;

/** The report as Markdown: sentences by subtopic with their numbers, the numbered quotes with their places, and the ledger. */
export const renderMarkdown: ReportRenderer = (content) => {
  const labels = labelsFor(content.language === "auto" ? detectLanguage(content.question) : content.language);
  const answer = content.claims.length === 0 ? noAnswer(content, labels) : answered(content, labels);
  return `${[`# ${escapeMarkdown(content.question)}`, ...answer, ...ledger(content.ledger, labels)].join("\n\n")}\n`;
};

/** Looked and found nothing, could not look, and did not read are different things, and what could not be looked at is named. */
function noAnswer(content: ReportContent, labels: Labels): string[] {
  return [...whyNoAnswer(content, labels), ...notReached(content.ledger, labels)];
}

function whyNoAnswer({ reason, sources, ledger }: ReportContent, labels: Labels): string[] {
  const searches = ledger.filter(({ what }) => what === "search");
  const failed = searches.filter(({ outcome }) => outcome === "failed");
  const verdict = searches.some(isIncomplete) ? labels.noAnswerAsFar : labels.noAnswer;
  if (searches.length === 0 && sources.length === 0) return [labels.notAnswered, ...(reason === null ? [] : [escapeMarkdown(reason)])];
  if (searches.length > 0 && failed.length === searches.length && sources.length === 0) return [labels.couldNotLook];
  if (searches.length > 0 && sources.length === 0) return [verdict, labels.nothingFound];
  if (searches.length > 0 && sources.every(({ status }) => status === "found" || status === "failed")) return [labels.nothingRead];
  return reason === null ? [verdict] : [verdict, escapeMarkdown(reason)];
}

function answered({ claims, citations, sources, coverage, ledger, cutOff }: ReportContent, labels: Labels): string[] {
  return [
    ...sections(claims, retractedIds(citations, sources), labels),
    ...(cutOff === true ? [labels.cutOff] : []),
    `## ${labels.quotes}`,
    citations.map((citation) => quoteLine(citation, sources, labels)).join("\n"),
    labels.coverage(coverage.supported, coverage.sentences),
    ...doneByRules(ledger, labels),
  ];
}

/** What a model should have done and rules did, each once. */
function doneByRules(entries: readonly LedgerEntry[], labels: Labels): string[] {
  const failed = entries.filter(({ what, outcome }) => what === "model" && outcome === "failed");
  const told = failed.map(({ source, target, failure }) => {
    const say = target === "decision" ? labels.byRules.decision : labels.byRules.report;
    return say(escapeMarkdown(source), labels.modelFailures[failure ?? ""] ?? escapeMarkdown(failure ?? ""));
  });
  return told.length === 0 ? [] : [[...new Set(told)].join("\n")];
}

/** Claims stand under their subtopic, in the order in which the subtopics first come. */
function sections(claims: readonly Claim[], retracted: ReadonlySet<number>, labels: Labels): string[] {
  const number = (id: number): string => (retracted.has(id) ? `[${id}] **${labels.retracted}** ` : `[${id}]`);
  return [...Map.groupBy(claims, (claim) => claim.section)].flatMap(([section, members]) => {
    const lines = members.map((claim) => `- ${escapeMarkdown(claim.text)} ${claim.citations.map(number).join("")}`.trimEnd());
    return [...(section === "" ? [] : [`## ${escapeMarkdown(section)}`]), lines.join("\n")];
  });
}

/** The numbers of the quotes that come from works which no longer stand. */
function retractedIds(citations: readonly Citation[], sources: readonly Source[]): ReadonlySet<number> {
  const retracted = new Set(sources.filter(({ publication }) => publication?.retracted === true).map(({ id }) => id));
  return new Set(citations.filter(({ sourceId }) => retracted.has(sourceId)).map(({ id }) => id));
}

function quoteLine({ id, sourceId, quote, start, end, contentHash }: Citation, sources: readonly Source[], labels: Labels): string {
  const source = sources.find((candidate) => candidate.id === sourceId);
  const where = source === undefined ? sourceId : describeSource(source, labels);
  return `${id}. “${escapeMarkdown(quote)}” — ${where} (\`${contentHash.slice(0, 12)}\` ${start}–${end})`;
}

function ledger(entries: readonly LedgerEntry[], labels: Labels): string[] {
  if (entries.length === 0) return [];
  const head = `| ${labels.ledgerHead.join(" | ")} |\n| --- | --- | --- | ---: |`;
  const rows = entries.slice(0, MAX_LEDGER_LINES).map((entry) => ledgerRow(entry, labels));
  return [`## ${labels.ledger}`, [head, ...rows].join("\n")];
}

function ledgerRow({ what, source, target, outcome, failure, detail, results, ms }: LedgerEntry, labels: Labels): string {
  const became = what === "model" ? labels.byRules.outcome : labels.outcomes[outcome];
  const said = failure === null ? became : `${became}: ${failure}`;
  const place = what === "search" ? source : `${source} ${shorten(readable(target))}`;
  const count = outcome === "found" && what !== "download" ? ` (${results})` : "";
  const leftOut = outcome !== "failed" && what === "search" && detail !== null ? `; ${escapeMarkdown(shorten(detail))}` : "";
  return `| ${what} | ${escapeMarkdown(place)} | ${said}${count}${leftOut} | ${Math.round(ms)} |`;
}

function shorten(text: string): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
