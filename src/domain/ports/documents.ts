import type { ExtractedDocument, StoredDocument } from "../document.ts";
import type { Hit } from "../hit.ts";
import type { CallContext } from "./sources.ts";

/** Fetches what a hit points to and extracts its text. */
export interface DocumentReader {
  /** @throws DossierError with a code of the ledger when there is no text to be had. */
  read(hit: Hit, context: CallContext): Promise<ExtractedDocument>;
}

/** Turns the bytes of a file or a page into text with structure. */
export interface DocumentExtractor {
  /**
   * @param input.mediaType as declared, without parameters; empty where unknown, then the content decides
   * @param input.charset as the transport declared it, where it did
   * @param input.whole all text of a page, not only its article
   * @throws DossierError `document_too_large`, `unreadable`, `empty`, `blocked` (it asks for a password), `timeout`, or what
   *   `signal` was aborted with
   */
  extract(
    input: { bytes: Uint8Array; mediaType: string; url: string; charset?: string; whole?: boolean },
    signal?: AbortSignal,
  ): Promise<ExtractedDocument>;
}

/** Content-addressed texts. One text is stored once, however many runs point at it. */
export interface DocumentStore {
  /** Stores the text under its hash and remembers that `runId` uses it. Done before the promise resolves. */
  put(runId: string, document: ExtractedDocument): Promise<StoredDocument>;
  /**
   * A text that the run uses, with the title, the address and the blocks under which this run found it.
   * @throws DossierError `not_found`, also for a text that only other runs use
   */
  get(runId: string, contentHash: string): Promise<StoredDocument>;
}
