import { statSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import PQueue from "p-queue";
import type { ExtractedDocument } from "../../domain/document.ts";
import { type Hit, sourceIdOf } from "../../domain/hit.ts";
import { type LeftOutFile, leftOutEntries, leftOutLine } from "../../domain/left-out.ts";
import type { OriginalFile, Originals } from "../../domain/ports/originals.ts";
import type { Operations } from "../../domain/ports/run-service.ts";
import type { DocumentExtractor, DocumentReader, SearchQuery, SearchSource } from "../../domain/ports/sources.ts";
import type { WorkerPool } from "../../domain/ports/workers.ts";
import { READ_TYPES, uploadTypeOf } from "../../domain/upload.ts";
import { DossierError, toDossierError } from "../../errors.ts";
import { ALL_STAGES, type RankingStages } from "../../ranking/rank-texts.ts";
import { adviceFor } from "../../util/file-advice.ts";
import { sha256Of } from "../../util/sha256.ts";
import { singleFlight } from "../../util/single-flight.ts";
import { CorpusIndex, type FileQuery, type FoundFile } from "./corpus-index.ts";
import type { IndexedFile } from "./index-entry.ts";
import { databaseError, isDamage, isDatabaseError } from "./index-file.ts";
import type { IndexAnswer, IndexPlace } from "./index-thread.ts";
import { MAX_LOCKED_MS, retryWhileLocked } from "./lock-retry.ts";
import { readBounded } from "./read-file.ts";
import { corpusPath, corpusUrl, type SyncedIndex, type SyncProgress, type SyncReport, syncCorpus } from "./sync-corpus.ts";

const FRESH_MS = 2_000;
/** Half of the time that a search may take, and more than reading one file does. */
const PATIENCE_MS = 15_000;
const EMPTIED_MS = 600_000;
const MAX_FILES = 50_000;
// Smaller work takes milliseconds, and starting a thread some hundred. The length is in UTF-16 code units.
const MAX_INLINE_SECTIONS = 200;
/** In sections. */
const MAX_INLINE_FILE = 20;
const MAX_INLINE_LENGTH = 10_000;
const MAX_INLINE_QUERY = 2_000;
const MAX_LOG_BYTES = 4_000_000;
/** A large file is indexed in seconds. */
const MAX_WORK_MS = 60_000;
const INDEX_THREAD = new URL("./index-thread.ts", import.meta.url);
/** The limit for PDFs. The extractor has smaller limits for other types. */
const MAX_FILE_BYTES = 25_000_000;

export interface CorpusOptions {
  readonly dir: string;
  /** The file of the index. It is a cache and may be deleted while the corpus is closed. */
  readonly databaseFile: string;
  readonly extractor: DocumentExtractor;
  /** Threads that search and index. They keep the index open until the pool is closed. */
  readonly workers: WorkerPool;
  readonly onProgress?: (progress: SyncProgress) => void;
  /** Called after a sync with its new failures. If the corpus folder cannot be read, the failure has the path `.`. */
  readonly onFailed?: (failures: readonly LeftOutFile[]) => void;
  readonly now?: () => number;
  /** How long opening the index may block the thread while another program holds its lock, in milliseconds. */
  readonly openingMs?: number;
  /** How long a call waits, without blocking, for the lock of the index, in milliseconds. */
  readonly maxLockedMs?: number;
  readonly maxFiles?: number;
  readonly maxFileBytes?: number;
  readonly isDocumentation?: boolean;
  /** How long a sync goes on until searches use what is indexed, in milliseconds. By default 15,000. */
  readonly patienceMs?: number;
  readonly stages?: RankingStages;
}

/** Methods throw DossierError: `unreachable` if the folder cannot be read, `empty` if nothing is indexed; `read` also `not_found`. */
export interface Corpus extends SearchSource, DocumentReader, Originals {
  sync(signal: AbortSignal): Promise<SyncReport>;
  /** How far a sync is; null if there is none. */
  indexing(): SyncProgress | null;
  contents: Operations["corpus"];
  close(): Promise<void>;
}

/** Opens the files below `dir`. A search first updates the index if it is older than two seconds. @throws DossierError `unreachable` */
export function createCorpus(options: CorpusOptions): Corpus {
  const { databaseFile, extractor, workers, onProgress = () => {}, onFailed = () => {}, now = performance.now.bind(performance) } = options;
  const { maxFiles = MAX_FILES, maxFileBytes = MAX_FILE_BYTES, maxLockedMs = MAX_LOCKED_MS, stages = ALL_STAGES } = options;
  const { patienceMs = PATIENCE_MS } = options;
  const dir = resolve(options.dir);
  const index = openIndex(options, dir);
  const closing = new AbortController();
  let syncedAt = Number.NEGATIVE_INFINITY;
  let latest: SyncReport | null = null;
  let current: SyncProgress | null = null;
  let startedAt = 0;
  let longLocked = Promise.withResolvers<void>();
  let emptiedAt: number | null = null;
  let reported = new Set<string>();

  function reportNew(failed: readonly LeftOutFile[]): void {
    const keyOf = ({ path, message }: LeftOutFile) => `${path}: ${message}`;
    const news = failed.filter((failure) => !reported.has(keyOf(failure)));
    reported = new Set(failed.map(keyOf));
    if (news.length > 0) onFailed(news);
  }

  function keepsEmptied(isEmptied: boolean): boolean {
    emptiedAt = isEmptied ? (emptiedAt ?? now()) : null;
    return emptiedAt !== null && now() - emptiedAt < EMPTIED_MS;
  }

  function showProgress(progress: SyncProgress): void {
    current = progress;
    onProgress(progress);
  }

  const syncing = singleFlight(async (signal) => {
    startedAt = now();
    longLocked = Promise.withResolvers();
    for (;;) {
      const { generation } = index;
      const report = await syncCorpus(
        { index: synced, dir, extractor, onProgress: showProgress, keepsEmptied, maxFiles, maxFileBytes },
        AbortSignal.any([signal, closing.signal]),
      ).catch((error: unknown) => {
        current = null;
        const { code, message } = toDossierError(error);
        if (code === "unreachable") reportNew([{ path: ".", code, message }]);
        throw error;
      });
      // The index was reset during this sync and lost what the sync had written, so the sync starts again.
      if (index.generation !== generation) continue;
      syncedAt = now();
      latest = report;
      // A log that stays long because the thread is busy is shortened after a later sync.
      const logBytes = statSync(`${databaseFile}-wal`, { throwIfNoEntry: false })?.size ?? 0;
      if (logBytes > MAX_LOG_BYTES) void inThread("emptyLog", {}).catch(() => undefined);
      current = null;
      reportNew(report.failed);
      return report;
    }
  });

  /** Waits for a sync, unless that takes long or the index cannot be written. Returns what is then missing. */
  async function syncSoon(signal: AbortSignal): Promise<Missed | null> {
    const left = new AbortController();
    const joined = syncing.join(signal).then(
      () => null,
      (error: unknown): Missed => {
        if (!isDatabaseError(error) || isDamage(error)) throw error;
        return { unwritable: error.message };
      },
    );
    const late = pause(Math.max(0, startedAt + patienceMs - now()), null, { signal: left.signal });
    try {
      const isLate = Promise.race([late, longLocked.promise]).then((): typeof LATE => LATE);
      const ended = await Promise.race([joined, isLate]);
      if (ended !== LATE) return ended;
    } finally {
      left.abort();
    }
    if (current === null) return joined;
    // The sync goes on without this search.
    void syncing.join(closing.signal).catch(() => undefined);
    return current;
  }

  async function withRepair<T>(signal: AbortSignal, work: () => T | Promise<T>): Promise<T> {
    const { generation } = index;
    try {
      signal.throwIfAborted();
      closing.signal.throwIfAborted();
      return await work();
    } catch (error) {
      if (!isDamage(error)) throw toOurError(error);
    }
    try {
      if (index.generation === generation) index.reset();
      await syncing.join(signal);
      return await work();
    } catch (error) {
      throw toOurError(error);
    }
  }

  async function inThread<T>(name: "find" | "put" | "remove" | "emptyLog", task: object, signal?: AbortSignal): Promise<T> {
    const place: IndexPlace = { file: databaseFile, dir, generation: index.generation };
    // An extracted file is indexed even if the search that waits for it is aborted.
    const limits = { timeoutMs: MAX_WORK_MS, signal: signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]) };
    const answer = await workers.run<object, IndexAnswer<T>>(INDEX_THREAD, name, { ...place, ...task }, limits);
    if ("value" in answer) return answer.value;
    throw databaseError(answer);
  }

  const unlocked = <T>(work: () => T | Promise<T>, signal: AbortSignal) => retryWhileLocked(work, signal, maxLockedMs);
  const writing = new PQueue({ concurrency: 1 });
  // One after another, so that one thread at most waits for the lock.
  const write = (work: () => void | Promise<void>, signal: AbortSignal) =>
    writing.add(() => retryWhileLocked(work, signal, maxLockedMs, longLocked.resolve));

  function put(entry: IndexedFile): void | Promise<void> {
    const isLong = (entry.document?.text.length ?? 0) > MAX_INLINE_LENGTH || index.hasSections(entry.file.path, MAX_INLINE_FILE);
    return isLong ? inThread<void>("put", { entry }) : index.put(entry);
  }

  function remove(path: string): void | Promise<void> {
    return index.hasSections(path, MAX_INLINE_FILE) ? inThread<void>("remove", { path }) : index.remove(path);
  }

  const synced: SyncedIndex = {
    marks: (signal) => unlocked(() => index.marks(), signal),
    failures: (signal) => unlocked(() => index.failures(), signal),
    put: (entry, signal) => write(() => put(entry), signal),
    touch: (file, signal) => write(() => index.touch(file), signal),
    remove: (path, signal) => write(() => remove(path), signal),
  };

  async function find({ text: own, context, limit, from, to }: SearchQuery, signal: AbortSignal): Promise<Hit[]> {
    const text = context === undefined ? own : `${own} ${context}`;
    const query: FileQuery = { text, limit: Math.max(0, Math.floor(limit)), stages, from, to };
    const isSmall = () => text.length <= MAX_INLINE_QUERY && index.statistics().documents <= MAX_INLINE_SECTIONS;
    const look = () => (isSmall() ? index.find(query) : inThread<FoundFile[]>("find", { query }, signal));
    const found = await unlocked(look, signal);
    return found.map((file) => ({ ...toHit(file), ...(options.isDocumentation === true && { isDocumentation: true }) }));
  }

  function knownLanguages(): string[] {
    try {
      return index.languages();
    } catch (error) {
      // The next search repairs or reports it.
      if (isDatabaseError(error)) return [];
      throw error;
    }
  }

  function readIndexed({ url }: Hit): ExtractedDocument {
    const path = corpusPath(url);
    const document = path === null ? null : index.document(path);
    if (!document) throw new DossierError("not_found", `There is no ${url} in the corpus.`);
    return document;
  }

  async function readOriginal({ url, text }: Parameters<Originals["original"]>[0], signal: AbortSignal): Promise<OriginalFile> {
    const path = corpusPath(url);
    if (path === null) throw noOriginal(url);
    if (now() - syncedAt > FRESH_MS) await syncing.join(signal);
    const [indexed, hash] = await unlocked(() => [index.document(path), index.hash(path)] as const, signal);
    if (indexed?.text !== text) throw noOriginal(url);
    const bytes = await readBounded(dir, path, maxFileBytes).catch((cause: unknown) => {
      throw noOriginal(url, { cause });
    });
    // The file may have changed since it was indexed.
    if ((await sha256Of(bytes)) !== hash) throw noOriginal(url);
    const mediaType = uploadTypeOf({ name: path, mediaType: "" }) ?? "application/octet-stream";
    return { bytes, mediaType, name: path.split("/").at(-1) ?? path };
  }

  return {
    id: "corpus",
    kind: "corpus",
    title: "Local documents",
    search: (query, { signal }) =>
      withRepair(signal, async () => {
        const missed = now() - syncedAt > FRESH_MS ? await syncSoon(signal) : null;
        if (missed === null && latest?.files === 0) throw nothingIndexed(latest, query.language);
        const gaps = missed === null ? null : missedText(missed, query.language);
        const leftOut = leftOutEntries("corpus", latest === null ? [] : [...latest.failed, ...latest.leftOut], query.language);
        return { hits: await find(query, signal), gaps, sent: query.text, ...(leftOut.length > 0 && { leftOut }) };
      }),
    indexing: () => current,
    languages: knownLanguages,
    read: (hit, { signal }) => withRepair(signal, () => unlocked(() => readIndexed(hit), signal)),
    original: (document, signal) => withRepair(signal, () => readOriginal(document, signal)),
    contents({ limit, cursor = "" }) {
      try {
        return index.contents(limit, cursor);
      } catch (error) {
        throw toOurError(error);
      }
    },
    sync: (signal) => withRepair(signal, () => syncing.join(signal)),
    async close() {
      closing.abort(new DossierError("cancelled", "The corpus was closed."));
      await syncing.settled();
      index.close();
    },
  };
}

function noOriginal(url: string, options?: ErrorOptions): DossierError {
  return new DossierError("not_found", `${url} was changed, moved or deleted after it was read. The text that was read is kept.`, options);
}

function toOurError(error: unknown): DossierError {
  if (error instanceof Error && error.name === "TimeoutError")
    return new DossierError("timeout", "The corpus took longer than its time limit.", { cause: error });
  if (error instanceof Error && error.name === "AbortError")
    return new DossierError("cancelled", "The search of the corpus was cancelled.", { cause: error });
  return toDossierError(error, isDatabaseError(error) ? "unreachable" : "internal");
}

function openIndex({ databaseFile, openingMs }: CorpusOptions, dir: string): CorpusIndex {
  try {
    return new CorpusIndex(databaseFile, dir, openingMs === undefined ? {} : { openingMs });
  } catch (error) {
    const failure = `The corpus index ${databaseFile} in the data folder (DATA_DIR) cannot be opened: ${toDossierError(error).message}.`;
    const advice = adviceFor(error) ?? "It is only a cache and can be deleted while the service is stopped";
    throw new DossierError("unreachable", `${failure} ${advice}.`, { cause: error });
  }
}

function toHit({ path, name, publishedAt, snippet }: FoundFile): Hit {
  const url = corpusUrl(path);
  return { id: sourceIdOf(url), kind: "corpus", title: name, url, publishedAt, foundBy: "corpus", contentHash: null, snippet };
}

/** Why the index was not up to date at a search. */
type Missed = SyncProgress | { readonly unwritable: string };

const LATE = Symbol("late");

function missedText(missed: Missed, language: string): string {
  const isChinese = /^zh\b/i.test(language);
  if ("unwritable" in missed) {
    const { unwritable } = missed;
    return isChinese ? `索引无法更新（${unwritable}）` : `the index could not be brought up to date (${unwritable})`;
  }
  const { done, total } = missed;
  if (isChinese) return `索引尚未完成：检索了 ${total} 个文件中的 ${done} 个`;
  return `the index was not complete: ${done} of ${total} files were searched`;
}

const MAX_NAMED = 3;

function nothingIndexed({ failed, leftOut, ignored }: SyncReport, language: string): DossierError {
  const files = leftOutEntries("corpus", [...failed, ...leftOut], language).slice(0, MAX_NAMED);
  const why = [...files.map(leftOutLine), ...(ignored > 0 ? [`A .gitignore in it names ${ignored} of its files and folders.`] : [])];
  const advice = `Put files of these types there: ${READ_TYPES.join(", ")}.`;
  return new DossierError("empty", [`No file of the corpus folder is indexed.`, ...why, advice].join(" "));
}
