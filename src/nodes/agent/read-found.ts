import { FAILURE_WORDS } from "../../domain/failures.ts";
import type { Hit } from "../../domain/hit.ts";
import { givenUrls } from "../shared/given-material.ts";
import { downloadCapEntries, isLeftOut, OLDER_CODE } from "../shared/limits.ts";
import { readKeyOfHit } from "../shared/read-key.ts";
import { modelsOf } from "./request.ts";
import { type HitRead, hasText, type RoundReader, type ShownRead } from "./round-reader.ts";
import { type ActionResult, type FinishedAction, type RoundContext, SEARCH_TOOL } from "./search-and-read.ts";
import { MIN_PLACES_TOKENS, placesIn, type ShownPlaces, termsOf } from "./show-places.ts";
import type { AgentStateValue } from "./state.ts";
import type { Told } from "./told.ts";

/** So many of its results a search reads at most. */
const MAX_READ = 6;
/** What the searches of a round read may fill at most this share of the model's context. */
const CONTEXT_SHARE = 0.25;

interface SearchReads {
  readonly call: FinishedAction;
  /** What the user gave, which the first search of an agent reads. */
  readonly given: readonly Hit[];
  readonly hits: readonly Hit[];
  readonly read: HitRead[];
  /** What the run may not read. */
  readonly refused: Hit[];
  readonly places: Promise<void>[];
  next: number;
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
    search.read.sort((a, b) => orderOf(search, a.hit) - orderOf(search, b.hit));
    const before = told.length;
    const shown = await placesIn(search.read, termsOf(call.planned.call, state), { ...context, told, tokens });
    const said = isInTime || search.read.length > 0 ? describe(search, reader, state) : " No time was left to read any.";
    results.set(call, { ...call, result: withReads(search, { ...shown, told: told.slice(before), said }, state) });
  }
  return finished.map((call) => results.get(call) ?? call);
}

/** The searches that were made and found something. The first one reads what the user gave, also if it failed itself. */
function searchesOf(finished: readonly FinishedAction[], state: AgentStateValue, reader: RoundReader): SearchReads[] {
  const made = finished.filter(
    ({ planned: { type, call } }) => call.name === SEARCH_TOOL.name && (type === "perform" || type === "recall"),
  );
  const isTold = ({ id }: Hit): boolean => state.told.some(({ sourceId }) => sourceId === id);
  const unread = givenUrls(state.task).filter((hit) => !reader.hasTried(hit) && !isTold(hit));
  return made.flatMap((call, at): SearchReads[] => {
    const given = at === 0 ? unread : [];
    const { result } = call;
    const hits = result.ok ? (result.shown ?? result.findings.hits) : [];
    const isEmpty = hits.length + given.length === 0;
    return isEmpty ? [] : [{ call, given, hits, read: [], refused: [], places: [], next: 0 }];
  });
}

function orderOf({ given, hits }: SearchReads, hit: Hit): number {
  return [...given, ...hits].indexOf(hit);
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
function beginAll(searches: readonly SearchReads[], reader: RoundReader, most: number): void {
  let left = most;
  for (const search of searches) {
    for (const hit of search.given) {
      const reading = reader.begin(hit);
      if (reading === null) continue;
      search.places.push(reading.then((one) => keep(hit, one, search)));
      left -= 1;
    }
  }
  const counts = searches.map(() => 0);
  for (let before = -1; before !== left; ) {
    before = left;
    for (const [at, search] of searches.entries()) {
      if (left <= 0 || (counts[at] ?? 0) >= MAX_READ) continue;
      const begun = beginNext(search, reader);
      if (begun === null) continue;
      search.places.push(fillPlace(search, begun, reader));
      counts[at] = (counts[at] ?? 0) + 1;
      left -= 1;
    }
  }
}

interface Begun {
  readonly hit: Hit;
  readonly reading: Promise<ShownRead | null>;
}

/** Begins to read the next hit that the run may read. What it has read before may stand below what it may not read. */
function beginNext(search: SearchReads, reader: RoundReader): Begun | null {
  for (;;) {
    const hit = search.hits[search.next++];
    if (hit === undefined) return null;
    if (reader.hasFailed(hit) || isGiven(hit, search)) continue;
    const reading = reader.begin(hit);
    if (reading !== null) return { hit, reading };
    search.refused.push(hit);
  }
}

/** Whether a hit is one of what the user gave, under any spelling of its address. */
function isGiven(hit: Hit, { given }: Pick<SearchReads, "given">): boolean {
  const key = readKeyOfHit(hit);
  return given.some((one) => readKeyOfHit(one) === key);
}

function keep(hit: Hit, one: ShownRead | null, { read, refused }: Pick<SearchReads, "read" | "refused">): void {
  if (one === null) refused.push(hit);
  else read.push({ ...one, hit });
}

/** While what was read has no text of its own, is too old or has the text of another document, reads the next hit in its place. */
async function fillPlace(search: SearchReads, first: Begun, reader: RoundReader): Promise<void> {
  for (let begun: Begun | null = first; begun !== null; ) {
    const { hit, reading }: Begun = begun;
    const one: ShownRead | null = await reading;
    keep(hit, one, search);
    if (one !== null && hasText(one) && one.isCopy !== true) return;
    begun = reader.isInTime ? beginNext(search, reader) : null;
  }
}

/** The hits of a search that the run left out, because they are older than the user's `since`. */
function olderOf({ hits, read }: SearchReads, { ledger }: Pick<AgentStateValue, "ledger">): Hit[] {
  const isOld = (hit: Hit): boolean => isLeftOut(hit, ledger) || read.some((one) => one.hit.id === hit.id && one.failure === OLDER_CODE);
  return hits.filter(isOld);
}

/** Says to the model how much was read, and why not more. */
function describe(search: SearchReads, reader: RoundReader, state: AgentStateValue): string {
  const { read, given, refused } = search;
  const ofGiven = read.filter(({ hit }) => given.includes(hit));
  const found = read.filter(({ hit, failure }) => !given.includes(hit) && failure !== OLDER_CODE);
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

function withReads(search: SearchReads, { told, said, ...seen }: Seen, state: AgentStateValue): ActionResult {
  const { call, given, hits, read, refused } = search;
  const { result } = call;
  const older = olderOf(search, state);
  const tried = given.filter((hit) => read.some((one) => one.hit === hit));
  const more = {
    shown: [...tried, ...hits.filter((hit) => !older.includes(hit) && !isGiven(hit, { given: tried }))],
    told,
    fresh: seen.fresh,
    places: new Map([...read.filter(({ hit }) => given.includes(hit)).flatMap(placesOfFailed), ...seen.places]),
    reads: [
      ...read.flatMap(({ entries }) => entries),
      ...(read.length === 0 ? downloadCapEntries(refused.filter((hit) => hits.includes(hit))) : []),
    ],
    readings: read.flatMap(({ readings }) => readings),
    downloads: read.reduce((sum, { downloads }) => sum + downloads, 0),
  };
  if (!result.ok) return { ...result, ...more, said };
  return { ...result, ...more, findings: { ...result.findings, text: `${result.findings.text}${said}` } };
}

function placesOfFailed({ hit, failure, contentHash }: HitRead): [string, ShownPlaces][] {
  if (contentHash !== null) return [];
  const text = `It could not be read: it ${FAILURE_WORDS[failure ?? "empty"]}.`;
  return [[hit.id, { text, isAbove: false, sameAs: null }]];
}
