import { resolve } from "node:path";
import type { ExtractedDocument } from "../../domain/document.ts";
import { type Hit, sourceIdOf } from "../../domain/hit.ts";
import type { DocumentExtractor, DocumentReader } from "../../domain/ports/documents.ts";
import type { SearchSource } from "../../domain/ports/sources.ts";
import { DossierError, toDossierError } from "../../errors.ts";
import { queryTerms } from "../../ranking/query-terms.ts";
import { ALL_STAGES, type RankedText, type RankingStages, rankTexts } from "../../ranking/rank-texts.ts";
import { singleFlight } from "../../util/single-flight.ts";
import { type CorpusIndex, isDamage, isDatabaseError, type Match, openCorpusIndex } from "./corpus-index.ts";
import { bestSnippet } from "./sections.ts";
import { corpusPath, corpusUrl, type SyncProgress, type SyncReport, syncCorpus } from "./sync-corpus.ts";

/** A search trusts a sync that ended at most so many milliseconds ago. */
const FRESH_MS = 2_000;
const MAX_FILES = 50_000;
/** So many documents that match are looked at closely. */
const CANDIDATES = 200;
/** What a PDF may have; the extractor allows other files less. */
const MAX_FILE_BYTES = 25_000_000;

export interface CorpusOptions {
  readonly dir: string;
  /** A database of its own; it is a cache and may be deleted while the corpus is closed. */
  readonly databaseFile: string;
  readonly extractor: DocumentExtractor;
  /** Ends whatever the corpus does when it is aborted. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: SyncProgress) => void;
  /** Milliseconds; only differences count. */
  readonly now?: () => number;
  readonly maxFiles?: number;
  readonly maxFileBytes?: number;
  /** Whether the folder is the documentation that comes with the program; its hits say so. */
  readonly isDocumentation?: boolean;
  /** What the ranking leaves out, to see what it is worth; nothing by default. */
  readonly stages?: RankingStages;
}

/**
 * The documents of a folder. Reading gives the text as it was indexed (`not_found` when it is not there any more).
 * Searching and syncing throw `unreachable` when the folder cannot be read.
 */
export interface Corpus extends SearchSource, DocumentReader {
  /** Looks at the folder now, or shares the look that is under way. */
  sync(signal: AbortSignal): Promise<SyncReport>;
  /** Ends a sync that is under way, then closes the database. */
  close(): Promise<void>;
}

/**
 * The source `corpus`: every PDF, Markdown, text and HTML file below `dir`, indexed when it is first searched and kept in line
 * with the folder from then on.
 * @throws DossierError `config_invalid` when the database cannot be opened
 */
export function createCorpus(options: CorpusOptions): Corpus {
  const { databaseFile, extractor, signal: outer, onProgress = () => {}, now = performance.now.bind(performance) } = options;
  const dir = resolve(options.dir);
  const index = openIndex(databaseFile, dir);
  const parts = {
    index,
    dir,
    extractor,
    onProgress,
    maxFiles: options.maxFiles ?? MAX_FILES,
    maxFileBytes: options.maxFileBytes ?? MAX_FILE_BYTES,
  };
  const closing = new AbortController();
  const ending = outer ? AbortSignal.any([closing.signal, outer]) : closing.signal;
  let syncedAt = Number.NEGATIVE_INFINITY;
  let leftOut: string | null = null;
  const mark = options.isDocumentation === true && ({ isDocumentation: true } as const);

  const syncing = singleFlight(async (signal) => {
    for (;;) {
      const { generation } = index;
      const report = await syncCorpus(parts, AbortSignal.any([signal, ending]));
      // An index that was begun anew meanwhile lacks what this sync took for indexed.
      if (index.generation !== generation) continue;
      syncedAt = now();
      leftOut = gapsOf(report);
      return report;
    }
  });

  /** Runs `work` on the index; where that turns out to be damaged, builds it anew and runs `work` once more. */
  async function repairing<T>(signal: AbortSignal, work: () => T | Promise<T>): Promise<T> {
    const { generation } = index;
    try {
      AbortSignal.any([signal, ending]).throwIfAborted();
      return await work();
    } catch (error) {
      if (!isDamage(error)) throw toOurError(error);
    }
    // Of several that found the damage, the first one repairs it.
    try {
      if (index.generation === generation) index.reset();
      await syncing.join(signal);
      return await work();
    } catch (error) {
      throw toOurError(error);
    }
  }

  function find(text: string, limit: number): Hit[] {
    const terms = queryTerms(text);
    const wanted = Math.max(0, Math.floor(limit));
    const found = index.match(terms, Math.max(wanted, CANDIDATES)).map((match) => ({ match, ...termsOf(match) }));
    const ranked = rankTexts(text, found, index.statistics(), options.stages ?? ALL_STAGES);
    return ranked.slice(0, wanted).map(({ match }) => ({ ...toHit(match, terms), ...mark }));
  }

  async function readIndexed(hit: Hit): Promise<ExtractedDocument> {
    const path = corpusPath(hit.url);
    const document = path === null ? null : index.document(path);
    if (!document) throw new DossierError("not_found", `There is no ${hit.url} in the corpus.`);
    return document;
  }

  return {
    id: "corpus",
    kind: "corpus",
    title: "Local documents",
    search: ({ text, context, limit }, { signal }) =>
      repairing(signal, async () => {
        if (now() - syncedAt > FRESH_MS) await syncing.join(signal);
        return find(context === undefined ? text : `${text} ${context}`, limit);
      }),
    gaps: () => leftOut,
    read: (hit, { signal }) => repairing(signal, () => readIndexed(hit)),
    sync: (signal) => repairing(signal, () => syncing.join(signal)),
    async close() {
      closing.abort(new DossierError("cancelled", "The corpus was closed."));
      await syncing.settled();
      index.close();
    },
  };
}

/** What the database cannot do (a full disk, a lock) is a source that cannot be reached; anything else is a bug. */
function toOurError(error: unknown): DossierError {
  if (error instanceof Error && error.name === "TimeoutError")
    return new DossierError("timeout", "The search of the corpus took longer than its time limit.", { cause: error });
  if (error instanceof Error && error.name === "AbortError")
    return new DossierError("cancelled", "The search of the corpus was cancelled.", { cause: error });
  return toDossierError(error, isDatabaseError(error) ? "unreachable" : "internal");
}

function openIndex(databaseFile: string, dir: string): CorpusIndex {
  try {
    return openCorpusIndex(databaseFile, dir);
  } catch (error) {
    const what = `The corpus index ${databaseFile} in the data folder (DATA_DIR) cannot be opened: ${toDossierError(error).message}.`;
    throw new DossierError("config_invalid", `${what} It is only a cache: delete it and start again.`, { cause: error });
  }
}

function termsOf({ titleWords, words }: Match): RankedText {
  const split = (joined: string): string[] => (joined === "" ? [] : joined.split(" "));
  return { title: split(titleWords), body: split(words) };
}

function toHit({ path, title, publishedAt, sectionText }: Match, terms: readonly string[]): Hit {
  const url = corpusUrl(path);
  const snippet = bestSnippet(sectionText, terms);
  return { id: sourceIdOf(url), kind: "corpus", title, url, publishedAt, foundBy: "corpus", contentHash: null, snippet };
}

/** How many files cannot be searched, and why: not to have looked there is not to have found nothing. */
function gapsOf({ files, failed }: SyncReport): string | null {
  if (failed.length === 0) return null;
  const reasons = [...Map.groupBy(failed, ({ code }) => code)].map(([code, of]) => `${of.length} ${code}`);
  return `${failed.length} of ${files + failed.length} files could not be indexed: ${reasons.join(", ")}`;
}
