import { documentsOfDepth } from "../../domain/depth.ts";
import { type Hit, isUntitled, rankAlone, URLS_SOURCE } from "../../domain/hit.ts";
import type { Effects } from "../../domain/ports/effects.ts";
import type { FailureCode, LedgerEntry } from "../../domain/report.ts";
import { scopeOf } from "../../domain/request.ts";
import { addressesToTry, type Fetched, joinRead, type ReadDeps, readFirst } from "../executor/download.ts";
import { isLeftOut, isOlder, OLDER_CODE, olderEntries, takeDownloads } from "../shared/limits.ts";
import { readKeyOf, readKeyOfHit } from "../shared/read-key.ts";
import { loadDocument } from "../shared/sources.ts";
import { isOfThread, recalledEntry, recallReading } from "../shared/thread-readings.ts";
import type { AgentReading, AgentStateValue } from "./state.ts";

export interface ShownRead {
  /** Null if nothing of it could be read. */
  readonly contentHash: string | null;
  readonly failure: FailureCode | null;
  /** Whether only the text of its search result is known. */
  readonly isSnippet: boolean;
  /** Whether the run had read the same text at another address. */
  readonly isCopy?: boolean;
  readonly entries: readonly LedgerEntry[];
  readonly readings: readonly AgentReading[];
  readonly downloads: number;
}

export type HitRead = ShownRead & { readonly hit: Hit };

interface ReaderOptions extends ReadDeps {
  readonly state: AgentStateValue;
  readonly effects: Effects;
  /** Milliseconds that the round may take. */
  readonly limitMs: number;
}

const READ_TIMEOUT_MS = 60_000;
/** In less time hardly a page is read, and its download would be lost. */
const MIN_READ_MS = 250;

/** Reads for all calls of a round. What several of them read is downloaded and counted once. */
export class RoundReader {
  readonly #options: ReaderOptions;
  readonly #startedAt: number;
  /** What the run has read before, with the keys of the addresses. */
  readonly #earlier: readonly (readonly [string, AgentReading])[];
  /** By the keys of the addresses. */
  readonly #reads = new Map<string, Promise<ShownRead | null>>();
  /** The hashes of the texts that the run has read. */
  readonly #texts: Set<string>;
  /** How many documents are being read. */
  #reading = 0;
  #downloads = 0;

  constructor(options: ReaderOptions) {
    this.#options = options;
    this.#startedAt = options.effects.now();
    this.#earlier = addressedReadings(options.state);
    this.#texts = new Set(this.#earlier.flatMap(([, { status, contentHash }]) => (status === "read" ? [contentHash] : [])));
  }

  get isInTime(): boolean {
    return this.#leftMs >= MIN_READ_MS;
  }

  /** Whether the run may read a document that it has not read before. */
  get mayReadMore(): boolean {
    const { budget } = this.#options.effects;
    return Math.min(this.#documentsLeft, this.#downloadsLeft, budget?.downloadsLeft ?? this.#downloadsLeft) > 0;
  }

  /** Begins to read a hit as the run or its thread read it before, else by a download. Gives null if the run may read no more. */
  begin(hit: Hit): Promise<ShownRead | null> | null {
    const known = this.#known(hit);
    if (known !== null) return this.#leaveOutOlder(hit, known);
    const key = readKeyOfHit(hit);
    const begun = this.#reads.get(key);
    if (begun !== undefined) return begun.then((one) => one && readAlsoAs(hit, one));
    const reading = this.#read(hit);
    if (reading !== null) this.#reads.set(key, reading);
    return reading;
  }

  /** Whether this run tried to read it and got no text, or only one that is too old. */
  hasFailed(hit: Hit): boolean {
    const { ledger } = this.#options.state;
    if (isLeftOut(hit, ledger)) return true;
    return this.#known(hit) === null && downloadsOf(hit, ledger).some(({ outcome }) => outcome === "failed");
  }

  /** Whether this run, and no other part of its run, tried to read it. */
  hasTried(hit: Hit): boolean {
    return downloadsOf(hit, this.#options.state.ledger).length > 0;
  }

  /** The milliseconds left for a download. */
  get #leftMs(): number {
    const { limitMs, effects } = this.#options;
    return Math.max(0, Math.min(READ_TIMEOUT_MS, limitMs - effects.elapsedMs(this.#startedAt)));
  }

  get #documentsLeft(): number {
    return documentsOfDepth(this.#options.state.task) - this.#texts.size - this.#reading;
  }

  get #downloadsLeft(): number {
    const { task, downloads } = this.#options.state;
    return task.limits.downloads - downloads - this.#downloads;
  }

  #known(hit: Hit): ShownRead | null {
    const { state } = this.#options;
    if (hit.contentHash !== null) return { ...NOTHING_NEW, contentHash: hit.contentHash };
    const earlier = this.#knownReading(hit);
    if (earlier === undefined) return null;
    const { contentHash, status, failure } = earlier;
    const isKnown = state.readings.some(({ sourceId }) => sourceId === hit.id);
    const readings = isKnown ? [] : [{ sourceId: hit.id, contentHash, status, failure }];
    return { ...NOTHING_NEW, contentHash, failure, isSnippet: status === "snippet", readings };
  }

  /** Returns what was read of the hit before, under any spelling of its address. */
  #knownReading({ id, url }: Hit): AgentReading | undefined {
    const key = readKeyOf(url);
    return this.#earlier.findLast(([address, { sourceId }]) => sourceId === id || address === key)?.[1];
  }

  #read(hit: Hit): Promise<ShownRead | null> | null {
    // The depth bounds what the run chooses to read, not what the user gave.
    if (hit.foundBy !== URLS_SOURCE && this.#documentsLeft <= 0) return null;
    const reading = isOfThread(hit, this.#options.state.task) ? this.#recall(hit) : this.#download(hit);
    if (reading === null) return null;
    this.#reading += 1;
    return reading.then((one) => {
      this.#reading -= 1;
      // What cannot be read, and another copy of a text, is none of the documents of the depth.
      if (one === null || one.contentHash === null || !hasText(one)) return one;
      const isCopy = this.#texts.has(one.contentHash);
      this.#texts.add(one.contentHash);
      return isCopy ? { ...one, isCopy } : one;
    });
  }

  async #recall(hit: Hit): Promise<ShownRead | null> {
    const { state, documents, effects } = this.#options;
    const { since } = state.task;
    const recalled = await recallReading(hit, state.task, documents, effects);
    if (recalled === null) return this.#download(hit);
    if (since !== undefined && isOlder(recalled, since))
      return { ...NOTHING_NEW, contentHash: null, failure: OLDER_CODE, entries: olderEntries([hit], since) };
    const { contentHash } = recalled;
    const { readAt } = recalled.hit;
    const reading: AgentReading = { sourceId: hit.id, contentHash, status: "read", failure: null, ...(readAt !== undefined && { readAt }) };
    return { ...NOTHING_NEW, contentHash, readings: [reading], entries: [recalledEntry(recalled.hit)] };
  }

  /** What is read without a download may tell that it is older than the user's `since`, as a page may. */
  async #leaveOutOlder(hit: Hit, read: ShownRead): Promise<ShownRead> {
    const { state, documents, effects } = this.#options;
    const { since } = state.task;
    if (since === undefined || !hasText(read) || read.contentHash === null) return read;
    const { publishedAt } = await loadDocument(read.contentHash, documents, effects);
    if (!isOlder({ hit, publishedAt }, since)) return read;
    const entries = [...read.entries, ...olderEntries([hit], since)];
    return { ...NOTHING_NEW, contentHash: null, failure: OLDER_CODE, entries };
  }

  #download(hit: Hit): Promise<ShownRead> | null {
    const { state, reader, documents, effects } = this.#options;
    const { since } = state.task;
    const context = { reader, documents, effects, since, timeoutMs: () => this.#leftMs, scope: scopeOf(state.task) };
    // What another agent of the run reads is downloaded and counted there.
    if (effects.reads?.has(readKeyOfHit(hit)) === true) return toRead(hit, joinRead(rankAlone(hit, 0), context), 0);
    // All parts of the run use what the user gave.
    if (takeDownloads(1, this.#downloadsLeft, effects, hit.foundBy === URLS_SOURCE ? 1 : 0) === 0) return null;
    this.#downloads += 1;
    return toRead(hit, readFirst(addressesToTry(rankAlone(hit, 0)), context), 1);
  }
}

/** Whether a text of its own was read, and not only that of its search result. */
export function hasText({ contentHash, isSnippet }: Pick<ShownRead, "contentHash" | "isSnippet">): boolean {
  return contentHash !== null && !isSnippet;
}

function downloadsOf(hit: Hit, ledger: readonly LedgerEntry[]): LedgerEntry[] {
  const key = readKeyOfHit(hit);
  return ledger.filter(({ what, target }) => what === "download" && readKeyOf(target) === key);
}

const NOTHING_NEW = { failure: null, isSnippet: false, entries: [], readings: [], downloads: 0 } as const;

async function toRead(hit: Hit, fetching: Promise<Fetched>, downloads: number): Promise<ShownRead> {
  const { read, entries } = await fetching;
  const one = read.at(-1);
  if (one?.contentHash == null) return { ...NOTHING_NEW, contentHash: null, failure: one?.failure ?? null, entries, downloads };
  const { contentHash, status, failure } = one;
  const reading = { sourceId: hit.id, contentHash, status, failure, ...(isUntitled(hit) && { title: one.hit.title }) };
  return { contentHash, failure, isSnippet: status === "snippet", entries, readings: [reading], downloads };
}

/** The same text under the id of another hit, which is counted there. */
function readAlsoAs({ id }: Hit, read: ShownRead): ShownRead {
  return { ...read, entries: [], downloads: 0, readings: read.readings.map((reading) => ({ ...reading, sourceId: id })) };
}

function addressedReadings({ readings, hits }: AgentStateValue): [string, AgentReading][] {
  const urls = new Map(hits.map(({ id, url }) => [id, url]));
  return readings.map((one) => [readKeyOf(one.address ?? urls.get(one.sourceId) ?? one.sourceId), one]);
}
