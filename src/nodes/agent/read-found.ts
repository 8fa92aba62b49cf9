import { estimateTokens } from "../../domain/chat.ts";
import type { Hit } from "../../domain/hit.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { DocumentStore } from "../../domain/ports/sources.ts";
import { readQueries } from "../../domain/queries.ts";
import { queryTerms } from "../../ranking/query-terms.ts";
import { finishInTurns } from "../../util/turns.ts";
import { downloadCapEntries } from "../shared/limits.ts";
import type { FinishedCall } from "../shared/make-calls.ts";
import { loadAnalyzed } from "../shared/sources.ts";
import { bestPlaces, MAX_PLACES_LENGTH } from "./best-places.ts";
import { modelsOf } from "./request.ts";
import type { RoundReader, ShownRead } from "./round-reader.ts";
import { type ActionResult, SEARCH_TOOL } from "./search-and-read.ts";
import type { AgentStateValue } from "./state.ts";

/** So many of its results a search reads at most. */
const MAX_READ = 6;
/** What the searches of a round read may fill at most this share of the model's context. */
const CONTEXT_SHARE = 0.25;
/** A source is read only if at least so much of it can be shown, in tokens. */
const MIN_PLACES_TOKENS = 200;

export interface FoundContext {
  readonly state: AgentStateValue;
  readonly documents: DocumentStore;
  readonly effects: Effects;
  readonly reader: RoundReader;
}

type Finished = FinishedCall<ActionResult>;
type Found = Extract<ActionResult, { ok: true }>;

interface Begun {
  readonly hit: Hit;
  readonly reading: Promise<ShownRead | null>;
}

interface SearchReads {
  readonly call: Finished;
  readonly found: Found;
  readonly hits: readonly Hit[];
  readonly begun: Begun[];
  /** What the run may not read. */
  readonly refused: Hit[];
  next: number;
}

/**
 * Reads the best of what the searches of a round found, as far as the run may, and adds to their results the places that fit their queries
 * best. A call that was made before in this run has its result above.
 */
export async function readFound(finished: readonly Finished[], context: FoundContext): Promise<Finished[]> {
  const { state, reader } = context;
  const searches = finished.flatMap((call): SearchReads[] => {
    const found = foundBySearch(call);
    const hits = found?.shown ?? found?.findings.hits ?? [];
    return found === null || hits.length === 0 ? [] : [{ call, found, hits, begun: [], refused: [], next: 0 }];
  });
  const { isInTime } = reader;
  const room = roomOf(state);
  if (isInTime) beginInTurns(searches, reader, Math.floor(room / MIN_PLACES_TOKENS));
  const reads = await Promise.all(searches.map(finishReads));
  const tokens = Math.floor(room / Math.max(1, reads.flat().length));
  const results = new Map<Finished, Finished>();
  for (const [at, search] of searches.entries()) {
    const read = reads[at] ?? [];
    const places = await placesIn(read, termsOf(search.call, state), tokens, context);
    const said = isInTime ? describe(read, search, reader) : " No time was left to read any.";
    results.set(search.call, { ...search.call, result: withReads(search, read, places, said) });
  }
  return finished.map((call) => results.get(call) ?? call);
}

function withReads({ found, refused }: SearchReads, read: readonly HitRead[], places: ReadonlyMap<string, string>, said: string): Found {
  const { findings } = found;
  return {
    ...found,
    findings: { ...findings, text: `${findings.text}${said}` },
    places,
    reads: [...read.flatMap(({ entries }) => entries), ...(read.length === 0 ? downloadCapEntries(refused) : [])],
    readings: read.flatMap(({ readings }) => readings),
    downloads: read.reduce((sum, { downloads }) => sum + downloads, 0),
  };
}

function foundBySearch({ planned, result }: Finished): Found | null {
  const isSearch = planned.call.name === SEARCH_TOOL.name && (planned.type === "perform" || planned.type === "recall");
  return isSearch && result.ok ? result : null;
}

function roomOf({ task, maxInputTokens }: AgentStateValue): number {
  const { contextTokens, maxOutputTokens } = modelsOf(task);
  const room = Math.max(0, contextTokens - maxOutputTokens);
  return Math.min(room, maxInputTokens ?? room) * CONTEXT_SHARE;
}

/** Begins to read the best of each search in turn, so that one search does not use up what the run may read before the others. */
function beginInTurns(searches: readonly SearchReads[], reader: RoundReader, most: number): void {
  let left = most;
  for (let before = -1; before !== left; ) {
    before = left;
    for (const search of searches) if (left > 0 && beginNext(search, reader)) left -= 1;
  }
}

/** Begins to read the next hit that the run may read. What it has read before may stand below what it may not read. */
function beginNext(search: SearchReads, reader: RoundReader): boolean {
  while (search.begun.length < MAX_READ) {
    const hit = search.hits[search.next++];
    if (hit === undefined) return false;
    if (reader.hasFailed(hit)) continue;
    const reading = reader.begin(hit);
    if (reading !== null) {
      search.begun.push({ hit, reading });
      return true;
    }
    search.refused.push(hit);
  }
  return false;
}

type HitRead = ShownRead & { readonly hit: Hit };

async function finishReads({ begun, refused }: SearchReads): Promise<HitRead[]> {
  const reads = await Promise.all(begun.map(({ reading }) => reading));
  return begun.flatMap(({ hit }, at) => {
    const one = reads[at];
    if (one != null) return [{ ...one, hit }];
    refused.push(hit);
    return [];
  });
}

function describe(read: readonly HitRead[], { refused }: SearchReads, reader: RoundReader): string {
  const texts = read.filter(({ contentHash, isSnippet }) => contentHash !== null && !isSnippet).length;
  const parts = [
    texts === 0 ? "" : ` ${texts} of them read, with the places that fit best.`,
    read.length === texts ? "" : ` Could not be read: ${read.length - texts}.`,
    refused.length > 0 || !reader.mayReadMore ? " The run may read no more sources." : "",
  ];
  return parts.join("");
}

function termsOf({ planned }: Finished, { task }: AgentStateValue): string[] {
  const queries = readQueries(planned.call.arguments).map(({ text }) => text);
  return queryTerms([task.question, ...queries].join("\n"));
}

const ONLY_SNIPPET = "It could not be read; only this is known of it:";

/** Returns what to show of each source that was read, at most `tokens` of each. */
async function placesIn(reads: readonly HitRead[], terms: readonly string[], tokens: number, { documents, effects }: FoundContext) {
  const places = new Map<string, string>();
  for (const { hit, contentHash, isSnippet } of reads) {
    if (contentHash === null) continue;
    const { text, analysis } = await loadAnalyzed(contentHash, documents, effects);
    const placesOf = (length: number) => finishInTurns(bestPlaces(text, analysis, terms, length), effects.signal);
    const fitting = await fitTokens(placesOf, tokens);
    places.set(hit.id, isSnippet ? `${ONLY_SNIPPET} ${fitting}` : fitting);
  }
  return places;
}

async function fitTokens(placesOf: (length: number) => Promise<string>, tokens: number): Promise<string> {
  for (let length = MAX_PLACES_LENGTH; ; ) {
    const places = await placesOf(length);
    const taken = estimateTokens(places);
    if (taken <= tokens || length <= MIN_PLACES_TOKENS) return places;
    length = Math.max(MIN_PLACES_TOKENS, Math.floor(length * Math.min(0.9, tokens / taken)));
  }
}
