import { FAILURE_WORDS } from "../../domain/failures.ts";
import type { Hit } from "../../domain/hit.ts";
import { rankAlone } from "../../domain/hit.ts";
import { readQueries } from "../../domain/queries.ts";
import type { ToolCall } from "../../domain/tool.ts";
import { isLeftOut, OLDER_CODE } from "../../gathering/dates.ts";
import { givenUrls } from "../../gathering/given-material.ts";
import { downloadCapEntries } from "../../gathering/limits.ts";
import type { Reader } from "../../gathering/reader.ts";
import { type BegunRead, fillPlace, hasText, type Read, readKeyOfHit } from "../../gathering/reading.ts";
import { queryTerms } from "../../ranking/query-terms.ts";
import { MIN_PLACES_TOKENS, placesIn, type ShownPlaces, type Told } from "./places.ts";
import { modelsOf } from "./request.ts";
import { type ActionResult, type FinishedAction, type RoundContext, SEARCH_TOOL } from "./search-and-read.ts";
import type { AgentStateValue } from "./state.ts";

/** So many of its results a search reads at most. */
const MAX_READ = 6;
/** What the searches of a round read may fill at most this share of the model's context. */
const CONTEXT_SHARE = 0.25;

interface SearchReads {
  readonly call: FinishedAction;
  /** What the user gave, which the first search of an agent reads. */
  readonly given: readonly Hit[];
  readonly hits: readonly Hit[];
  /** The hits of the search that are not given. */
  readonly next: Iterator<Hit>;
  readonly read: Read[];
  /** What the run may not read. */
  readonly refused: Hit[];
  readonly places: Promise<void>[];
}

/**
 * Reads what the user gave and then the best of what the searches of a round found, as far as the run may, and adds to their results the
 * places that fit their queries best and were not told before. A call that was made before in this run has its result above.
 */
export async function readFound(finished: readonly FinishedAction[], context: RoundContext): Promise<FinishedAction[]> {
  const { state, reader } = context;
  const searches = searchesOf(finished, state, reader);
  const room = roomOf(state);
  if (reader.isInTime) beginAll(searches, reader, Math.floor(room / MIN_PLACES_TOKENS));
  await Promise.all(searches.flatMap(({ places }) => places));
  const { isInTime } = reader;
  const tokens = Math.floor(room / Math.max(1, searches.flatMap(({ read }) => read).length));
  const told = [...state.told];
  const results = new Map<FinishedAction, FinishedAction>();
  // In the order in which the model sees them, so that what is said to stand above does.
  for (const call of finished) {
    told.push(...(call.result.told ?? []));
    const search = searches.find((one) => one.call === call);
    if (search === undefined) continue;
    const order = [...search.given, ...search.hits].map(({ id }) => id);
    search.read.sort((a, b) => order.indexOf(a.hit.id) - order.indexOf(b.hit.id));
    const before = told.length;
    const shown = await placesIn(search.read, termsOf(call.planned.call, state), { ...context, told, tokens });
    const said = isInTime || search.read.length > 0 ? describe(search, reader, state) : " No time was left to read any.";
    results.set(call, { ...call, result: withReads(search, { ...shown, told: told.slice(before), said }, context) });
  }
  return finished.map((call) => results.get(call) ?? call);
}

/** The searches that were made and found something. The first one reads what the user gave, also if it failed itself. */
function searchesOf(finished: readonly FinishedAction[], state: AgentStateValue, reader: Reader): SearchReads[] {
  const made = finished.filter(
    ({ planned: { type, call } }) => call.name === SEARCH_TOOL.name && (type === "perform" || type === "recall"),
  );
  const isTold = ({ id }: Hit): boolean => state.told.some(({ sourceId }) => sourceId === id);
  const unread = givenUrls(state.task).filter((hit) => !reader.hasTried(hit) && !isTold(hit));
  return made.flatMap((call, at): SearchReads[] => {
    const given = at === 0 ? unread : [];
    const { result } = call;
    const hits = result.ok ? (result.shown ?? result.findings.hits) : [];
    if (hits.length + given.length === 0) return [];
    const next = hits.filter((hit) => !reader.hasFailed(hit) && !isAmong(given, hit)).values();
    return [{ call, given, hits, next, read: [], refused: [], places: [] }];
  });
}

/** Whether a hit is one of `hits`, under any spelling of its address. */
function isAmong(hits: readonly Hit[], hit: Hit): boolean {
  const key = readKeyOfHit(hit);
  return hits.some((one) => readKeyOfHit(one) === key);
}

function roomOf({ task, maxInputTokens }: AgentStateValue): number {
  const { contextTokens, maxOutputTokens } = modelsOf(task);
  const room = Math.max(0, contextTokens - maxOutputTokens);
  return Math.min(room, maxInputTokens ?? room) * CONTEXT_SHARE;
}

/**
 * Begins to read what the user gave, and then the best of each search in turn, so that one search does not use up what the run may read
 * before the others. At most `most` documents are read.
 */
function beginAll(searches: readonly SearchReads[], reader: Reader, most: number): void {
  let left = most;
  for (const search of searches) left -= search.given.filter((hit) => beginPlace(search, [hit].values(), reader)).length;
  for (let turn = 0; turn < MAX_READ; turn += 1) {
    for (const search of searches) if (left > 0 && beginPlace(search, search.next, reader)) left -= 1;
  }
}

/**
 * Begins to read the next hit that the run may read; what it has read before may stand below what it may not read. While what was read has
 * no text of its own, is too old or has the text of another document, reads the next hit in its place.
 */
function beginPlace(search: SearchReads, next: Iterator<Hit>, reader: Reader): boolean {
  const begin = (): BegunRead | null => {
    for (let hit = next.next().value; hit !== undefined; hit = next.next().value) {
      const reading = reader.begin(rankAlone(hit, 0));
      if (reading !== null) return { hit, reading };
      search.refused.push(hit);
    }
    return null;
  };
  const keep = (hit: Hit, read: Read | null): boolean => {
    if (read === null) search.refused.push(hit);
    else search.read.push(read);
    return read !== null && hasText(read) && read.isCopy !== true;
  };
  const first = begin();
  if (first === null) return false;
  search.places.push(fillPlace(first, () => (reader.isInTime ? begin() : null), keep));
  return true;
}

function isOneOf(hits: readonly Hit[], { id }: Hit): boolean {
  return hits.some((hit) => hit.id === id);
}

/** The hits of a search that the run left out, because they are older than the user's `since`. */
function olderOf({ hits, read }: SearchReads, { ledger }: Pick<AgentStateValue, "ledger">): Hit[] {
  const isOld = (hit: Hit): boolean => isLeftOut(hit, ledger) || read.some((one) => one.hit.id === hit.id && one.failure === OLDER_CODE);
  return hits.filter(isOld);
}

/** Says to the model how much was read, and why not more. */
function describe(search: SearchReads, reader: Reader, state: AgentStateValue): string {
  const { read, given, refused } = search;
  const ofGiven = read.filter(({ hit }) => isOneOf(given, hit));
  const found = read.filter(({ hit, failure }) => !isOneOf(given, hit) && failure !== OLDER_CODE);
  const older = olderOf(search, state).length;
  const texts = found.filter(hasText).length;
  const readOfGiven = ofGiven.filter(hasText).length;
  const parts = [
    texts === 0 ? "" : ` ${texts} of them read, with the places that fit best.`,
    found.length === texts ? "" : ` Could not be read: ${found.length - texts}.`,
    older === 0 ? "" : ` Left out, because their own date is before ${state.task.since}: ${older}.`,
    given.length === 0 ? "" : ` The user gave addresses: ${readOfGiven} of ${given.length} read, which come first.`,
    refused.length > 0 || !reader.mayReadMore ? " You may read no more sources." : "",
  ];
  return parts.join("");
}

interface Seen extends Awaited<ReturnType<typeof placesIn>> {
  readonly told: readonly Told[];
  readonly said: string;
}

function withReads(search: SearchReads, { told, said, ...seen }: Seen, { state, reader }: RoundContext): ActionResult {
  const { call, given, hits, read, refused } = search;
  const { result } = call;
  const older = olderOf(search, state);
  const tried = given.filter(({ id }) => read.some(({ hit }) => hit.id === id));
  const more = {
    shown: [...tried, ...hits.filter((hit) => !older.includes(hit) && !isAmong(tried, hit))],
    told,
    fresh: seen.fresh,
    places: new Map([...read.filter(({ hit }) => isOneOf(given, hit)).flatMap(placesOfFailed), ...seen.places]),
    reads: [
      ...read.flatMap(({ entries }) => entries),
      ...(read.length === 0 ? downloadCapEntries(refused.filter((hit) => isOneOf(hits, hit))) : []),
    ],
    readings: read.flatMap((one) => reader.learned(one)),
    downloads: read.reduce((sum, { downloads }) => sum + downloads, 0),
  };
  if (!result.ok) return { ...result, ...more, said };
  return { ...result, ...more, findings: { ...result.findings, text: `${result.findings.text}${said}` } };
}

function placesOfFailed({ hit, failure, contentHash }: Read): [string, ShownPlaces][] {
  if (contentHash !== null) return [];
  const text = `It could not be read: it ${FAILURE_WORDS[failure ?? "empty"]}.`;
  return [[hit.id, { text, isAbove: false, sameAs: null }]];
}

/** The words of the queries, and those of the question for texts that have none of them. */
export function termsOf({ arguments: args }: ToolCall, { task }: Pick<AgentStateValue, "task">): string[][] {
  const queries = readQueries(args).map(({ text }) => text);
  return [queries.join("\n"), task.question].map(queryTerms);
}
