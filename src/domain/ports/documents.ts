import type { ExtractedDocument, StoredDocument } from "../document.ts";
import type { Hit } from "../hit.ts";
import type { CallContext } from "./sources.ts";

/** Downloads a hit and extracts its text. */
export interface DocumentReader {
  /** @throws DossierError with a code of the ledger if there is no text */
  read(hit: Hit, context: CallContext): Promise<ExtractedDocument>;
}

/** Turns the bytes of a file or page into structured text. */
export interface DocumentExtractor {
  /**
   * @param input.mediaType as declared, without parameters; empty if unknown, then the content decides
   * @param input.charset as the transport declared it
   * @param input.whole all text of a page, not only its article
   * @throws DossierError `document_too_large`, `unreadable`, `empty`, `blocked` (password), `timeout`, or the reason of `signal`
   */
  extract(
    input: { bytes: Uint8Array; mediaType: string; url: string; charset?: string; whole?: boolean },
    signal?: AbortSignal,
  ): Promise<ExtractedDocument>;
}

/** Content-addressed texts: one text is stored once, for any number of runs. */
export interface DocumentStore {
  /** Stores the text under its hash and records that `runId` uses it; both are committed when it resolves. */
  put(runId: string, document: ExtractedDocument): Promise<StoredDocument>;
  /**
   * Returns a text with the title, address and blocks that this run found it with.
   * @throws DossierError `not_found`, also for a text that only other runs use
   */
  get(runId: string, contentHash: string): Promise<StoredDocument>;
}
