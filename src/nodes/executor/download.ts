import { documentsOfDepth } from "../../domain/depth.ts";
import type { StoredDocument } from "../../domain/document.ts";
import { failureCodeOf } from "../../domain/failures.ts";
import { addressOf, DOCUMENTS_SOURCE, type Hit, isUntitled, LINKS_SOURCE, type RankedHit, URLS_SOURCE } from "../../domain/hit.ts";
import type { Effects, GraphNode, KeptReplies } from "../../domain/ports/effects.ts";
import type { DocumentReader, DocumentStore } from "../../domain/ports/sources.ts";
import type { FailureCode, LedgerEntry } from "../../domain/report.ts";
import { scopeOf } from "../../domain/request.ts";
import { type ReadOutcome, SharedReads } from "../../domain/shared-reads.ts";
import { DossierError, toDossierError } from "../../errors.ts";
import { stripUnknownAddresses } from "../../evidence/address-filter.ts";
import { unlessAborted } from "../../util/abort.ts";
import {
  countDownloads,
  downloadCapEntries,
  isOlder,
  OLDER_CODE,
  olderEntries,
  readingMsLeft,
  takeDownloads,
  unreplacedEntries,
} from "../shared/limits.ts";
import { readKeyOf, readKeyOfHit } from "../shared/read-key.ts";
import { recalledEntry, recallReading, reusedEntry } from "../shared/thread-readings.ts";
import type { ExecutorStateValue, ExecutorUpdate, KnownReading, ReadHit } from "./state.ts";

export interface ReadDeps {
  readonly reader: DocumentReader;
  readonly documents: DocumentStore;
}

export interface DownloadDeps extends ReadDeps {
  readonly downloadTimeoutMs: number;
}

export function createDownloadNode({ reader, documents, downloadTimeoutMs }: DownloadDeps): GraphNode<ExecutorStateValue, ExecutorUpdate> {
  return async (state, effects) => {
    const knownOf = lookUpKnown(state.known);
    const isKnown = (hit: RankedHit): boolean => knownOf(hit) !== undefined;
    const withText = state.ranked.flatMap((hit): ReadHit[] => {
      const { contentHash = hit.contentHash, title = hit.title } = knownOf(hit) ?? {};
      return contentHash === null
        ? []
        : [{ hit: { ...hit, title }, status: "read", contentHash: hit.contentHash ?? contentHash, failure: null }];
    });
    const delivered = withText.filter(({ hit }) => hit.contentHash !== null);
    const reused = withText.filter(({ hit }) => hit.contentHash === null);
    const recalled = await recallAll(
      state.ranked.filter((hit) => !isKnown(hit)),
      state,
      documents,
      effects,
    );
    const { limits } = state.task;
    const isRecalled = ({ id }: RankedHit): boolean => recalled.some(({ hit }) => hit.id === id);
    const isUnread = (hit: RankedHit): boolean => hit.contentHash === null && !isKnown(hit);
    const unread = state.ranked.filter((hit) => isUnread(hit) && !isRecalled(hit)).map(({ readAt: _, ...hit }) => hit);
    // What another todo reads is downloaded and counted there.
    const isShared = (hit: RankedHit): boolean => effects.reads?.has(readKeyOfHit(hit)) === true;
    const shared = unread.filter(isShared);
    const wanted = unread.filter((hit) => !shared.includes(hit));
    // What the user gave is read once for all todos.
    const given = wanted.filter(({ foundBy }) => foundBy === URLS_SOURCE || foundBy === DOCUMENTS_SOURCE);
    const addressed = given.filter(({ foundBy }) => foundBy === URLS_SOURCE).length;
    const ofDepth = documentsOfDepth(state.task) - recalled.length;
    // The depth bounds what the run chooses to read, not what the user gave.
    const places = Math.max(0, Math.min(limits.downloads, Math.max(ofDepth, addressed)));
    const missing = wanted.slice(0, takeDownloads(wanted.length, places, effects, given.length));
    const alternatives = alternativesOf(missing, state.hits);
    const second = takeDownloads(alternatives.size, places - missing.length, effects);
    const addresses = addressesOf(missing, alternatives, second);
    const timeoutMs = (): number => Math.min(downloadTimeoutMs, readingMsLeft(state, effects));
    const context = { reader, documents, timeoutMs, scope: scopeOf(state.task), since: state.task.since, effects };
    let taken = missing.length + second;
    const spares = [...wanted.slice(missing.length), ...state.spare.filter(isUnread)].values();
    const unreplaced: RankedHit[] = [];
    /** Reads the next spare hit; null if there is none, or no download for it. */
    const readNext = (): Promise<Fetched> | null => {
      const { value: hit } = spares.next();
      if (hit === undefined) return null;
      if (isShared(hit)) return joinRead(hit, context);
      if (takeDownloads(1, limits.downloads - taken, effects) === 0) {
        unreplaced.push(hit);
        return null;
      }
      taken += 1;
      return readFirst(addressesToTry(hit), context);
    };
    const fetched = await Promise.all([
      ...addresses.map((hits) => fillPlace(readFirst(hits, context), readNext)),
      ...shared.map((hit) => fillPlace(joinRead(hit, context), readNext)),
    ]);
    const made = countDownloads(fetched.flatMap(({ entries }) => entries));
    effects.budget?.returnDownloads(Math.max(0, taken - made));
    const read = [...delivered, ...reused, ...recalled, ...fetched.flatMap((one) => one.read)].sort((a, b) => b.hit.score - a.hit.score);
    const isRead = ({ id }: RankedHit): boolean => read.some(({ hit }) => hit.id === id);
    const unreadGiven = [
      ...Map.groupBy(
        given.filter((hit) => !missing.includes(hit) && !isRead(hit)),
        ({ foundBy }) => foundBy,
      ).values(),
    ];
    const left = [...(missing.length === 0 ? [wanted] : unreadGiven).flatMap(downloadCapEntries), ...unreplacedEntries(unreplaced)];
    const again = [...reused.map(({ hit }) => reusedEntry(hit, null)), ...recalled.map(({ hit }) => recalledEntry(hit))];
    return { read, ledger: [...again, ...fetched.flatMap((one) => one.entries), ...left] };
  };
}

/** Finds what the run has already read of a hit, under any spelling of its address. */
function lookUpKnown(known: readonly KnownReading[]): (hit: Pick<Hit, "id" | "url">) => KnownReading | undefined {
  const byId = new Map(known.map((reading) => [reading.sourceId, reading]));
  const byKey = new Map(
    known.flatMap((reading) => (reading.address === undefined ? [] : [[readKeyOf(reading.address), reading] as const])),
  );
  return ({ id, url }) => byId.get(id) ?? byKey.get(readKeyOf(url));
}

/** While what was read is older than the user's `since`, reads the next hit for the same place. */
async function fillPlace(first: Promise<Fetched>, readNext: () => Promise<Fetched> | null): Promise<Fetched> {
  const read: ReadHit[] = [];
  const entries: LedgerEntry[] = [];
  for (let next: Promise<Fetched> | null = first; next !== null; ) {
    const fetched: Fetched = await next;
    read.push(...fetched.read);
    entries.push(...fetched.entries);
    next = fetched.read.some(({ failure }) => failure === OLDER_CODE) ? readNext() : null;
  }
  return { read, entries };
}

/** Takes what earlier runs of the thread read. What is gone is left out, and downloaded as any other hit. */
async function recallAll(hits: readonly RankedHit[], { task }: ExecutorStateValue, documents: DocumentStore, effects: Effects) {
  const recalled: ReadHit[] = [];
  for (const hit of hits) {
    const one = hit.contentHash === null ? await recallReading(hit, task, documents, effects) : null;
    if (one !== null) recalled.push({ hit: one.hit, status: "read", contentHash: one.contentHash, failure: null });
  }
  return recalled;
}

/** Another hit of the same work for each hit that has one. */
function alternativesOf(missing: readonly RankedHit[], hits: readonly Hit[]): Map<RankedHit, Hit> {
  const byId = new Map(hits.map((hit) => [hit.id, hit]));
  return new Map(
    missing.flatMap((hit) => {
      const other = hit.alternatives.flatMap((id) => byId.get(id) ?? []).find(({ contentHash }) => contentHash === null);
      return other === undefined ? [] : [[hit, other] as const];
    }),
  );
}

/** Returns the addresses to try for each hit; those of the alternatives only while `spare` downloads are left. */
function addressesOf(missing: readonly RankedHit[], others: ReadonlyMap<RankedHit, Hit>, spare: number) {
  let left = spare;
  return missing.map((hit): [RankedHit, ...RankedHit[]] => {
    const other = others.get(hit);
    if (other === undefined || left === 0) return addressesToTry(hit);
    left -= 1;
    return [...addressesToTry(hit), ...addressesToTry({ ...other, score: hit.score, origin: hit.origin, alternatives: [] })];
  });
}

interface DownloadContext extends ReadDeps {
  readonly timeoutMs: () => number;
  readonly scope: readonly string[];
  /** The first day of which the user wants something. */
  readonly since: string | undefined;
  readonly effects: Effects;
}

const STORE_TIMEOUT_MS = 10_000;

type Stored = Pick<StoredDocument, "contentHash" | "title" | "incomplete"> & { readonly characters: number };
type Downloaded = Stored & Pick<StoredDocument, "publishedAt">;

export interface Fetched {
  readonly read: ReadHit[];
  readonly entries: LedgerEntry[];
}

/** Returns the open-access copy of a hit before its page. Both together count as one download. */
export function addressesToTry(hit: RankedHit): [RankedHit, ...RankedHit[]] {
  const { publication } = hit;
  if (publication === undefined || addressOf(hit) === hit.url) return [hit];
  return [hit, { ...hit, publication: { ...publication, fullTextUrl: null } }];
}

/** Reads a hit that no other todo reads, and lets those that want it meanwhile know how that ended. */
export async function readFirst(hits: readonly [RankedHit, ...RankedHit[]], context: DownloadContext): Promise<Fetched> {
  const { reads } = context.effects;
  const key = readKeyOfHit(hits[0]);
  reads?.begin(key);
  try {
    const fetched = await readHit(hits, context);
    const one = fetched.read.findLast(({ hit }) => hit.id === hits[0].id);
    reads?.end(key, one && { ...one, title: one.hit.title });
    return dropOlder(fetched, context);
  } catch (error) {
    reads?.end(key);
    throw error;
  }
}

/** What tells that it is older than the user's `since` is a failure. */
function dropOlder({ read, entries }: Fetched, { since, effects }: Pick<DownloadContext, "since" | "effects">): Fetched {
  const older = read.filter((one) => isOlder(one, since));
  if (since === undefined || older.length === 0) return { read, entries };
  const message = `Its own date is before ${since} (since).`;
  for (const { hit } of older) {
    effects.emit({ type: "document-failed", sourceId: hit.id, url: addressOf(hit), failure: OLDER_CODE, message, fallback: "none" });
  }
  const dropped = { status: "failed", contentHash: null, failure: OLDER_CODE } as const;
  return {
    read: read.map((one): ReadHit => (older.includes(one) ? { hit: one.hit, ...dropped } : one)),
    entries: [...entries, ...older.flatMap(({ hit }) => olderEntries([hit], since))],
  };
}

/** Takes what another todo reads or has read. Waits for it in an effect, because a task that runs code delays the results of all others. */
export async function joinRead(hit: RankedHit, context: Pick<DownloadContext, "effects" | "timeoutMs" | "since">): Promise<Fetched> {
  const { effects, timeoutMs } = context;
  const { reads = new SharedReads() } = effects;
  const key = readKeyOfHit(hit);
  const live = (signal: AbortSignal): Promise<ReadOutcome> => unlessAborted(reads.wait(key), signal);
  const request = { shared: key };
  const known = reads.outcome(key) ?? (await effects.perform({ kind: "document", request, timeoutMs: timeoutMs(), live }).catch(toFailed));
  const { title, ...outcome } = known;
  const read: ReadHit = { hit: isUntitled(hit) ? { ...hit, title: title || hit.title } : hit, ...outcome };
  return dropOlder({ read: [read], entries: outcome.status === "read" ? [reusedEntry(hit, null)] : [] }, context);

  function toFailed(error: unknown): ReadOutcome {
    effects.signal.throwIfAborted();
    return { status: "failed", contentHash: null, failure: failureCodeOf(toDossierError(error), "unreadable"), title: "" };
  }
}

/** Stores the first text that can be read. If none can, stores the hit's snippet, unless its address is forbidden. */
export async function readHit([hit, next, ...rest]: readonly [RankedHit, ...RankedHit[]], context: DownloadContext): Promise<Fetched> {
  const { effects } = context;
  const startedAt = effects.now();
  const url = addressOf(hit);
  const entry = { what: "download" as const, source: hit.foundBy, target: url };
  try {
    const { title, publishedAt, ...document } = await download(hit, context);
    const { contentHash, incomplete = null } = document;
    effects.emit({ type: "document-read", sourceId: hit.id, url, title: stripUnknownAddresses(title, [url]), ...document });
    const found = { ...entry, outcome: "found" as const, results: 1, failure: null, detail: incomplete, ms: effects.elapsedMs(startedAt) };
    // Such a title is not known before.
    const titled = isUntitled(hit) ? { ...hit, title: title || hit.title } : hit;
    return { read: [{ hit: titled, status: "read", contentHash, failure: null, publishedAt }], entries: [found] };
  } catch (error) {
    effects.signal.throwIfAborted();
    const cause = toDossierError(error);
    const { message } = cause;
    const failure = failureCodeOf(cause, "unreadable");
    const failed: LedgerEntry = { ...entry, outcome: "failed", results: 0, failure, detail: message, ms: effects.elapsedMs(startedAt) };
    if (next === undefined) return { read: [await useSnippet(hit, failure, message, context)], entries: [failed] };
    effects.emit({ type: "document-failed", sourceId: hit.id, url, failure, message, fallback: "alternative" });
    const { read, entries } = await readHit([next, ...rest], context);
    const given: ReadHit[] = next.id === hit.id ? [] : [{ hit, status: "failed", contentHash: null, failure }];
    return { read: [...given, ...read], entries: [failed, ...entries] };
  }
}

function download(hit: RankedHit, { reader, documents, timeoutMs, scope, effects }: DownloadContext): Promise<Downloaded> {
  const limitMs = timeoutMs();
  const live = async (signal: AbortSignal, replies: KeptReplies): Promise<Downloaded> => {
    if (limitMs === 0) throw new DossierError("timeout", "The time for reading was used up before this download.");
    const document = await reader.read(hit, { signal, scope, replies, runId: effects.runId });
    signal.throwIfAborted();
    const stored = await documents.put(effects.runId, document);
    return { ...toStored(stored), publishedAt: stored.publishedAt };
  };
  const isNamed = hit.foundBy === LINKS_SOURCE && { isNamed: true };
  return effects.perform({ kind: "download", request: { url: addressOf(hit), ...isNamed }, timeoutMs: limitMs, live });
}

async function useSnippet(hit: RankedHit, failure: FailureCode, message: string, context: DownloadContext): Promise<ReadHit> {
  const { effects } = context;
  // The snippet is not trusted if its source links to a forbidden address.
  const text = failure === "forbidden_address" ? "" : hit.snippet.toWellFormed().trim();
  effects.emit({ type: "document-failed", sourceId: hit.id, url: hit.url, failure, message, fallback: text === "" ? "none" : "snippet" });
  if (text === "") return { hit, status: "failed", contentHash: null, failure };
  const contentHash = await storeSnippet(hit, context);
  return { hit, status: "snippet", contentHash, failure };
}

/** Stores a snippet as a document, so that it can be cited. The snippet must not be empty. */
export async function storeSnippet(
  { title, url, publishedAt, snippet }: Pick<Hit, "title" | "url" | "publishedAt" | "snippet">,
  { documents, effects }: Pick<DownloadContext, "documents" | "effects">,
): Promise<string> {
  const text = snippet.toWellFormed().trim();
  const blocks = [{ kind: "paragraph" as const, start: 0, end: text.length, level: 0 }];
  const live = async (): Promise<Stored> =>
    toStored(await documents.put(effects.runId, { text, title, url, language: null, publishedAt, author: null, blocks }));
  const { contentHash } = await effects.perform({ kind: "document", request: { snippet: text }, timeoutMs: STORE_TIMEOUT_MS, live });
  return contentHash;
}

function toStored({ contentHash, title, text, incomplete }: StoredDocument): Stored {
  return { contentHash, title, characters: text.length, ...(incomplete !== undefined && { incomplete }) };
}
