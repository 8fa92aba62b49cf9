import type { ExtractedDocument, StoredDocument } from "../document.ts";
import type { Hit } from "../hit.ts";
import type { CallContext } from "./sources.ts";

export interface DocumentReader {
  /** @throws DossierError with a code of the ledger if there is no text */
  read(hit: Hit, context: CallContext): Promise<ExtractedDocument>;
}

export interface DocumentExtractor {
  /**
   * @param input.mediaType without parameters; empty if unknown, then the content decides
   * @param input.whole all text of a page, not only its article
   * @throws DossierError `document_too_large`, `unreadable`, `empty`, `blocked` (password), `timeout`, or the reason of `signal`
   */
  extract(
    input: { bytes: Uint8Array; mediaType: string; url: string; charset?: string; whole?: boolean },
    signal?: AbortSignal,
  ): Promise<ExtractedDocument>;
}

/** Content-addressed: a text is stored once for any number of runs. */
export interface DocumentStore {
  /** Resolves when the text and its use by `runId` are committed. */
  put(runId: string, document: ExtractedDocument): Promise<StoredDocument>;
  /** With the title, address and blocks that this run found. @throws DossierError `not_found`, also for a text of other runs only */
  get(runId: string, contentHash: string): Promise<StoredDocument>;
}
