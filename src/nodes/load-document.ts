import type { StoredDocument } from "../domain/document.ts";
import type { DocumentStore } from "../domain/ports/document-store.ts";
import type { Effects } from "../domain/ports/effects.ts";

const LOAD_TIMEOUT_MS = 30_000;

/** Texts are too long for state and journal: both hold the hash, and the store gives the text back. */
export function loadDocument(contentHash: string, documents: DocumentStore, effects: Effects): Promise<StoredDocument> {
  return effects.perform({
    kind: "document",
    request: { contentHash },
    timeoutMs: LOAD_TIMEOUT_MS,
    live: () => documents.get(effects.runId, contentHash),
    reference: () => null,
    load: () => documents.get(effects.runId, contentHash),
  });
}
