import { earlierQuestions } from "../domain/history.ts";
import { DOCUMENTS_SOURCE } from "../domain/hit.ts";
import { UNDETERMINED } from "../domain/language-code.ts";
import type { SearchQuery } from "../domain/ports/sources.ts";
import { kindsOf, type PlannedQuery, type QueryKind, type SourceFacts } from "../domain/queries.ts";
import type { AskedQuery } from "../domain/report.ts";
import type { Task } from "../domain/task.ts";
import { detectLanguage, hasLanguage, searchLanguage } from "../ranking/language.ts";
import { isBareRequest } from "../ranking/query-terms.ts";
import { datesOf, sinceOf } from "./dates.ts";

/** A query for each source that it goes to. */
export interface Search {
  readonly source: string;
  readonly query: SearchQuery;
  readonly asked?: AskedQuery;
}

/** So many hits a report takes of each source. */
export const HITS_PER_SOURCE = 20;

/** Returns what the sources are asked: the queries or, where a model gave none that go to a source, the words of the question. */
export function searchesFor(queries: readonly PlannedQuery[], task: Task): Search[] {
  const written = planSearches(queries, task, HITS_PER_SOURCE);
  if (written.length > 0 || task.queries !== undefined) return written;
  const { question, language, history, sources } = task;
  const earlier = earlierQuestions(history);
  const asked = isAboutGiven(queries, task) ? sources.filter((source) => source === DOCUMENTS_SOURCE) : sources;
  return asked.map((source) => {
    const words = { text: question, language: searchLanguage(language, question), limit: limitOf(source, task, HITS_PER_SOURCE) };
    return { source, query: { ...words, ...(earlier !== "" && { context: earlier }), ...sinceOf(task) } };
  });
}

/** "Summarize this" is about what the user gave, and has no word to search for. */
export function isAboutGiven(queries: readonly PlannedQuery[], { given = [], question }: Task): boolean {
  return queries.length === 0 && given.length > 0 && isBareRequest(question);
}

/**
 * Whether the question cannot stand alone as a query, as far as code can see it: there are questions before it, or a source has texts in
 * other languages only. A todo is written to stand alone, so only the languages count for it.
 */
export function needsQueries({ question, language, history, sources, sourceFacts = {}, notes }: Task): boolean {
  if (notes === undefined && history.some((turn) => turn.question.trim() !== "")) return true;
  const own = searchLanguage(language, question);
  return sources.some((source) => !hasLanguage(sourceFacts[source]?.languages, own));
}

/** Several queries share the results that are taken of a source. */
const MIN_LIMIT = 10;

/** Sources of these kinds can hold anything. */
const GENERAL_KINDS: readonly (string | undefined)[] = ["web", "corpus", "upload"];

/**
 * Returns each query with the sources of its kinds. A query of kinds that no source in scope has goes to the general ones, or to all if none
 * is general. A source with texts in some languages only is not asked in another one, unless it would be asked nothing.
 */
export function planSearches(queries: readonly PlannedQuery[], task: Task, limit: number): Search[] {
  const kinds = new Set(task.sources.map((source) => task.sourceFacts?.[source]?.kind));
  const isOfNoSource = (query: PlannedQuery): boolean =>
    !kinds.has(undefined) && (query.ofOtherKind === true || (query.kinds.length > 0 && !query.kinds.some((kind) => kinds.has(kind))));
  const hasGeneral = GENERAL_KINDS.some((kind) => kinds.has(kind));
  const instead = hasGeneral ? ("askedGeneral" as const) : ("askedAll" as const);
  return task.sources.flatMap((source) => {
    const facts = task.sourceFacts?.[source];
    const kind = facts?.kind as QueryKind | undefined;
    const takesOthers = !hasGeneral || GENERAL_KINDS.includes(kind);
    const takes = (query: PlannedQuery): boolean =>
      source === DOCUMENTS_SOURCE ||
      kind === undefined ||
      (isOfNoSource(query) ? takesOthers : query.kinds.length === 0 || query.kinds.includes(kind));
    const ofKind = queries.filter(takes);
    const inLanguage = ofKind.filter((query) => mayBeIn(query, facts));
    const own = inLanguage.length > 0 ? inLanguage : ofKind;
    const each = Math.max(Math.min(limit, MIN_LIMIT), Math.ceil(limit / Math.max(1, own.length)));
    return own.map((query): Search => {
      const asked = toSearchQuery(query, task);
      return {
        source,
        query: { ...asked, limit: limitOf(source, task, each) },
        asked: askedOf(query, asked, isOfNoSource(query) ? instead : null),
      };
    });
  });
}

/** All documents that the user gave are candidates, also those that have no word of the query. */
function limitOf(source: string, { given = [] }: Task, limit: number): number {
  return source === DOCUMENTS_SOURCE ? Math.max(limit, given.filter(({ foundBy }) => foundBy === source).length) : limit;
}

/** What the ledger tells of a query beside its words. */
function askedOf(
  { kinds, language, unused }: PlannedQuery,
  { from, to }: Pick<SearchQuery, "from" | "to">,
  instead: "askedGeneral" | "askedAll" | null,
): AskedQuery {
  return {
    ...(kinds.length > 0 && { kinds }),
    ...(instead !== null && { [instead]: true as const }),
    ...(language !== null && language !== UNDETERMINED && { language }),
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(unused !== undefined && { unused }),
  };
}

/** Whether the source may have texts in the language of a query: the one that the model names and, if only few have it, that of the script. */
function mayBeIn({ text, language }: PlannedQuery, { languages }: Partial<SourceFacts> = {}): boolean {
  const script = detectLanguage(text);
  const named = language === UNDETERMINED ? null : language;
  return [named, /^(?:zh|ja|ko)$/.test(script) ? script : null].every((one) => one === null || hasLanguage(languages, one));
}

function toSearchQuery({ text, language, ...planned }: PlannedQuery, task: Task): Omit<SearchQuery, "limit"> {
  return { text, language: languageOf(language, task, text), written: true, ...datesOf(planned, task) };
}

/** A language that is not known is replaced by no other one, except by that of the script. */
function languageOf(language: string | null, task: Task, text: string): string {
  return language === null || language === UNDETERMINED ? searchLanguage(language ?? task.language, text) : language;
}

const UNUSED =
  "Sources are told no search operators, no kinds and languages that are not known, no dates that are no days or end before they begin, and no more than six queries.";

/** Tells a model what of its queries no source was told and why, and which went to other sources than it named; empty if nothing is to tell. */
export function queryNotes(queries: readonly PlannedQuery[], searches: readonly Search[], task: Task): string {
  const unused = [...new Set(queries.flatMap((query) => query.unused ?? []))].map((value) => JSON.stringify(value));
  const left = unused.length === 0 ? [] : [`Left out of the queries: ${unused.join(", ")}. ${UNUSED}`];
  return [...left, ...movedNotes(queries, searches, task)].join(" ");
}

function movedNotes(queries: readonly PlannedQuery[], searches: readonly Search[], { sourceFacts = {} }: Task): string[] {
  const moved = searches.filter(({ asked = {} }) => asked.askedGeneral === true || asked.askedAll === true);
  if (moved.length === 0) return [];
  const texts = new Set(moved.map(({ query }) => query.text));
  const kinds = [...new Set(queries.filter(({ text }) => texts.has(text)).flatMap((query) => query.kinds))];
  const known = kindsOf(sourceFacts).filter((kind) => !kinds.includes(kind));
  const others = known.length === 0 ? "" : ` It has: ${known.join(", ")}.`;
  const asked = [...new Set(moved.map(({ source }) => source))].join(", ");
  const named = kinds.length === 0 ? "that was named" : kinds.join(", ");
  return [`This run has no source of the kind ${named}, so instead these were asked: ${asked}.${others}`];
}
