import { deserialize, serialize } from "node:v8";
import { LRUCache } from "lru-cache";
import type { AnalyzedDocument, TextAnalysis } from "../../domain/analysis.ts";
import { contentHashOf, type StoredDocument } from "../../domain/document.ts";
import type { AnalysisStore, DocumentStore, TextStore } from "../../domain/ports/sources.ts";
import type { WorkerPool } from "../../domain/ports/workers.ts";
import { ANALYSIS_VERSION, analyzeText } from "../../ranking/analyze-text.ts";

const ANALYSIS_THREAD = new URL("./analysis-thread.ts", import.meta.url);
/** Analysis is linear: the longest text takes seconds, and minutes only where the processor is busy with something else. */
const TIMEOUT_MS = 300_000;
/** In UTF-16 code units. Analyzing less takes milliseconds, and starting a thread some hundred. */
const MAX_INLINE_LENGTH = 4_000;
const MAX_CACHED_BYTES = 64_000_000;
/** The database writes on the event loop. A larger analysis is made again after a restart. */
const MAX_STORED_BYTES = 4_000_000;

interface Analyzed {
  readonly analysis: TextAnalysis;
  readonly size: number;
}

export interface AnalyzedDocuments extends DocumentStore {
  analyze(document: StoredDocument): Promise<AnalyzedDocument>;
}

/** Analyzes each text once, when it is stored. `analyses` keeps the results across restarts; null keeps them in memory. */
export function withAnalyses(texts: TextStore, workers: WorkerPool, analyses: AnalysisStore | null): AnalyzedDocuments {
  const keys = new WeakMap<StoredDocument, string>();
  const known = new LRUCache<string, Analyzed, StoredDocument>({
    maxSize: MAX_CACHED_BYTES,
    sizeCalculation: ({ size }) => size,
    // Otherwise an analysis in progress could be evicted, and those who wait for it would fail.
    ignoreFetchAbort: true,
    fetchMethod: async (key, _, { context }) => readStored((await analyses?.get(key)) ?? null) ?? analyzeNew(key, context),
  });

  async function analyzeNew(key: string, { text, blocks, contentHash }: StoredDocument): Promise<Analyzed> {
    const isShort = text.length <= MAX_INLINE_LENGTH;
    const analyzed = { text, blocks };
    const bytes: Uint8Array = isShort
      ? serialize(analyzeText(analyzed))
      : await workers.run(ANALYSIS_THREAD, "analyze", analyzed, { timeoutMs: TIMEOUT_MS, size: text.length });
    if (bytes.byteLength <= MAX_STORED_BYTES) await analyses?.put(contentHash, key, bytes, ANALYSIS_VERSION).catch(() => undefined);
    return toAnalyzed(bytes);
  }

  async function analyze(document: StoredDocument): Promise<AnalyzedDocument> {
    const key = keys.get(document) ?? keyOf(document);
    keys.set(document, key);
    const { analysis } = await known.forceFetch(key, { context: document });
    return { ...document, analysis };
  }

  return {
    analyze,
    get: (runId, contentHash) => texts.get(runId, contentHash),
    async put(runId, document) {
      const stored = await texts.put(runId, document);
      // A failure is met by those who need the analysis, not by the download.
      void analyze(stored).catch(() => undefined);
      return stored;
    },
    getAnalyzed: async (runId, contentHash) => analyze(await texts.get(runId, contentHash)),
  };
}

/** Blocks may differ between pages with equal texts, and decide where sentences end. */
function keyOf({ contentHash, blocks }: StoredDocument): string {
  return contentHashOf(JSON.stringify([ANALYSIS_VERSION, contentHash, blocks]));
}

function readStored(bytes: Uint8Array | null): Analyzed | null {
  try {
    return bytes === null ? null : toAnalyzed(bytes);
  } catch {
    return null;
  }
}

function toAnalyzed(bytes: Uint8Array): Analyzed {
  return { analysis: shared(deserialize(bytes)), size: Math.max(1, bytes.byteLength) };
}

/** Moves the arrays of an analysis into shared memory, so that threads that compute with it get no copies. */
function shared<Value>(value: Value): Value {
  if (value instanceof Uint32Array || value instanceof Int32Array || value instanceof Uint8Array) {
    const array = new (value.constructor as Uint32ArrayConstructor)(new SharedArrayBuffer(value.byteLength));
    array.set(value);
    return array as Value;
  }
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, shared(one)])) as Value;
}
