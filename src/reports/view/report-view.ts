import type { Source } from "../../domain/report.ts";
import type { Run } from "../../domain/run.ts";
import type { Labels } from "../labels.ts";
import { cleanText, readable, shorten } from "../text.ts";

/** The content of a report for every file format. `cleanText` has cleaned all texts. */
export interface ReportView {
  readonly language: string;
  readonly labels: Labels;
  readonly title: string;
  readonly noAnswer: readonly string[];
  readonly notReached: readonly string[];
  /** An answer without citations has these paragraphs instead of `sections`. */
  readonly uncitedParagraphs: readonly string[];
  readonly sections: readonly Section[];
  readonly unanswered: readonly string[];
  readonly closest: readonly QuotedPassage[];
  readonly cutOff: string | null;
  readonly notes: readonly Note[];
  readonly verified: string | null;
  /** One sentence for each kind of work that rules did instead of a model. */
  readonly rulesNotices: readonly string[];
  readonly sources: readonly SourceLine[];
  readonly ledger: readonly LedgerRow[];
  readonly ledgerLeftOut: number;
  /** Null while the run is in progress. */
  readonly receipt: Receipt | null;
}

export interface Section {
  readonly heading: string;
  readonly sentences: readonly Sentence[];
}

export interface Sentence {
  readonly text: string;
  readonly supported: boolean;
  readonly marks: readonly { readonly number: number; readonly retracted: boolean }[];
  readonly origins: string;
}

export interface QuotedPassage {
  readonly quote: string;
  readonly source: SourceLine;
  readonly hash: string;
  readonly offsets: string;
}

export interface Note extends QuotedPassage {
  readonly number: number;
}

export interface SourceLine {
  readonly id: string;
  readonly kind: string;
  readonly title: string;
  readonly retracted: boolean;
  readonly details: readonly string[];
  readonly address: string;
  /** An encoded http or https URL; null for any other address. */
  readonly href: string | null;
  readonly notes: readonly number[];
}

export interface LedgerRow {
  readonly what: string;
  readonly place: string;
  readonly outcome: string;
  readonly ms: string;
}

interface Receipt {
  readonly rows: readonly (readonly [name: string, value: string])[];
  readonly models: readonly (readonly string[])[];
}

/** Whether the notes are numbered in the order of first reference, as Word and Markdown renderers number footnotes. */
export function isInOrder(view: Pick<ReportView, "sections" | "notes">): boolean {
  return [...referencedNumbers(view)].every((number, index) => number === index + 1);
}

export function unreferencedNotes(view: Pick<ReportView, "sections" | "notes">): readonly Note[] {
  const numbers = referencedNumbers(view);
  return view.notes.filter(({ number }) => !numbers.has(number));
}

function referencedNumbers({ sections, notes }: Pick<ReportView, "sections" | "notes">): ReadonlySet<number> {
  const known = new Set(notes.map(({ number }) => number));
  const numbers = sections.flatMap(({ sentences }) => sentences.flatMap(({ marks }) => marks.map(({ number }) => number)));
  return new Set(numbers.filter((number) => known.has(number)));
}

const MAX_DETAIL_LENGTH = 300;

export type RunFacts = Pick<Run, "id" | "graph" | "createdAt" | "startedAt" | "endedAt" | "termination" | "usage"> & {
  /** Name and version. */
  readonly program: string;
};

export function buildReceipt(facts: RunFacts, labels: Labels): Receipt {
  const { id, graph, createdAt, startedAt, endedAt, usage, program } = facts;
  const rows: [string, string | null][] = [
    [labels.receiptRows.run, `${id} (${graph})`],
    [labels.receiptRows.asked, instant(createdAt)],
    [labels.receiptRows.started, instant(startedAt)],
    [labels.receiptRows.ended, instant(endedAt)],
    [labels.receiptRows.ending, endingOf(facts, labels)],
    [labels.receiptRows.modelCalls, String(usage.modelCalls)],
    [labels.receiptRows.tokens, `${usage.inputTokens} + ${usage.outputTokens}`],
    [labels.receiptRows.cost, dollars(usage.costUsd)],
    [labels.receiptRows.toolCalls, String(usage.toolCalls)],
    [labels.receiptRows.sourceRequests, String(usage.sourceRequests)],
    [labels.receiptRows.downloads, String(usage.downloads)],
    [labels.receiptRows.program, program],
  ];
  return {
    rows: rows.flatMap(([name, value]) => (value === null ? [] : [[name, cleanText(value)] as const])),
    models: usage.models.map(({ model, calls, inputTokens, outputTokens, costUsd, estimated }) =>
      [cleanText(model) || "–", calls, inputTokens, outputTokens, dollars(costUsd), estimated].map(String),
    ),
  };
}

function endingOf({ termination }: RunFacts, { endings }: Labels): string | null {
  if (termination === null) return null;
  const reason = endings[termination.reason] ?? termination.reason;
  return termination.detail === null ? reason : `${reason} (${shorten(termination.detail, MAX_DETAIL_LENGTH)})`;
}

function instant(iso: string | null): string | null {
  return iso === null ? null : `${iso.slice(0, 19).replace("T", " ")} UTC`;
}

function dollars(amount: number): string {
  // Four decimals below a dollar, because one model call costs fractions of a cent.
  return `${amount.toFixed(amount > 0 && amount < 1 ? 4 : 2)} USD`;
}

const MAX_AUTHORS = 3;

export function sourceLine(
  { id, kind, title, url, publishedAt, publication }: Source,
  notes: readonly number[],
  labels: Labels,
): SourceLine {
  const year = /^\d{4}/.exec(publishedAt ?? "")?.[0] ?? "";
  return {
    id,
    kind,
    title: cleanText(title),
    retracted: publication?.retracted === true,
    details: publication === undefined ? [] : detailsOf(publication, url, year, labels),
    address: cleanText(readable(url)),
    href: hrefOf(url),
    notes,
  };
}

export function unknownSource(id: string, notes: readonly number[]): SourceLine {
  return { id, kind: "tool", title: cleanText(id), retracted: false, details: [], address: "", href: null, notes };
}

function detailsOf({ authors, venue, doi }: NonNullable<Source["publication"]>, url: string, year: string, labels: Labels): string[] {
  const by = labels.authors(authors.slice(0, MAX_AUTHORS), authors.length > MAX_AUTHORS);
  const isAtDoi =
    /^https?:\/\/(?:dx\.)?doi\.org\//i.test(url) &&
    readable(url)
      .toLowerCase()
      .endsWith(doi ?? "");
  const identifier = doi === null || isAtDoi ? "" : `doi:${doi}`;
  return [by, venue ?? "", year, identifier].map(cleanText).filter((part) => part !== "");
}

/** Returns null for all addresses that must not become links, such as `javascript:` and paths of the corpus. */
function hrefOf(url: string): string | null {
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return null;
  const { href, protocol } = new URL(url.toWellFormed());
  return protocol === "http:" || protocol === "https:" ? href : null;
}
