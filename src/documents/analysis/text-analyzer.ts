import { createHash } from "node:crypto";
import { deserialize, serialize } from "node:v8";
import { LRUCache } from "lru-cache";
import type { TextAnalysis } from "../../domain/analysis.ts";
import type { StoredDocument } from "../../domain/document.ts";
import type { AnalysisStore } from "../../domain/ports/sources.ts";
import type { WorkerPool } from "../../domain/ports/workers.ts";
import { ANALYSIS_VERSION, analyzeText } from "../../ranking/analyze-text.ts";

const ANALYSIS_THREAD = new URL("./analysis-thread.ts", import.meta.url);
/** In UTF-16 code units. Analyzing less takes milliseconds, and starting a thread some hundred. */
const MAX_INLINE_LENGTH = 4_000;
const MAX_CACHED_BYTES = 64_000_000;

export interface TextAnalyzerOptions {
  readonly workers: WorkerPool;
  /** Keeps analyses across restarts; null keeps them only in memory. */
  readonly stored: AnalysisStore | null;
  readonly timeoutMs?: number;
  readonly maxCachedBytes?: number;
}

export interface TextAnalyzer {
  /**
   * Returns the analysis of a text, from memory, the store or a worker thread.
   * @throws DossierError `timeout` after `timeoutMs`, `internal` if the thread ends. Other texts are not affected.
   */
  analyze(document: StoredDocument): Promise<TextAnalysis>;
}

export function createTextAnalyzer(options: TextAnalyzerOptions): TextAnalyzer {
  const { workers, stored, timeoutMs = 30_000, maxCachedBytes = MAX_CACHED_BYTES } = options;
  const known = new LRUCache<string, TextAnalysis>({ maxSize: maxCachedBytes });
  const running = new Map<string, Promise<TextAnalysis>>();
  const keys = new WeakMap<StoredDocument, string>();

  async function compute({ text, blocks, contentHash }: StoredDocument, key: string): Promise<TextAnalysis> {
    const data = readStored(stored?.get(key) ?? null) ?? (await analyzeNew({ text, blocks }));
    if (data.isNew) await stored?.put(contentHash, key, data.bytes).catch(() => undefined);
    known.set(key, data.analysis, { size: Math.max(1, data.bytes.byteLength) });
    return data.analysis;
  }

  async function analyzeNew(document: Pick<StoredDocument, "text" | "blocks">) {
    if (document.text.length <= MAX_INLINE_LENGTH) {
      const analysis = analyzeText(document);
      return { bytes: serialize(analysis), analysis, isNew: true };
    }
    const bytes = await workers.run<typeof document, Uint8Array>(ANALYSIS_THREAD, "analyze", document, { timeoutMs });
    return { bytes, analysis: deserialize(bytes) as TextAnalysis, isNew: true };
  }

  return {
    async analyze(document) {
      const key = keys.get(document) ?? keyOf(document);
      keys.set(document, key);
      const found = known.get(key) ?? running.get(key);
      if (found !== undefined) return found;
      const computing = compute(document, key).finally(() => running.delete(key));
      running.set(key, computing);
      return computing;
    },
  };
}

/** Blocks may differ between pages with equal texts, and decide where sentences end. */
function keyOf({ contentHash, blocks }: StoredDocument): string {
  return createHash("sha256")
    .update(JSON.stringify([ANALYSIS_VERSION, contentHash, blocks]))
    .digest("hex");
}

function readStored(bytes: Uint8Array | null) {
  try {
    return bytes === null ? null : { bytes, analysis: deserialize(bytes) as TextAnalysis, isNew: false };
  } catch {
    return null;
  }
}
