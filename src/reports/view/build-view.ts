import type { ReportedRun } from "../../domain/ports/run-service.ts";
import { type Citation, type Claim, FailureCodeSchema, type LedgerEntry, type Passage, type ReportContent } from "../../domain/report.ts";
import { resolveLanguage } from "../../ranking/language.ts";
import { type Labels, labelsFor } from "../labels.ts";
import { cleanText, escapeMarkdown, readable, shorten } from "../text.ts";
import {
  buildReceipt,
  type LedgerRow,
  type Note,
  type QuotedPassage,
  type ReportView,
  type RunFacts,
  type Section,
  type SourceLine,
  sourceLine,
  unknownSource,
} from "./report-view.ts";

const MAX_LEDGER_ROWS = 50;
const MAX_LEDGER_ROWS_IN_FILE = 500;

const HASH_DIGITS = 12;

export function viewOf(run: ReportedRun, program: string): ReportView {
  const { report, question, language = "auto", termination } = run;
  return buildView(
    { ...report, question, language, reason: report.claims.length === 0 ? (termination?.detail ?? null) : null },
    { ...run, program },
    uncitedAnswerOf(run),
  );
}

/** Returns the Markdown of an answer without citations; null if it is a rendered report, which begins with the question. */
function uncitedAnswerOf({ report: { claims, citations, markdown }, question }: ReportedRun): string | null {
  const isUncited = claims.length > 0 && citations.length === 0 && markdown.trim() !== "";
  return isUncited && !markdown.startsWith(`# ${escapeMarkdown(cleanText(question))}\n`) ? markdown : null;
}

/** @param facts null while the run is in progress  @param uncited Markdown of an answer without citations, shown paragraph by paragraph */
export function buildView(content: ReportContent, facts: RunFacts | null, uncited: string | null = null): ReportView {
  const { labels, language } = labelsFor(resolveLanguage(content.language, content.question));
  const answered = content.claims.length > 0;
  const bySource = Map.groupBy(content.citations, ({ sourceId }) => sourceId);
  const quotedSources = [...bySource].map(([sourceId, members]): [string, SourceLine] => {
    const numbers = members.map(({ id }) => id);
    return [sourceId, describeSource(content, sourceId, numbers, labels)];
  });
  const sources = new Map(quotedSources);
  const retracted = new Set(quotedSources.flatMap(([, line]) => (line.retracted ? line.notes : [])));
  const ledger = ledgerRows(content.ledger, facts === null ? MAX_LEDGER_ROWS : MAX_LEDGER_ROWS_IN_FILE, labels);
  return {
    language,
    labels,
    title: cleanText(content.question),
    noAnswer: answered ? [] : whyNoAnswer(content, labels),
    notReached: answered ? [] : notReached(content.ledger, labels),
    uncitedParagraphs: (uncited ?? "")
      .split("\n")
      .map(cleanText)
      .filter((line) => line !== ""),
    sections: uncited === null ? sectionsOf(content.claims, retracted, labels) : [],
    unanswered: (content.unanswered ?? content.missing).map(cleanText).filter((line) => line !== ""),
    closest: answered ? [] : content.closest.map((passage) => quoted(passage, describeSource(content, passage.sourceId, [], labels))),
    cutOff: answered && content.cutOff === true ? labels.cutOff : null,
    notes: answered ? content.citations.flatMap((citation) => noteOf(citation, sources)) : [],
    verified: answered && uncited === null ? verifiedOf(content, labels) : null,
    rulesNotices: answered ? rulesNotices(content.ledger, labels) : [],
    sources: answered ? [...sources.values()] : [],
    ledger: ledger.rows,
    ledgerLeftOut: ledger.leftOut,
    receipt: facts === null ? null : buildReceipt(facts, labels),
  };
}

function verifiedOf({ coverage: { supported, sentences, struck = 0 }, claims, citations }: ReportContent, labels: Labels): string {
  const quotes = new Map(citations.map(({ id, quote }) => [id, quote]));
  const isQuote = ({ text, citations: ids }: Claim): boolean => ids.length > 0 && ids.map((id) => quotes.get(id)).join("\n") === text;
  const verified = labels.coverage(supported, sentences, struck);
  return claims.every(isQuote) ? `${verified} ${labels.onlyQuotes}` : verified;
}

function describeSource({ sources }: ReportContent, sourceId: string, numbers: readonly number[], labels: Labels): SourceLine {
  const source = sources.find(({ id }) => id === sourceId);
  return source === undefined ? unknownSource(sourceId, numbers) : sourceLine(source, numbers, labels);
}

function sectionsOf(claims: readonly Claim[], retracted: ReadonlySet<number>, labels: Labels): Section[] {
  return [...Map.groupBy(claims, (claim) => cleanText(claim.section))].map(([heading, members]) => ({
    heading,
    sentences: members.map(({ text, supported, citations, origins }) => ({
      text: cleanText(text),
      supported,
      marks: supported ? citations.map((number) => ({ number, retracted: retracted.has(number) })) : [],
      origins: origins > 1 ? labels.origins(origins) : "",
    })),
  }));
}

function noteOf(citation: Citation, sources: ReadonlyMap<string, SourceLine>): Note[] {
  const source = sources.get(citation.sourceId);
  return source === undefined ? [] : [{ number: citation.id, ...quoted(citation, source) }];
}

function quoted({ quote, start, end, contentHash }: Passage, source: SourceLine): QuotedPassage {
  const hash = contentHash.replace(/[^0-9a-f]/g, "").slice(0, HASH_DIGITS);
  return { quote: cleanText(quote), source, hash, offsets: `${start}–${end}` };
}

export function rulesNotices(ledger: readonly LedgerEntry[], labels: Labels): string[] {
  const failed = ledger.filter(({ what, outcome }) => what === "model" && outcome === "failed");
  const lines = failed.map(({ source, target, failure }) => {
    const did = labels.byRules.did[target] ?? labels.byRules.wrote;
    return cleanText(labels.byRules.say(source, labels.modelFailures[failure ?? ""] ?? failure ?? "", did));
  });
  return [...new Set(lines)];
}

const MAX_PLACE_LENGTH = 80;

export function ledgerRows(entries: readonly LedgerEntry[], max: number, labels: Labels): { rows: LedgerRow[]; leftOut: number } {
  const tried = withoutRepeats(entries);
  // Rows name the query only if there are several. A single query is the question, the report's title.
  const named = new Set(tried.filter(({ what }) => what === "search").map(({ target }) => target)).size > 1;
  return { rows: tried.slice(0, max).map((entry) => ledgerRow(entry, labels, named)), leftOut: Math.max(tried.length - max, 0) };
}

function withoutRepeats(entries: readonly LedgerEntry[]): LedgerEntry[] {
  const known = new Set<string>();
  return entries.filter(({ what, source, target, outcome }) => {
    const place = JSON.stringify([what, source, target]);
    const repeats = outcome === "reused" && known.has(place);
    known.add(place);
    return !repeats;
  });
}

function ledgerRow(entry: LedgerEntry, labels: Labels, named: boolean): LedgerRow {
  const { what, source, target, outcome, failure, detail, results, ms } = entry;
  const outcomeText = (outcome === "failed" ? insteadOf(what, labels) : null) ?? labels.outcomes[outcome];
  const text = failure === null ? outcomeText : `${outcomeText}: ${labels.failed(failure)}`;
  // Brackets in a model's query could look like a citation.
  const place = what === "search" ? (named ? target.replaceAll(/[[\]【】]/g, " ") : "") : readable(target);
  const count = outcome === "found" && what !== "download" ? ` (${results})` : "";
  const leftOut = outcome !== "failed" && MAY_LACK.test(what) && detail !== null ? `; ${shorten(detail, MAX_PLACE_LENGTH)}` : "";
  return {
    what: labels.attempts[what],
    place: cleanText(`${source} ${shorten(place, MAX_PLACE_LENGTH)}`),
    outcome: cleanText(`${text}${count}${leftOut}`),
    ms: String(Math.round(ms)),
  };
}

function insteadOf(what: LedgerEntry["what"], labels: Labels): string | null {
  if (what === "model") return labels.byRules.outcome;
  return what === "rerank" ? labels.byWords : null;
}

const MAX_LINES = 20;
const MAX_LINE_LENGTH = 160;

/** Attempts whose `detail` may say that something is missing: files of a search, or pages of a PDF. */
const MAY_LACK = /^(?:search|download)$/;

function isIncomplete({ what, outcome, detail }: LedgerEntry): boolean {
  return outcome === "failed" || (MAY_LACK.test(what) && detail !== null);
}

type Unanswered = Pick<ReportContent, "reason" | "sources" | "ledger" | "unanswered" | "missing">;

/** Says whether nothing was searched, found, read or answered. Omits the reason if `unanswered` has the reasons of todos. */
function whyNoAnswer({ reason: why, missing, unanswered = missing, sources, ledger }: Unanswered, labels: Labels): string[] {
  const reason = unanswered.length > 0 ? null : why;
  const searches = ledger.filter(({ what }) => what === "search");
  const failed = searches.filter(({ outcome }) => outcome === "failed");
  const verdict = searches.some(isIncomplete) ? labels.noAnswerAsFar : labels.noAnswer;
  if (searches.length === 0 && sources.length === 0) return [labels.notAnswered, ...(reason === null ? [] : [cleanText(reason)])];
  if (searches.length > 0 && failed.length === searches.length && sources.length === 0) return [labels.couldNotLook];
  if (searches.length > 0 && sources.length === 0) return [verdict, labels.nothingFound];
  if (searches.length > 0 && sources.every(({ status }) => status === "found" || status === "failed")) return [labels.nothingRead];
  return reason === null ? [verdict] : [verdict, cleanText(reason)];
}

function notReached(ledger: readonly LedgerEntry[], labels: Labels): string[] {
  const lines = [...new Set(ledger.filter(isIncomplete).map((entry) => cleanText(lineOf(entry, labels))))];
  const rest = lines.length - MAX_LINES;
  return [...lines.slice(0, MAX_LINES), ...(rest > 0 ? [labels.more(rest)] : [])];
}

function lineOf({ what, source, target, outcome, failure, detail }: LedgerEntry, labels: Labels): string {
  if (outcome !== "failed") {
    const looked = what === "download" ? shorten(target, MAX_LINE_LENGTH) : source;
    return `${labels.whatFailed[what]} ${looked}: ${shorten(detail ?? "", MAX_LINE_LENGTH)}`;
  }
  const known = FailureCodeSchema.safeParse(failure);
  const words = known.success ? labels.failures[known.data] : (failure ?? "");
  const own = what === "model" ? labels.modelFailures : what === "tool" ? labels.toolFailures : {};
  const why = own[failure ?? ""] ?? words;
  const place = what === "download" ? shorten(target, MAX_LINE_LENGTH) : source;
  const named = what === "model" && source === "model" ? "" : ` ${place}`;
  const showsDetail = detail !== null && (what !== "model" || labels.tellsModelFailures);
  const reason = showsDetail ? ` — ${shorten(detail, MAX_LINE_LENGTH)}` : "";
  return `${labels.whatFailed[what]}${named}: ${why}${reason}`;
}
