import { CELL_SEPARATOR } from "../../domain/blocks.ts";
import type { ReportedRun } from "../../domain/ports/run-service.ts";
import { blocksOf, type Claim, type ReportContent } from "../../domain/report.ts";
import { resolveLanguage } from "../../ranking/language.ts";
import { haveOneOrigin } from "../../util/support-kinds.ts";
import { isOnlyQuotes, isUncited } from "../../words/verdict.ts";
import { type Labels, labelsFor } from "../labels.ts";
import { type SupportLabels, withSigns } from "../support-labels.ts";
import { cleanText, escapeMarkdown, shorten } from "../text.ts";
import { appendixOf } from "./appendix.ts";
import { type BlockView, blockViews, type HeadingView } from "./block-view.ts";
import { rulesNotices } from "./ledger-rows.ts";
import { filesNotRead, notReached, whyNoAnswer } from "./no-answer.ts";
import type { RunFacts } from "./receipt.ts";
import { type Note, type ReportView, sentencesIn } from "./report-view.ts";
import { atPlace, type SourceLine, sourceLine, unknownSource } from "./source-line.ts";
import { legendOf, missingLine, verdictLine } from "./support-view.ts";

/** Returns the view of a run's report for a file. @param appendix false leaves out ledger, sentences left out, places and receipt */
export function viewOf(run: ReportedRun, program: string, appendix = true): ReportView {
  const { report, question, language = "auto", termination } = run;
  const view = buildView(
    { ...report, question, language, reason: report.claims.length === 0 ? (termination?.detail ?? null) : null },
    { ...run, program },
    uncitedAnswerOf(run),
  );
  return appendix ? view : { ...view, appendix: [] };
}

/** Returns the Markdown of an answer without citations; null if it is a rendered report, which begins with the question. */
function uncitedAnswerOf({ report, question }: ReportedRun): string | null {
  const { markdown } = report;
  const isAnswer = isUncited(report) && markdown.trim() !== "";
  return isAnswer && !markdown.startsWith(`# ${escapeMarkdown(cleanText(question))}\n`) ? markdown : null;
}

/** @param facts null while the run is in progress  @param uncited Markdown of an answer without citations, shown without marks */
export function buildView(content: ReportContent, facts: RunFacts | null, uncited: string | null = null): ReportView {
  const { labels, language } = labelsFor(resolveLanguage(content.language, content.question));
  const answered = content.claims.length > 0;
  const sources = quotedSources(content, labels);
  const retracted = new Set([...sources.values()].flatMap((line) => (line.retracted ? line.notes : [])));
  const hasBlocks = uncited === null || content.blocks.length > 0;
  const isOfOneOrigin = haveOneOrigin(content.claims);
  const options = { labels, retracted, isPlain: uncited !== null, isOfOneOrigin };
  const blocks = hasBlocks ? blockViews(blocksOf(content), content.claims, options) : [];
  return {
    language,
    labels,
    program: facts?.program ?? "",
    title: cleanText(content.question),
    dated: facts?.endedAt == null || !answered ? null : labels.dated(new Date(facts.endedAt), sources.size),
    standing: [
      answered ? verdictLine(content, language, labels) : null,
      isOfOneOrigin ? labels.allOneOrigin : null,
      legendOf(content, labels),
      answered && content.cutOff === true ? labels.cutOff : null,
      ...(answered ? rulesNotices(content.ledger, labels) : []),
    ].filter((line) => line !== null),
    noAnswer: answered ? [] : [...whyNoAnswer(content, language, labels), ...missingLine(content, labels)],
    notReached: [
      { title: labels.filesNotRead, lines: filesNotRead(content.ledger) },
      { title: labels.notReached, lines: answered ? [] : notReached(content.ledger, labels) },
    ].filter(({ lines }) => lines.length > 0),
    uncitedParagraphs: hasBlocks ? [] : linesOf(uncited ?? ""),
    blocks,
    leadLength: isOnlyQuotes(content) ? 0 : leadLengthOf(blocks),
    contents: contentsOf(blocks),
    closest: answered
      ? []
      : content.closest.map(({ quote, sourceId, place }) =>
          quoted(quote, atPlace(describeSource(content, sourceId, [], labels), place, labels)),
        ),
    notes: answered ? notesOf(content, sources, labels) : [],
    sources: answered ? [...sources.values()] : [],
    run: facts?.id ?? "",
    appendix: appendixOf(content, facts, labels),
  };
}

/** A report with fewer headings of the first depth, or sentences, is seen at a glance. */
const MIN_HEADINGS = 5;
const MIN_SENTENCES = 40;

function contentsOf(blocks: readonly BlockView[]): HeadingView[] {
  const headings = blocks.filter((block) => block.kind === "heading");
  const sentences = blocks.reduce((sum, block) => sum + sentencesIn(block).length, 0);
  const isLong = headings.filter(({ depth }) => depth === 1).length >= MIN_HEADINGS && sentences > MIN_SENTENCES;
  return isLong ? headings.filter(({ depth }) => depth <= 2) : [];
}

function leadLengthOf(blocks: readonly BlockView[]): number {
  const second = blocks.findIndex(({ kind }, index) => kind === "heading" && index > 0);
  return second < 0 ? blocks.length : second;
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map(cleanText)
    .filter((line) => line !== "");
}

function quotedSources(content: ReportContent, labels: Labels): ReadonlyMap<string, SourceLine> {
  const bySource = Map.groupBy(content.citations, ({ sourceId }) => sourceId);
  return new Map(
    [...bySource].map(([sourceId, members]) => {
      const numbers = members.map(({ id }) => id);
      return [sourceId, describeSource(content, sourceId, numbers, labels)];
    }),
  );
}

function describeSource({ sources }: ReportContent, sourceId: string, numbers: readonly number[], labels: Labels): SourceLine {
  const source = sources.find(({ id }) => id === sourceId);
  return source === undefined ? unknownSource(sourceId, numbers) : sourceLine(source, numbers, labels);
}

function quoted(quote: string, source: SourceLine) {
  return { quote: cleanText(quote), source };
}

function notesOf({ citations, claims }: ReportContent, sources: ReadonlyMap<string, SourceLine>, labels: Labels): Note[] {
  const { support } = labels;
  const citing = Map.groupBy(
    claims.flatMap((claim) => claim.citations.map((id) => ({ id, claim }))),
    ({ id }) => id,
  );
  return citations.flatMap(({ id, sourceId, quote, place }) => {
    const source = sources.get(sourceId);
    if (source === undefined) return [];
    const claimsOfNote = (citing.get(id) ?? []).map(({ claim }) => claim);
    const computed = claimsOfNote.filter(({ expression, citations: ids }) => expression !== null && ids[0] === id);
    const calculations = [...Map.groupBy(computed, ({ citations: ids }) => ids.toSorted((a, b) => a - b).join(" ")).values()].map(
      (members) =>
        support.calculation(
          members.map((claim) => workingOf(claim, members.length, support)).join(support.separator),
          othersOf(members[0], id),
        ),
    );
    const shown = quoted(quote, atPlace(source, place, labels));
    const isInText = claimsOfNote.some((claim) => claim.support === "quoted" && cleanText(claim.text).includes(shown.quote));
    return [{ ...shown, number: id, isInText, calculations }];
  });
}

const MAX_NAME_LENGTH = 40;

/** Returns the expression; of several in one note, each with the row or sentence that it gives the figure of. */
function workingOf({ text, expression }: Claim, count: number, support: SupportLabels): string {
  const working = withSigns(cleanText(expression ?? ""), support);
  const [name = ""] = text.split(CELL_SEPARATOR);
  return count === 1 ? working : support.workingOf(working, shorten(cleanText(name), MAX_NAME_LENGTH));
}

function othersOf(claim: Claim | undefined, id: number): number[] {
  return (claim?.citations ?? []).filter((number) => number !== id).toSorted((a, b) => a - b);
}
