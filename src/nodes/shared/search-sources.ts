import { failureCodeOf } from "../../domain/failures.ts";
import { boundHits, DOCUMENTS_SOURCE, type Hit } from "../../domain/hit.ts";
import { UNDETERMINED } from "../../domain/language-code.ts";
import { nameFilesOnce } from "../../domain/left-out.ts";
import type { Effects, KeptReplies } from "../../domain/ports/effects.ts";
import type { SearchQuery, SearchSource } from "../../domain/ports/sources.ts";
import { kindsOf, type PlannedQuery, type QueryKind, type SourceFacts } from "../../domain/queries.ts";
import type { AskedQuery, LedgerEntry } from "../../domain/report.ts";
import { scopeOf, type Task } from "../../domain/request.ts";
import { DossierError, toDossierError } from "../../errors.ts";
import { stripUnknownAddresses } from "../../evidence/address-filter.ts";
import { datesOf } from "../../gathering/dates.ts";
import { detectLanguage, hasLanguage, searchLanguage } from "../../ranking/language.ts";
import { keywords } from "../../ranking/query-terms.ts";
import { RRF_K } from "../../ranking/scoring.ts";
import { type SearchResult, searchOnce } from "./shared-searches.ts";
import { knownAddresses } from "./sources.ts";

export interface SearchContext {
  readonly sources: ReadonlyMap<string, SearchSource>;
  readonly task: Task;
  readonly timeoutMs: number;
  /** For what the user gave, which may wait for its analysis; `timeoutMs` if absent. */
  readonly givenTimeoutMs?: number;
  readonly effects: Effects;
}

/** A query for each source that it goes to. */
export interface Search {
  readonly source: string;
  readonly query: SearchQuery;
  readonly asked?: AskedQuery;
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
export function limitOf(source: string, { given = [] }: Task, limit: number): number {
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

export interface Searched {
  readonly hits: Hit[];
  readonly entries: LedgerEntry[];
}

/** Performs all searches at the same time. The lists of one source are merged by rank. Files that are not read have entries of their own. */
export async function searchSources(searches: readonly Search[], context: SearchContext): Promise<Searched> {
  const searched = await Promise.all(searches.map(async (search) => ({ ...search, ...(await searchOne(search, context)) })));
  const bySource = Map.groupBy(searched, ({ source }) => source);
  return {
    hits: [...bySource.values()].flatMap((own) => mergeByRank(own.map(({ hits }) => hits))),
    entries: nameFilesOnce(searched.flatMap(({ entries }) => entries)),
  };
}

/** Reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009) of lists that may share hits. */
function mergeByRank(lists: readonly (readonly Hit[])[]): Hit[] {
  const [only, second] = lists;
  if (second === undefined) return [...(only ?? [])];
  const scores = new Map<string, { readonly hit: Hit; score: number }>();
  for (const list of lists) {
    for (const [place, hit] of list.entries()) {
      const known = scores.get(hit.id);
      if (known === undefined) scores.set(hit.id, { hit, score: 1 / (RRF_K + place + 1) });
      else known.score += 1 / (RRF_K + place + 1);
    }
  }
  return [...scores.values()].sort((a, b) => b.score - a.score).map(({ hit }) => hit);
}

/** Merges the hits of two rounds of searches by rank, for each source. */
export function mergeSearches(first: readonly Hit[], second: readonly Hit[]): Hit[] {
  const sources = new Set([...first, ...second].map(({ foundBy }) => foundBy));
  const listOf = (source: string) => [first, second].map((hits) => hits.filter(({ foundBy }) => foundBy === source));
  return [...sources].flatMap((source) => mergeByRank(listOf(source)));
}

async function searchOne({ source: id, query, asked = {} }: Search, context: SearchContext): Promise<Searched> {
  const { sources, task, effects } = context;
  const timeoutMs = id === DOCUMENTS_SOURCE ? (context.givenTimeoutMs ?? context.timeoutMs) : context.timeoutMs;
  const startedAt = effects.now();
  const known = knownAddresses({ task, hits: [] });
  const shown = (text: string): string => (query.written === true ? stripUnknownAddresses(text, known) : text);
  const told = { ...asked, ...(asked.unused && { unused: asked.unused.map(shown) }) };
  const entry = { what: "search" as const, source: id, ...(Object.keys(told).length > 0 && { asked: told }) };
  const live = async (signal: AbortSignal, replies: KeptReplies): Promise<SearchResult> => {
    if (timeoutMs === 0) throw new DossierError("timeout", "The time of the run was used up before this search.");
    const source = sources.get(id);
    if (source === undefined) throw new DossierError("unreachable", `The source ${id} is no longer configured.`);
    const answer = await source.search(query, { signal, scope: scopeOf(task), replies, runId: effects.runId });
    return { ...answer, hits: boundHits(answer.hits) };
  };
  try {
    const search = (leftMs: number) => effects.perform({ kind: "search", request: { source: id, ...query }, timeoutMs: leftMs, live });
    const { hits, gaps, sent, leftOut = [], isReused } = await searchOnce({ source: id, query }, { effects, timeoutMs }, search);
    const outcome = isReused ? "reused" : hits.length > 0 ? "found" : "nothing";
    const ended = { outcome, results: hits.length, failure: null, ms: effects.elapsedMs(startedAt) } as const;
    const detail = gaps ?? (id === DOCUMENTS_SOURCE ? deletedDocuments(hits, query, task) : null);
    return { hits, entries: [{ ...entry, target: shown(sent ?? query.text), ...ended, detail }, ...leftOut] };
  } catch (error) {
    effects.signal.throwIfAborted();
    const cause = toDossierError(error);
    const { message } = cause;
    const failure = failureCodeOf(cause, "unreachable");
    const target = shown(query.written === true ? query.text : keywords(query.text).join(" ") || query.text);
    effects.emit({ type: "source-failed", source: id, query: target, failure, message });
    const failed = { outcome: "failed" as const, results: 0, failure, detail: message, ms: effects.elapsedMs(startedAt) };
    return { hits: [], entries: [{ ...entry, target, ...failed }] };
  }
}

/** Says how many documents of the user were deleted since the run was created. The search finds all that are there, up to its limit. */
function deletedDocuments(hits: readonly Hit[], { limit, language }: SearchQuery, { given = [] }: Task): string | null {
  const documents = given.filter(({ foundBy }) => foundBy === DOCUMENTS_SOURCE);
  const count = documents.filter(({ id }) => !hits.some((hit) => hit.id === id)).length;
  if (count === 0 || hits.length >= limit) return null;
  if (/^zh\b/i.test(language)) return `${documents.length} 份文件中有 ${count} 份在查找之前已被删除`;
  return `${count} of ${documents.length} documents ${count === 1 ? "was" : "were"} deleted before this search`;
}
