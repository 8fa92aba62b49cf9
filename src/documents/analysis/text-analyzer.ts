import { createHash } from "node:crypto";
import { availableParallelism } from "node:os";
import { deserialize } from "node:v8";
import { LRUCache } from "lru-cache";
import { Piscina } from "piscina";
import type { TextAnalysis } from "../../domain/analysis.ts";
import type { StoredDocument } from "../../domain/document.ts";
import type { AnalysisStore } from "../../domain/ports/sources.ts";
import { DossierError } from "../../errors.ts";
import { ANALYSIS_VERSION } from "../../ranking/analyze-text.ts";

const MAX_THREADS = 4;
const MAX_CACHED_BYTES = 64_000_000;

export interface TextAnalyzerOptions {
  /** Keeps analyses across restarts; null keeps them only in memory. */
  readonly stored: AnalysisStore | null;
  readonly timeoutMs?: number;
  readonly maxCachedBytes?: number;
  readonly entry?: URL;
}

export interface TextAnalyzer {
  /**
   * Returns the analysis of a text, from memory, the store or a worker thread.
   * @throws DossierError `unreadable` if the thread ends or takes longer than `timeoutMs`. Other texts are not affected.
   */
  analyze(document: StoredDocument): Promise<TextAnalysis>;
  close(): Promise<void>;
}

/** Threads start on demand and end after 30 s without work. A thread that ends early is replaced. */
export function createTextAnalyzer(options: TextAnalyzerOptions): TextAnalyzer {
  const { stored, timeoutMs = 30_000, maxCachedBytes = MAX_CACHED_BYTES } = options;
  const { entry = new URL("./analysis-thread.ts", import.meta.url) } = options;
  const pool = new Piscina<Pick<StoredDocument, "text" | "blocks">, Uint8Array>({
    filename: entry.href,
    minThreads: 0,
    maxThreads: Math.min(availableParallelism(), MAX_THREADS),
    idleTimeout: 30_000,
  });
  const known = new LRUCache<string, TextAnalysis>({ maxSize: maxCachedBytes });
  const running = new Map<string, Promise<TextAnalysis>>();

  async function compute({ text, blocks, contentHash }: StoredDocument, key: string): Promise<TextAnalysis> {
    const data = readStored(stored?.get(key) ?? null) ?? (await inThread({ text, blocks }));
    if (data.isNew) await stored?.put(contentHash, key, data.bytes).catch(() => undefined);
    known.set(key, data.analysis, { size: Math.max(1, data.bytes.byteLength) });
    return data.analysis;
  }

  async function inThread(document: Pick<StoredDocument, "text" | "blocks">) {
    try {
      const bytes = await pool.run(document, { name: "analyze", signal: AbortSignal.timeout(timeoutMs) });
      return { bytes, analysis: deserialize(bytes) as TextAnalysis, isNew: true };
    } catch (cause) {
      throw new DossierError("unreadable", "The text could not be cut into sentences, because the thread for it ended early.", { cause });
    }
  }

  return {
    async analyze(document) {
      const key = keyOf(document);
      const found = known.get(key) ?? running.get(key);
      if (found !== undefined) return found;
      const computing = compute(document, key).finally(() => running.delete(key));
      running.set(key, computing);
      return computing;
    },
    close: () => pool.destroy(),
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
