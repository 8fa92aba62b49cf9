import { documentsOfDepth } from "../domain/depth.ts";
import { failureCodeOf } from "../domain/failures.ts";
import { DOCUMENTS_SOURCE, type Hit, isUntitled, type RankedHit, rankAlone, URLS_SOURCE } from "../domain/hit.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { LedgerEntry } from "../domain/report.ts";
import type { ThreadReading } from "../domain/task.ts";
import { toDossierError } from "../errors.ts";
import { failOlder, isLeftOut } from "./dates.ts";
import { addressesOf, type FetchContext, fetchWork } from "./fetch.ts";
import { type InFlight, tableOf } from "./in-flight.ts";
import { countDownloads, reusedEntry } from "./limits.ts";
import {
  type FindReading,
  hasText,
  type KnownReading,
  lookUp,
  type Read,
  type ReadHit,
  type ReadOutcome,
  readKeyOf,
  readKeyOfHit,
  titled,
} from "./reading.ts";
import { copyReading, earlierReading, recalledEntry } from "./thread.ts";

interface ReaderOptions extends FetchContext {
  /** What the run has read before. */
  readonly known: readonly KnownReading[];
  /** What the run has found before, for the addresses of `known`. */
  readonly hits?: readonly Hit[];
  readonly ledger: readonly LedgerEntry[];
  /** How many downloads of `task.limits` were made before. */
  readonly downloads?: number;
}

const readsOf = new WeakMap<object, InFlight<ReadOutcome>>();
const NOT_READ: ReadOutcome = { status: "failed", contentHash: null, failure: "unreadable", title: "" };

/** Adds what earlier executions of the run, or other parts of it, have read at an address. */
export function shareRead(
  address: string,
  { contentHash, title, publishedAt }: Omit<ReadOutcome, "status" | "failure">,
  effects: Effects,
): void {
  const outcome: ReadOutcome = { status: "read", contentHash, failure: null, title, ...(publishedAt !== undefined && { publishedAt }) };
  const reads = tableOf(readsOf, effects);
  const key = readKeyOf(address);
  if (!reads.has(key)) reads.end(key, outcome, outcome);
}

/** In less time hardly a page is read, and its download would be lost. */
const MIN_READ_MS = 250;

/**
 * Reads what a node of a run wants to read, each document once: as the run or its thread read it before, together with another part of the
 * run, or by a download, as far as limits, depth and budget allow. What turns out to be older than the user's `since` is a failure.
 */
export class Reader {
  readonly #options: ReaderOptions;
  readonly #find: FindReading<KnownReading>;
  readonly #reads: InFlight<ReadOutcome>;
  /** By the keys of the addresses. */
  readonly #begun = new Map<string, Promise<Read | null>>();
  /** The hashes of the texts that the run has read. */
  readonly #texts: Set<string>;
  /** How many documents are being read. */
  #reading = 0;
  #downloads: number;

  constructor(options: ReaderOptions) {
    const { known, hits = [], downloads = 0 } = options;
    const urls = new Map(hits.map(({ id, url }) => [id, url]));
    this.#options = options;
    this.#reads = tableOf(readsOf, options.effects);
    this.#find = lookUp(known, ({ sourceId, address }) => [sourceId, address ?? urls.get(sourceId) ?? sourceId]);
    this.#texts = new Set(known.filter(hasText).map(({ contentHash }) => contentHash));
    this.#downloads = downloads;
  }

  get isInTime(): boolean {
    return this.#options.leftMs() >= MIN_READ_MS;
  }

  /** Whether the run may read a document that it has not read before. */
  get mayReadMore(): boolean {
    const { budget } = this.#options.effects;
    return Math.min(this.#documentsLeft, this.#downloadsLeft, budget?.downloadsLeft ?? this.#downloadsLeft) > 0;
  }

  /** Whether it is known to the run or its thread, so that no download is needed. */
  isKnown(hit: Hit): boolean {
    return hit.contentHash !== null || this.#find(hit) !== undefined || earlierReading(hit, this.#options.task) !== undefined;
  }

  /** Whether this part of the run tried to read it. */
  hasTried(hit: Hit): boolean {
    return this.#rowsOf(hit).length > 0;
  }

  /** Whether this part of the run tried to read it and got no text, or only one that is too old. */
  hasFailed(hit: Hit): boolean {
    if (isLeftOut(hit, this.#options.ledger)) return true;
    return hit.contentHash === null && this.#find(hit) === undefined && this.#rowsOf(hit).some(({ outcome }) => outcome === "failed");
  }

  /** Begins to read a hit, or `another` of the same work if that fails. Gives null if the run may read no more. */
  begin(hit: RankedHit, another?: Hit): Promise<Read | null> | null {
    const known = this.#known(hit);
    if (known !== null) return Promise.resolve(known);
    const key = readKeyOfHit(hit);
    const begun = this.#begun.get(key);
    if (begun !== undefined)
      return begun.then((read) => read && { ...read, hit: titled(hit, read.hit.title), others: [], entries: [], downloads: 0 });
    // The depth bounds what the run chooses to read, not what the user gave.
    if (hit.foundBy !== URLS_SOURCE && this.#documentsLeft <= 0) return null;
    const earlier = earlierReading(hit, this.#options.task);
    const reading = earlier === undefined ? this.#download(hit, another) : this.#recall(hit, earlier, another);
    if (reading === null) return null;
    const counted = this.#count(reading);
    this.#begun.set(key, counted);
    return counted;
  }

  /** Returns what the run learned by a reading. A tool that delivers a text tells of it itself. */
  learned({ hit, contentHash, status, failure }: ReadHit): KnownReading[] {
    const { id: sourceId, title, readAt } = hit;
    if (contentHash === null || hit.contentHash !== null || this.#options.known.some((one) => one.sourceId === sourceId)) return [];
    const more = { ...(isUntitled(hit) && { title }), ...(readAt !== undefined && { readAt }) };
    return [{ sourceId, contentHash, status, failure, ...more }];
  }

  get #documentsLeft(): number {
    return documentsOfDepth(this.#options.task) - this.#texts.size - this.#reading;
  }

  get #downloadsLeft(): number {
    return this.#options.task.limits.downloads - this.#downloads;
  }

  #rowsOf(hit: Hit): LedgerEntry[] {
    const key = readKeyOfHit(hit);
    return this.#options.ledger.filter(({ what, target }) => what === "download" && readKeyOf(target) === key);
  }

  #known(hit: RankedHit): Read | null {
    const { contentHash } = hit;
    const again = { entries: [], downloads: 0, isKnown: true } as const;
    if (contentHash !== null) return { ...again, hit, status: "read", contentHash, failure: null };
    const known = this.#find(hit);
    if (known === undefined) return null;
    const { status, failure, title } = known;
    return { ...again, hit: titled(hit, title), status, contentHash: known.contentHash, failure };
  }

  /** What cannot be read, and another copy of a text, is none of the documents of the depth. */
  async #count(reading: Promise<Read | null>): Promise<Read | null> {
    this.#reading += 1;
    const read = await reading;
    this.#reading -= 1;
    if (read === null || read.contentHash === null || !hasText(read)) return read;
    const isCopy = this.#texts.has(read.contentHash);
    this.#texts.add(read.contentHash);
    return isCopy ? { ...read, isCopy } : read;
  }

  async #recall(found: RankedHit, earlier: ThreadReading, another: Hit | undefined): Promise<Read | null> {
    const copied = await copyReading(found, earlier, this.#options.documents, this.#options.effects);
    if (copied === null) return this.#download(found, another);
    const { readAt } = earlier.hit;
    const hit = readAt === undefined ? found : { ...found, readAt };
    return this.#checkDate({ ...copied, hit, status: "read", failure: null, entries: [recalledEntry(hit)], downloads: 0 });
  }

  #download({ readAt: _, ...hit }: RankedHit, another: Hit | undefined): Promise<Read> | null {
    // What another part of the run reads is downloaded and counted there.
    if (this.#reads.has(readKeyOfHit(hit))) return this.#join(hit);
    return this.#take(hit) ? this.#readFirst(hit, another) : null;
  }

  #take({ foundBy }: Hit): boolean {
    const { budget } = this.#options.effects;
    // All parts of the run use what the user gave.
    const forAll = foundBy === URLS_SOURCE || foundBy === DOCUMENTS_SOURCE ? 1 : 0;
    if (this.#downloadsLeft <= 0 || budget?.takeDownloads(1, forAll) === 0) return false;
    this.#downloads += 1;
    return true;
  }

  async #join(hit: RankedHit): Promise<Read> {
    const { effects, leftMs } = this.#options;
    const joining = this.#reads.join(readKeyOfHit(hit), { kind: "document", timeoutMs: leftMs() }, effects);
    const { title, ...read } = (await joining.catch((error: unknown) => this.#failed(error))) ?? NOT_READ;
    const entries = read.status === "read" ? [reusedEntry(hit)] : [];
    return this.#checkDate({ ...read, hit: titled(hit, title), entries, downloads: 0 });
  }

  #checkDate(read: Read): Read {
    return failOlder(read, this.#options.task, this.#options.effects);
  }

  #failed(error: unknown): ReadOutcome {
    this.#options.effects.signal.throwIfAborted();
    return { ...NOT_READ, failure: failureCodeOf(toDossierError(error), "unreadable") };
  }

  /** Reads what no other part of the run reads, and lets those that want it meanwhile know how that ended. */
  async #readFirst(hit: RankedHit, another: Hit | undefined): Promise<Read> {
    const { budget } = this.#options.effects;
    const key = readKeyOfHit(hit);
    const takeOther = (): RankedHit | null => {
      if (another === undefined || !this.#take(another)) return null;
      return { ...rankAlone(another, hit.score), origin: hit.origin };
    };
    this.#reads.begin(key);
    let outcome = NOT_READ;
    try {
      const { read, entries } = await fetchWork(addressesOf(hit), takeOther, this.#options);
      const [own, ...others] = read;
      outcome = outcomeOf(own);
      if (countDownloads(entries) === 0) budget?.returnDownloads(1);
      return this.#checkDate({ ...own, others, entries, downloads: 1 + others.length });
    } finally {
      this.#reads.end(key, outcome, outcome.status === "read" ? outcome : null);
    }
  }
}

function outcomeOf({ hit, status, contentHash, failure, publishedAt }: ReadHit): ReadOutcome {
  return { status, contentHash, failure, title: hit.title, ...(publishedAt !== undefined && { publishedAt }) };
}
