import type { AnalyzedDocument } from "../domain/analysis.ts";
import type { StoredDocument } from "../domain/document.ts";
import type { Hit } from "../domain/hit.ts";
import type { Reading } from "../domain/ports/analyst.ts";
import type { Effects } from "../domain/ports/effects.ts";
import type { DocumentStore } from "../domain/ports/sources.ts";
import type { ReadHit } from "./reading.ts";

/** A text may wait for its analysis, for as long as the run has time. */
const LOAD_TIMEOUT_MS = 300_000;
const STORE_TIMEOUT_MS = 10_000;

/** Loads a text with its analysis. The state and the journal contain only its hash. */
export function loadAnalyzed(contentHash: string, documents: DocumentStore, effects: Effects): Promise<AnalyzedDocument> {
  const live = () => documents.getAnalyzed(effects.runId, contentHash);
  return effects.perform({ kind: "document", request: { contentHash }, timeoutMs: LOAD_TIMEOUT_MS, recorded: false, live });
}

/** The maximum total length in UTF-16 code units, because all texts are in memory at once. */
const MAX_READ_CHARACTERS = 6_000_000;

/** Loads the texts in order, until they are too long together, in one effect. */
export async function loadReadings(read: readonly ReadHit[], documents: DocumentStore, effects: Effects): Promise<Reading[]> {
  const stored = read.flatMap(({ hit, contentHash }) => (contentHash === null ? [] : [{ hit, contentHash }]));
  if (stored.length === 0) return [];
  const live = async (signal: AbortSignal): Promise<Reading[]> => {
    const readings: Reading[] = [];
    let room = MAX_READ_CHARACTERS;
    for (const { hit, contentHash } of stored) {
      const document = await documents.getAnalyzed(effects.runId, contentHash);
      signal.throwIfAborted();
      room -= document.text.length;
      if (room < 0 && readings.length > 0) break;
      readings.push({ hit, document });
    }
    return readings;
  };
  const request = { contentHashes: stored.map(({ contentHash }) => contentHash) };
  return effects.perform({ kind: "document", request, timeoutMs: LOAD_TIMEOUT_MS, recorded: false, live });
}

/** Stores a snippet as a document, so that it can be cited. The snippet must not be empty. */
export async function storeSnippet(
  { title, url, publishedAt, snippet }: Pick<Hit, "title" | "url" | "publishedAt" | "snippet">,
  documents: DocumentStore,
  effects: Effects,
): Promise<string> {
  const text = snippet.toWellFormed().trim();
  const blocks = [{ kind: "paragraph" as const, start: 0, end: text.length, level: 0 }];
  const live = async () =>
    summaryOf(await documents.put(effects.runId, { text, title, url, language: null, publishedAt, author: null, blocks }));
  const { contentHash } = await effects.perform({ kind: "document", request: { snippet: text }, timeoutMs: STORE_TIMEOUT_MS, live });
  return contentHash;
}

/** Returns what the journal keeps of a stored document. */
export function summaryOf({ contentHash, title, text, incomplete }: StoredDocument) {
  return { contentHash, title, characters: text.length, ...(incomplete !== undefined && { incomplete }) };
}
