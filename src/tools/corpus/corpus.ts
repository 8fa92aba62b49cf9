import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { ExtractedDocument } from "../../domain/document.ts";
import { type Hit, sourceIdOf } from "../../domain/hit.ts";
import { type LeftOutFile, leftOutEntries, leftOutLine } from "../../domain/left-out.ts";
import type { OriginalFile, Originals } from "../../domain/ports/originals.ts";
import type { Operations } from "../../domain/ports/run-service.ts";
import type {
  CallContext,
  DocumentExtractor,
  DocumentReader,
  SearchAnswer,
  SearchQuery,
  SearchSource,
} from "../../domain/ports/sources.ts";
import type { WorkerPool } from "../../domain/ports/workers.ts";
import { READ_TYPES, uploadTypeOf } from "../../domain/upload.ts";
import { DossierError, toDossierError } from "../../errors.ts";
import { ALL_STAGES, type RankingStages } from "../../ranking/rank-texts.ts";
import { adviceFor } from "../../util/file-advice.ts";
import { sha256Of } from "../../util/sha256.ts";
import { singleFlight } from "../../util/single-flight.ts";
import { CorpusIndex, type FoundFile } from "./corpus-index.ts";
import type { IndexAnswer, IndexTask, IndexTasks } from "./index-thread.ts";
import { readBounded } from "./read-file.ts";
import { corpusPath, corpusUrl, type SyncProgress, type SyncReport, syncCorpus } from "./sync-corpus.ts";

const FRESH_MS = 2_000;
/** Half of the time that a search may take, and more than reading one file does. */
const PATIENCE_MS = 15_000;
const MAX_FILES = 50_000;
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
  readonly maxFiles?: number;
  readonly maxFileBytes?: number;
  readonly isDocumentation?: boolean;
  /** How long a sync goes on until searches use what is indexed, in milliseconds. By default 15,000. */
  readonly patienceMs?: number;
  readonly stages?: RankingStages;
}

/** Methods throw DossierError: `unreachable` if the folder or the index cannot be read, `empty` if nothing is indexed; `read` also `not_found`. */
export interface Corpus extends SearchSource, DocumentReader, Originals {
  sync(signal: AbortSignal): Promise<SyncReport>;
  /** How far a sync is; null if there is none. */
  indexing(): SyncProgress | null;
  contents: Operations["corpus"];
  close(): Promise<void>;
}

/** The files below `dir`. A search first updates the index if it is older than two seconds. */
export class FolderCorpus implements Corpus {
  readonly id = "corpus";
  readonly kind = "corpus";
  readonly title = "Local documents";
  readonly #options: CorpusOptions;
  readonly #dir: string;
  readonly #now: () => number;
  readonly #index: CorpusIndex;
  readonly #closing = new AbortController();
  readonly #syncing = singleFlight((signal) => this.#sync(AbortSignal.any([signal, this.#closing.signal])));
  #startedAt = 0;
  #syncedAt = Number.NEGATIVE_INFINITY;
  #latest: SyncReport | null = null;
  #progress: SyncProgress | null = null;
  #reported = new Set<string>();

  /** @throws DossierError `unreachable` if the index cannot be opened */
  constructor(options: CorpusOptions) {
    this.#options = options;
    this.#dir = resolve(options.dir);
    this.#now = options.now ?? performance.now.bind(performance);
    this.#index = openIndex(options.databaseFile, this.#dir);
  }

  search(query: SearchQuery, { signal }: Pick<CallContext, "signal">): Promise<SearchAnswer> {
    return this.#explained(signal, async () => {
      const missed = this.#isFresh() ? null : await this.#syncSoon(signal);
      if (missed === null && this.#latest?.files === 0) throw nothingIndexed(this.#latest, query.language);
      const gaps = missed === null ? null : missedText(missed, query.language);
      const { failed = [], leftOut: others = [] } = this.#latest ?? {};
      const leftOut = leftOutEntries("corpus", [...failed, ...others], query.language);
      return { hits: await this.#find(query, signal), gaps, sent: query.text, ...(leftOut.length > 0 && { leftOut }) };
    });
  }

  read({ url }: Hit, { signal }: Pick<CallContext, "signal">): Promise<ExtractedDocument> {
    return this.#explained(signal, async () => {
      const path = corpusPath(url);
      const document = path === null ? null : this.#index.document(path);
      if (document === null) throw new DossierError("not_found", `There is no ${url} in the corpus.`);
      return document;
    });
  }

  original({ url, text }: Parameters<Originals["original"]>[0], signal: AbortSignal): Promise<OriginalFile> {
    return this.#explained(signal, async () => {
      const path = corpusPath(url);
      if (path === null) throw noOriginal(url);
      if (!this.#isFresh()) await this.#syncing.join(signal);
      if (this.#index.document(path)?.text !== text) throw noOriginal(url);
      const bytes = await readBounded(this.#dir, path, this.#options.maxFileBytes ?? MAX_FILE_BYTES).catch((cause: unknown) => {
        throw noOriginal(url, { cause });
      });
      // The file may have changed since it was indexed.
      if ((await sha256Of(bytes)) !== this.#index.hash(path)) throw noOriginal(url);
      const mediaType = uploadTypeOf({ name: path, mediaType: "" }) ?? "application/octet-stream";
      return { bytes, mediaType, name: path.split("/").at(-1) ?? path };
    });
  }

  languages(): string[] {
    return this.#index.languages();
  }

  indexing(): SyncProgress | null {
    return this.#progress;
  }

  contents({ limit, cursor = "" }: Parameters<Operations["corpus"]>[0]): ReturnType<Operations["corpus"]> {
    try {
      return this.#index.contents(limit, cursor);
    } catch (error) {
      throw toDossierError(error, "unreachable");
    }
  }

  sync(signal: AbortSignal): Promise<SyncReport> {
    return this.#explained(signal, () => this.#syncing.join(signal));
  }

  async close(): Promise<void> {
    this.#closing.abort(new DossierError("cancelled", "The corpus was closed."));
    await this.#syncing.settled();
    this.#index.close();
  }

  #isFresh(): boolean {
    return this.#now() - this.#syncedAt <= FRESH_MS;
  }

  async #sync(signal: AbortSignal): Promise<SyncReport> {
    const { extractor, maxFiles = MAX_FILES, maxFileBytes = MAX_FILE_BYTES, onProgress } = this.#options;
    this.#startedAt = this.#now();
    try {
      const report = await syncCorpus(
        {
          index: {
            marks: () => this.#index.marks(),
            failures: () => this.#index.failures(),
            // Not aborted with the sync: a file that was extracted is indexed.
            put: (entry) => this.#inThread("put", { entry }),
            touch: (file) => this.#inThread("touch", { file }),
            remove: (path) => this.#inThread("remove", { path }),
          },
          ...{ dir: this.#dir, extractor, maxFiles, maxFileBytes },
          onProgress: (progress) => {
            this.#progress = progress;
            onProgress?.(progress);
          },
        },
        signal,
      );
      this.#syncedAt = this.#now();
      this.#latest = report;
      this.#reportNew(report.failed);
      return report;
    } catch (error) {
      const { code, message } = toDossierError(error);
      if (code === "unreachable") this.#reportNew([{ path: ".", code, message }]);
      throw error;
    } finally {
      this.#progress = null;
    }
  }

  #reportNew(failed: readonly LeftOutFile[]): void {
    const keyOf = ({ path, message }: LeftOutFile) => `${path}: ${message}`;
    const news = failed.filter((failure) => !this.#reported.has(keyOf(failure)));
    this.#reported = new Set(failed.map(keyOf));
    if (news.length > 0) this.#options.onFailed?.(news);
  }

  /** Waits for a sync, unless that takes long. Returns how far it is then; null if it has ended. */
  async #syncSoon(signal: AbortSignal): Promise<SyncProgress | null> {
    const left = new AbortController();
    const synced = this.#syncing.join(signal).then(() => null);
    const patienceMs = this.#startedAt + (this.#options.patienceMs ?? PATIENCE_MS) - this.#now();
    const late = pause(Math.max(0, patienceMs), null, { signal: left.signal }).then(() => this.#progress);
    try {
      const progress = await Promise.race([synced, late]);
      if (progress === null) return await synced;
      // The sync goes on without this search.
      void this.#syncing.join(this.#closing.signal).catch(() => undefined);
      return progress;
    } finally {
      left.abort();
      late.catch(() => undefined);
    }
  }

  async #find({ text: own, context, limit, from, to }: SearchQuery, signal: AbortSignal): Promise<Hit[]> {
    const text = context === undefined ? own : `${own} ${context}`;
    const query = { text, limit: Math.max(0, Math.floor(limit)), stages: this.#options.stages ?? ALL_STAGES, from, to };
    const found = await this.#inThread("find", { query }, signal);
    return found.map((file) => ({ ...toHit(file), ...(this.#options.isDocumentation === true && { isDocumentation: true }) }));
  }

  async #inThread<Name extends keyof IndexTasks>(
    name: Name,
    task: Parameters<IndexTasks[Name]>[1],
    signal?: AbortSignal,
  ): Promise<ReturnType<IndexTasks[Name]>> {
    const ended = signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal]);
    const whole: IndexTask = { ...task, place: this.#index.place };
    const limits = { timeoutMs: MAX_WORK_MS, signal: ended };
    const answer = await this.#options.workers.run<IndexTask, IndexAnswer<ReturnType<IndexTasks[Name]>>>(INDEX_THREAD, name, whole, limits);
    if ("value" in answer) return answer.value;
    throw new DossierError("unreachable", indexFailure(this.#options.databaseFile, "used", answer.message));
  }

  async #explained<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    try {
      signal.throwIfAborted();
      this.#closing.signal.throwIfAborted();
      return await work();
    } catch (error) {
      throw toOurError(error);
    }
  }
}

function toOurError(error: unknown): DossierError {
  if (error instanceof Error && error.name === "TimeoutError")
    return new DossierError("timeout", "The corpus took longer than its time limit.", { cause: error });
  if (error instanceof Error && error.name === "AbortError")
    return new DossierError("cancelled", "The search of the corpus was cancelled.", { cause: error });
  return toDossierError(error);
}

function noOriginal(url: string, options?: ErrorOptions): DossierError {
  return new DossierError("not_found", `${url} was changed, moved or deleted after it was read. The text that was read is kept.`, options);
}

function indexFailure(file: string, done: string, message: string, advice: string | null = null): string {
  const what = advice ?? "It is only a cache and can be deleted while the service is stopped";
  return `The corpus index ${file} in the data folder (DATA_DIR) cannot be ${done}: ${message}. ${what}.`;
}

function openIndex(databaseFile: string, dir: string): CorpusIndex {
  try {
    return new CorpusIndex(databaseFile, dir);
  } catch (error) {
    const message = indexFailure(databaseFile, "opened", toDossierError(error).message, adviceFor(error));
    throw new DossierError("unreachable", message, { cause: error });
  }
}

function toHit({ path, name, publishedAt, snippet }: FoundFile): Hit {
  const url = corpusUrl(path);
  return { id: sourceIdOf(url), kind: "corpus", title: name, url, publishedAt, foundBy: "corpus", contentHash: null, snippet };
}

function missedText({ done, total }: SyncProgress, language: string): string {
  if (/^zh\b/i.test(language)) return `索引尚未完成：检索了 ${total} 个文件中的 ${done} 个`;
  return `the index was not complete: ${done} of ${total} files were searched`;
}

const MAX_NAMED = 3;

function nothingIndexed({ failed, leftOut, ignored }: SyncReport, language: string): DossierError {
  const files = leftOutEntries("corpus", [...failed, ...leftOut], language).slice(0, MAX_NAMED);
  const why = [...files.map(leftOutLine), ...(ignored > 0 ? [`A .gitignore in it names ${ignored} of its files and folders.`] : [])];
  const advice = `Put files of these types there: ${READ_TYPES.join(", ")}.`;
  return new DossierError("empty", [`No file of the corpus folder is indexed.`, ...why, advice].join(" "));
}
